/** The messages that a bulk command is about: all of them, before anything is sent. */
import { getMessage, getMessages, type Message, type NarrowTerm } from "../../api/messages.ts";
import type { Values } from "../../cli/word.ts";
import { counted } from "../../counted.ts";
import { Refused } from "../../errors.ts";
import { parts } from "../../resolve/parts.ts";
import type { Context } from "../../run/context.ts";
import { narrowOf, termsFor } from "./narrowing.ts";
import { type Query, search } from "./search.ts";
import type { bulkFlags } from "./words.ts";

type Options = Values<Record<never, never>, typeof bulkFlags>;

/** Terms that search more than the messages that the account received. */
const opensHistory = ({ operator, negated }: NarrowTerm): boolean =>
  !negated && /^(channel|stream|channels|streams|id)$/.test(operator);

/** All messages that match, the oldest first. */
export async function allOf(context: Context, query: Query): Promise<Message[]> {
  const found: Message[] = [];
  const drawn = () => `zulipctl: searching, ${counted(found.length, "message")} so far`;
  const wait = context.waits.begin({ what: "searching", drawn });
  try {
    for await (const message of search(context, { ...query, emptyTopic: true })) found.push(message);
  } finally {
    wait.end();
  }
  return found.reverse();
}

/** Where a message is looked for by its id: in the account's own history first, then in what everybody may read. */
const histories: readonly NarrowTerm[][] = [[], [{ operator: "channels", operand: "public" }]];

/** Messages by their ids, the oldest first. What is not there, or not visible, is left out and said. */
async function byIds(context: Context, ids: readonly number[]): Promise<Message[]> {
  const { server, command } = context;
  const to = await server();
  const found = new Map<number, Message>();
  const missing = () => ids.filter((id) => !found.has(id));
  const rest = { apply_markdown: false, allow_empty_topic_name: true };
  for (const narrow of histories)
    if (missing().length) {
      const asked = { name: "message_ids", ids: missing(), flag: "--ids" };
      for (const args of parts(to.site, getMessages, asked, { narrow, ...rest }))
        for (const message of (await to.call(getMessages, args, { command })).messages) found.set(message.id, message);
    }
  // Private channels with shared history show a message to whoever asks for it.
  for (const message_id of missing())
    try {
      const { message } = await to.call(getMessage, { message_id, ...rest }, { command });
      found.set(message_id, message);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  const { length } = missing();
  if (length) await context.warn(`zulipctl: ${counted(length, "message")} not found, or not visible: skipped`);
  return [...found.values()].sort((one, other) => one.id - other.id);
}

/** What the flags name, the oldest first. */
export async function meant(context: Context, options: Options): Promise<Message[]> {
  const { ids, since, until, limit } = options;
  if (ids) return byIds(context, [...new Set(ids)]);
  const asked = narrowOf(options);
  const narrow = asked && (await termsFor(context, getMessages, asked));
  if (!narrow?.some(opensHistory))
    await context.note(
      "zulipctl: this searches the messages that the account received. Add channels:public to search all public channels.",
    );
  return allOf(context, { narrow, since, until, limit, flag: asked?.flag });
}
