import { matchNarrow } from "../../api/messages.ts";
import { choiceOf } from "../../argv/flags.ts";
import type { Given } from "../../argv/given.ts";
import { idsOf } from "../../argv/text.ts";
import { Usage } from "../../errors.ts";
import { type Narrow, readNarrow, readNarrowJson } from "../../notation/narrow.ts";
import type { Column, Listing } from "../../output/form.ts";
import { marked } from "../../output/highlight.ts";
import { checkChoice } from "../../output/present.ts";
import { parts } from "../../resolve/parts.ts";
import type { Context } from "../../run/context.ts";

interface Options {
  ids: Given[];
  narrow?: string;
  narrowJson?: string;
}

interface Verdict {
  id: number;
  match: boolean;
  match_content?: string;
  match_subject?: string;
}

const fields = ["id", "match", "match_content", "match_subject"];

const columns: Column<Verdict>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  {
    head: "MATCH",
    value: (verdict) => (verdict.match ? "yes" : "no"),
    style: (verdict) => (verdict.match ? "good" : "dim"),
  },
  { head: "TOPIC", value: ({ match_subject }) => match_subject && marked(match_subject) },
  { head: "CONTENT", value: ({ match_content }) => match_content && marked(match_content) },
];

function narrowOf({ narrow, narrowJson }: Options): { narrow: Narrow; flag: string } {
  if (narrow !== undefined && narrowJson !== undefined)
    throw new Usage("--narrow and --narrow-json contradict each other");
  if (narrow !== undefined) return { narrow: readNarrow(narrow), flag: "--narrow" };
  if (narrowJson !== undefined) return { narrow: readNarrowJson(narrowJson), flag: "--narrow-json" };
  throw new Usage("messages match needs --narrow or --narrow-json");
}

export async function match(context: Context, options: Options): Promise<Listing<Verdict>> {
  const { askAll, flags, find, world } = context;
  await checkChoice(choiceOf(flags), [...fields, ...columns.map(({ head }) => head)]);
  const { narrow, flag } = narrowOf(options);
  const ids = await idsOf(world, "--ids", options.ids);
  const server = await context.server();
  if (narrow.needs.length)
    await server.insist(matchNarrow, (level) =>
      narrow.needs
        .filter((need) => level < need.level)
        .map(({ what, before, level: needs }) => ({
          flag: `${flag}: ${what}${before ? ` (${before} there)` : ""}`,
          needs,
        })),
    );
  const me = narrow.me ? await find.user("me", flag) : undefined;
  const asked = parts(server.site, matchNarrow, { name: "msg_ids", ids, flag }, { narrow: narrow.terms(me) });
  const found = new Map<string, { match_content: string; match_subject: string }>();
  for (const { messages } of await askAll(matchNarrow, asked, { msg_ids: "--ids", narrow: flag }))
    for (const [id, matched] of Object.entries(messages)) found.set(id, matched);
  const verdicts = ids.map((id): Verdict => {
    const matched = found.get(String(id));
    return matched ? { id, match: true, ...matched } : { id, match: false };
  });
  const silent = flags.quiet || verdicts.every((verdict) => verdict.match);
  return {
    kind: "listing",
    records: verdicts,
    id: ({ id, match }) => (match ? id : undefined),
    columns,
    known: fields,
    note: silent ? undefined : "“no”: it does not match, or this account cannot see it.",
  };
}
