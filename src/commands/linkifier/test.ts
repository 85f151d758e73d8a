import { getLinkifiers } from "../../api/linkifiers.ts";
import { firstOf } from "../../counted.ts";
import { Difference, Usage } from "../../errors.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { checkLength, checkLinkifier } from "./check.ts";

interface Words {
  texts?: string[] | undefined;
  pattern?: string | undefined;
  urlTemplate?: string | undefined;
  expect?: "match" | "none" | undefined;
}

interface Rule {
  /** Absent for one that does not exist yet. */
  id?: number;
  pattern: string;
  url_template: string;
}

interface Found {
  text: string;
  match: string;
  /** The linkifier's id. */
  linkifier: number | null;
  url: string;
  /** Characters before the match. */
  start: number;
}

async function rulesOf({ ask }: Context, { pattern, urlTemplate }: Words): Promise<readonly Rule[]> {
  if (pattern === undefined && urlTemplate === undefined) return (await ask(getLinkifiers, {})).linkifiers;
  if (pattern === undefined) throw new Usage("--url-template requires --pattern");
  if (urlTemplate === undefined) throw new Usage("--pattern requires --url-template");
  await checkLinkifier(pattern, urlTemplate, { pattern: "--pattern", urlTemplate: "--url-template" });
  return [{ pattern, url_template: urlTemplate }];
}

/** As many are named; the result shows the others. */
const most = 5;

/** The texts that departed from what is expected of all. */
function departed(texts: readonly string[], linked: ReadonlySet<string>, expect: Words["expect"]) {
  const wrong = expect ? texts.filter((text) => linked.has(text) !== (expect === "match")) : [];
  if (!wrong.length) return undefined;
  const some = wrong.map((text) => `"${text}"`);
  const what = expect === "match" ? "nothing becomes a link in" : "something becomes a link in";
  return new Difference(`${what} ${firstOf(some, most)}`, { more: { texts: wrong } });
}

export async function test(context: Context, words: Words): Promise<Listing<Found>> {
  const { texts = [], expect } = words;
  if (!words.texts)
    throw new Usage("linkifier test requires at least one text", {
      hint: "Give texts, @file with one a line, or - for stdin.",
    });
  checkLength(texts, "<text>");
  const rules = await rulesOf(context, words);
  const { linkify } = await import("../../notation/linkify.ts");
  const records = texts.flatMap((text) =>
    linkify(text, rules).map(({ text: match, linkifier, url, start }) => ({
      text,
      match,
      linkifier: rules[linkifier]?.id ?? null,
      url,
      start: [...text.slice(0, start)].length,
    })),
  );
  const failure = departed(texts, new Set(records.map(({ text }) => text)), expect);
  return {
    kind: "listing",
    records,
    id: ({ linkifier }) => linkifier ?? undefined,
    known: ["text", "match", "linkifier", "url", "start"],
    columns: [
      { head: "TEXT", value: ({ text }) => text },
      { head: "MATCH", value: ({ match }) => match },
      { head: "LINKIFIER", value: ({ linkifier }) => linkifier, align: "right" },
      { head: "URL", value: ({ url }) => url, importance: "high" },
      { head: "START", value: ({ start }) => start, align: "right" },
    ],
    note: records.length ? undefined : "Nothing in these texts becomes a link.",
    ...(failure && { ending: async () => failure }),
  };
}
