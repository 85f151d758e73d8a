import { getMessage, getMessages, type Message } from "../../api/messages.ts";
import { choiceOf } from "../../argv/flags.ts";
import type { Values } from "../../cli/word.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { checkChoice } from "../../output/present.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import { narrowOf, termsFor } from "./narrowing.ts";
import { firstPage, search } from "./search.ts";
import type { findFlags } from "./words.ts";

/** The default limit. */
const usual = 100;

/** Formats `design`, or `(direct: Ada, Bo)`. */
export const channelOf = ({ display_recipient: to }: Message): string => {
  if (typeof to === "string") return to;
  const people = Array.isArray(to) ? to.map((one) => (one as { full_name?: unknown } | null)?.full_name) : [];
  return `(direct: ${people.filter((name) => typeof name === "string").join(", ")})`;
};

export const firstLine = ({ content }: Message): string => content.trimStart().split(/\r?\n/, 1).join();

const common: Column<Message>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  { head: "TIME", value: ({ timestamp }) => when(timestamp), whole: true },
  { head: "SENDER", value: ({ sender_full_name, sender_id }) => sender_full_name ?? sender_id },
  { head: "CHANNEL", value: channelOf },
  { head: "TOPIC", value: ({ subject }) => subject },
];

export async function find(
  context: Context,
  options: Values<Record<never, never>, typeof findFlags>,
): Promise<Listing<Message>> {
  const { all, before, after = 0, since, until } = options;
  await checkChoice(choiceOf(context.flags));
  if (all && options.limit !== undefined) throw new Usage("--all cannot be combined with --limit");
  const asked = narrowOf(options);
  if (before !== undefined && before <= after + 1) throw new Usage("no message is between --after and --before");
  if (since !== undefined && until !== undefined && since >= until)
    throw new Usage("no message is between --since and --until");
  const narrow = asked && (await termsFor(context, getMessages, asked));
  const limit = options.limit ?? (all || since !== undefined ? undefined : usual);
  const query = { narrow, after, before, since, until, limit, flag: asked?.flag };
  await context.showInstead([{ ...call(getMessages, firstPage(query)), command: context.command }]);
  let count = 0;
  async function* records() {
    for await (const message of search(context, query)) {
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
    columns: [...common, { head: "FIRST LINE", value: firstLine, cut: true, importance: "high" }],
  };
}

export async function show(context: Context, { ids }: { ids: readonly number[] }): Promise<Listing<Message>> {
  const asked = [...new Set(ids)].map((message_id) => ({ message_id, apply_markdown: false }));
  const answers = await context.askAll(getMessage, asked, { message_id: "<id>" });
  return {
    kind: "listing",
    records: answers.map(({ message }) => message),
    id: ({ id }) => id,
    columns: [...common, { head: "CONTENT", value: ({ content }) => content, importance: "high" }],
  };
}
