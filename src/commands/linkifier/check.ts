import { Usage } from "../../errors.ts";
import { longestMessage } from "../../notation/draft.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Context } from "../../run/context.ts";

interface Words {
  pattern: string;
  urlTemplate: string;
  sample?: string[] | undefined;
  skipCheck?: boolean | undefined;
}

/** Where the two were given, and what does not happen where they are wrong. */
interface Places {
  pattern: string;
  urlTemplate: string;
  undone: string;
}

const ofAdd: Places = { pattern: "<pattern>", urlTemplate: "<url-template>", undone: "the linkifier was not added" };

/** Longer texts are no messages. */
export function checkLength(texts: readonly string[], flag: string): void {
  for (const text of texts)
    if ([...text].length > longestMessage)
      throw new Usage(`${flag}: a message holds at most ${longestMessage.toLocaleString("en")} characters`);
}

/** Refuses what the server would refuse, in its words. */
export async function checkLinkifier(
  pattern: string,
  url_template: string,
  places: Omit<Places, "undone">,
  hint = "The server would refuse this.",
): Promise<void> {
  const { judge } = await import("../../notation/linkifier.ts");
  const refusal = judge({ pattern, url_template });
  if (!refusal) return;
  const { errors } = refusal;
  const where = errors.pattern ? `${places.pattern}: ` : errors.url_template ? `${places.urlTemplate}: ` : "";
  throw new Usage(`${where}${refusal.msg}`, { hint, more: { errors } });
}

/** Says on stderr what would become of each text; refuses where nothing would. */
async function show(
  { note }: Pick<Context, "note">,
  samples: readonly string[],
  { pattern, url_template, undone }: { pattern: string; url_template: string; undone: string },
) {
  checkLength(samples, "--sample");
  const { linkify } = await import("../../notation/linkify.ts");
  for (const sample of samples) {
    const links = linkify(sample, [{ pattern, url_template }]);
    if (!links.length)
      throw new Usage(`--sample: nothing in "${sample}" matches; ${undone}`, {
        hint: "A match counts after white space or one of '\"(,:<, where no letter or digit follows, and not in code or URLs.",
      });
    for (const { text, url } of links) await note(sanitizeLine(`${text} → ${url}`));
  }
}

/** What is said of a linkifier before it is sent. Throws `Usage`. */
export async function check(
  { pattern, urlTemplate, sample = [], skipCheck }: Words,
  context: Pick<Context, "note">,
  places = ofAdd,
): Promise<void> {
  if (skipCheck && sample.length) throw new Usage("--skip-check cannot be combined with --sample");
  const hint = "The server would refuse this. Pass --skip-check to send it anyway.";
  if (!skipCheck) await checkLinkifier(pattern, urlTemplate, places, hint);
  await show(context, sample, { pattern, url_template: urlTemplate, undone: places.undone });
}
