import { matchNarrow } from "../../api/messages.ts";
import { choiceOf } from "../../argv/flags.ts";
import type { Values } from "../../cli/word.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { marked } from "../../output/highlight.ts";
import { checkChoice } from "../../output/present.ts";
import { parts } from "../../resolve/parts.ts";
import type { Context } from "../../run/context.ts";
import { narrowOf, termsFor } from "./narrowing.ts";
import type { narrowFlags } from "./words.ts";

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
  {
    head: "CONTENT",
    value: ({ match_content }) => match_content && marked(match_content),
    cut: true,
    importance: "high",
  },
];

export async function match(
  context: Context,
  options: Values<Record<never, never>, typeof narrowFlags> & { ids: number[] },
): Promise<Listing<Verdict>> {
  const { askAll, flags } = context;
  await checkChoice(choiceOf(flags), [...fields, ...columns.map(({ head }) => head)]);
  const asking = narrowOf(options);
  if (!asking) throw new Usage("messages match requires --narrow or --narrow-json");
  const { ids } = options;
  const server = await context.server();
  const { flag } = asking;
  const narrow = await termsFor(context, matchNarrow, asking);
  const asked = parts(server.site, matchNarrow, { name: "msg_ids", ids, flag }, { narrow });
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
    note: silent ? undefined : '"no": it does not match, or this account cannot see it.',
  };
}
