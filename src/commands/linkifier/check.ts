import { Usage } from "../../errors.ts";
import { sanitizeLine } from "../../output/sanitize.ts";
import type { Context } from "../../run/context.ts";

/** What servers take unless they are set up otherwise. */
const longestMessage = 10_000;

interface Words {
  pattern: string;
  urlTemplate: string;
  sample?: string[] | undefined;
  skipCheck?: boolean | undefined;
}

/** Refuses what the server would refuse, in its words. */
async function examine(pattern: string, url_template: string): Promise<void> {
  const { judge } = await import("../../notation/linkifier.ts");
  const refusal = judge({ pattern, url_template });
  if (!refusal) return;
  const { errors } = refusal;
  const where = errors.pattern ? "<pattern>: " : errors.url_template ? "<url-template>: " : "";
  throw new Usage(`${where}${refusal.msg}`, {
    hint: "The server would refuse it so; --skip-check sends it all the same.",
    more: { errors },
  });
}

/** Says on stderr what would become of each text; refuses where nothing would. */
async function show(
  { note }: Pick<Context, "note">,
  samples: readonly string[],
  pattern: string,
  url_template: string,
) {
  for (const sample of samples)
    if ([...sample].length > longestMessage)
      throw new Usage(`--sample: a message holds at most ${longestMessage.toLocaleString("en")} characters`);
  const { linkify } = await import("../../notation/linkify.ts");
  for (const sample of samples) {
    const links = linkify(sample, [{ pattern, url_template }]);
    if (!links.length)
      throw new Usage(`--sample: nothing in “${sample}” becomes a link; the linkifier was not added`, {
        hint: "A match counts after white space or one of '\"(,:<, where no letter or digit follows, and not in code or URLs.",
      });
    for (const { text, url } of links) await note(sanitizeLine(`${text} → ${url}`));
  }
}

/** What `linkifier add` says of its words before anything is sent. Throws `Usage`. */
export async function check(
  { pattern, urlTemplate, sample = [], skipCheck }: Words,
  context: Pick<Context, "note">,
): Promise<void> {
  if (skipCheck && sample.length) throw new Usage("--skip-check and --sample contradict each other");
  if (!skipCheck) await examine(pattern, urlTemplate);
  await show(context, sample, pattern, urlTemplate);
}
