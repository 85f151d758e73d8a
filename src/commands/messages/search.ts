/** Reads matching messages in pages, the newest first. */
import { getMessages, type Message, type NarrowTerm } from "../../api/messages.ts";
import type { Context } from "../../run/context.ts";
import type { ArgsOf } from "../../wire/operation.ts";

/** The largest page of a server. */
const most = 5000;
/** The page size if a time ends the search. */
const timed = 1000;

export interface Query {
  narrow?: NarrowTerm[] | undefined;
  /** Ids before and after the wanted messages. */
  after?: number | undefined;
  before?: number | undefined;
  /** Unix seconds, inclusive. */
  since?: number | undefined;
  until?: number | undefined;
  limit?: number | undefined;
  /** The flag with the filter. */
  flag?: string | undefined;
  /** The empty topic has the empty name. */
  emptyTopic?: true;
}

const pageOf = ({ since }: Query, left: number): number => Math.min(left, since === undefined ? most : timed);

export function firstPage(query: Query): ArgsOf<typeof getMessages> {
  const { narrow, before, limit = most, emptyTopic } = query;
  return {
    anchor: before === undefined ? "newest" : String(before - 1),
    num_before: pageOf(query, limit),
    num_after: 0,
    narrow,
    apply_markdown: false,
    ...(emptyTopic && { allow_empty_topic_name: true }),
  };
}

export async function* search({ server, command }: Context, query: Query): AsyncGenerator<Message> {
  const { after = 0, before, since, until, limit = Number.POSITIVE_INFINITY, flag } = query;
  const to = await server();
  let left = limit;
  for (let args = firstPage(query); ; ) {
    const { messages, found_oldest } = await to.call(getMessages, args, {
      command,
      ...(flag && { flags: { narrow: flag } }),
    });
    for (const message of messages.toReversed()) {
      const { id, timestamp } = message;
      // The page can also contain the anchor.
      if (id <= after || (since !== undefined && timestamp < since)) return;
      if ((before !== undefined && id >= before) || (until !== undefined && timestamp >= until)) continue;
      yield message;
      if (--left === 0) return;
    }
    const oldest = messages[0]?.id;
    if (oldest === undefined || found_oldest || messages.length < Number(args.num_before)) return;
    args = { ...args, anchor: String(oldest - 1), num_before: pageOf(query, left) };
  }
}
