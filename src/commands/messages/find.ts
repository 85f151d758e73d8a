import { getMessage, getMessages, type Message, matchNarrow } from "../../api/messages.ts";
import { outputOptions } from "../../argv/global-flags.ts";
import { fieldsOfEmpty } from "../../cli/empty-list.ts";
import type { FlagValues } from "../../cli/parameter.ts";
import { membersOf } from "../../common/object-members.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { highlightedText } from "../../output/highlight.ts";
import { checkOutputOptions } from "../../output/printer.ts";
import { timeCell } from "../../output/when.ts";
import { splitByLength } from "../../resolve/split-reads.ts";
import type { Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import type { findFlags, narrowFlags } from "./flags.ts";
import { filterOf, firstPage, searchMessages, termsFor } from "./search.ts";

const defaultLimit = 100;

/** Formats `design`, or `(direct: Ada, Bo)`. */
export const conversationText = ({ display_recipient: to }: Message): string => {
  if (typeof to === "string") return to;
  const people = Array.isArray(to) ? to.map((one) => membersOf(one).full_name) : [];
  return `(direct: ${people.filter((name) => typeof name === "string").join(", ")})`;
};

export const firstLine = ({ content }: Message): string => content.trimStart().split(/\r?\n/, 1).join();

const common: Column<Message>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  { head: "TIME", value: ({ timestamp }) => timeCell(timestamp), whole: true },
  { head: "SENDER", value: ({ sender_full_name, sender_id }) => sender_full_name ?? sender_id },
  { head: "CHANNEL", value: conversationText },
  { head: "TOPIC", value: ({ subject }) => subject },
];

export async function findMessages(context: Context, options: FlagValues<typeof findFlags>): Promise<Listing<Message>> {
  const { all, before, after = 0, since, until } = options;
  await checkOutputOptions(outputOptions(context.flags));
  const filter = filterOf(options);
  if (before !== undefined && before <= after + 1) throw new Usage("no message is between --after and --before");
  if (since !== undefined && until !== undefined && since >= until)
    throw new Usage("no message is between --since and --until");
  const narrow = filter && (await termsFor(context, getMessages, filter));
  const limit = options.limit ?? (all || since !== undefined ? undefined : defaultLimit);
  const query = { narrow, after, before, since, until, limit, flag: filter?.flag };
  await context.showInstead([{ ...call(getMessages, firstPage(query)), command: context.command }]);
  let count = 0;
  async function* records() {
    for await (const message of searchMessages(context, query)) {
      count++;
      yield message;
    }
  }
  return {
    kind: "listing",
    records: records(),
    note: () =>
      options.limit === undefined && count === limit
        ? `Only the newest ${limit} are shown. Pass --limit or --all for more.`
        : undefined,
    id: ({ id }) => id,
    emptyFields: fieldsOfEmpty(getMessages, []),
    columns: [...common, { head: "FIRST LINE", value: firstLine, cut: true, importance: "high" }],
  };
}

export async function showMessages(context: Context, { ids }: { ids: readonly number[] }): Promise<Listing<Message>> {
  const requests = [...new Set(ids)].map((message_id) => ({ message_id, apply_markdown: false }));
  const answers = await context.askAll(getMessage, requests, { message_id: "<id>" });
  return {
    kind: "listing",
    records: answers.map(({ message }) => message),
    id: ({ id }) => id,
    columns: [...common, { head: "CONTENT", value: ({ content }) => content, importance: "high" }],
  };
}

interface MessageMatch {
  id: number;
  match: boolean;
  match_content?: string;
  match_subject?: string;
}

const fields = ["id", "match", "match_content", "match_subject"];

const matchColumns: Column<MessageMatch>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  {
    head: "MATCH",
    value: (verdict) => (verdict.match ? "yes" : "no"),
    style: (verdict) => (verdict.match ? "good" : "dim"),
  },
  { head: "TOPIC", value: ({ match_subject }) => match_subject && highlightedText(match_subject) },
  {
    head: "CONTENT",
    value: ({ match_content }) => match_content && highlightedText(match_content),
    cut: true,
    importance: "high",
  },
];

export async function matchMessages(
  context: Context,
  options: FlagValues<typeof narrowFlags> & { ids: number[] },
): Promise<Listing<MessageMatch>> {
  const { askAll, flags } = context;
  await checkOutputOptions(outputOptions(flags), [...fields, ...matchColumns.map(({ head }) => head)]);
  const filter = filterOf(options);
  if (!filter) throw new Usage("messages match requires --narrow or --narrow-json");
  const { ids } = options;
  const server = await context.server();
  const { flag } = filter;
  const narrow = await termsFor(context, matchNarrow, filter);
  const requests = splitByLength(server.site, matchNarrow, { name: "msg_ids", ids, flag }, { narrow });
  const matches = new Map<string, { match_content: string; match_subject: string }>();
  for (const { messages } of await askAll(matchNarrow, requests, { msg_ids: "--ids", narrow: flag }))
    for (const [id, texts] of Object.entries(messages)) matches.set(id, texts);
  const verdicts = ids.map((id): MessageMatch => {
    const texts = matches.get(String(id));
    return texts ? { id, match: true, ...texts } : { id, match: false };
  });
  const isSilent = flags.quiet || verdicts.every((verdict) => verdict.match);
  return {
    kind: "listing",
    records: verdicts,
    id: ({ id, match }) => (match ? id : undefined),
    columns: matchColumns,
    allFields: fields,
    note: isSilent ? undefined : '"no": it does not match, or this account cannot see it.',
  };
}
