/** Finds messages: by a search or by ids. */

import { getMessage, getMessages, type Message, type NarrowTerm } from "../../api/messages.ts";
import { hasUserAddress, userAddress } from "../../api/users.ts";
import { counted } from "../../common/counted.ts";
import { isBlank } from "../../common/folding.ts";
import { Refused, Unreachable, Usage } from "../../errors.ts";
import { missingTermValue, type Narrow, operators, readNarrow } from "../../notation/narrow.ts";
import { readNarrowJson } from "../../notation/narrow-json.ts";
import { programLine } from "../../output/line.ts";
import { splitByLength } from "../../resolve/split-reads.ts";
import type { Context } from "../../run/context.ts";
import type { AnyOperation, ArgsOf } from "../../wire/operation.ts";

/** A filter, and the flag with it. */
interface Filter {
  narrow: Narrow;
  flag: string;
}

interface FilterFlags {
  narrow?: string | undefined;
  narrowJson?: string | undefined;
}

/** Returns the filter. Undefined without a flag. Throws `Usage` if it is invalid. */
export function filterOf({ narrow, narrowJson }: FilterFlags): Filter | undefined {
  if (narrow !== undefined) return { narrow: readNarrow(narrow), flag: "--narrow" };
  if (narrowJson !== undefined) return { narrow: readNarrowJson(narrowJson), flag: "--narrow-json" };
  return undefined;
}

/** Throws `Usage` for a filter that matches everything, or may lack the value of a variable. */
export function checkSelects(flag: string, typed: string): void {
  const read: (typed: string) => Pick<Narrow, "isEmpty" | "selects" | "spaced"> =
    flag === "--narrow" ? readNarrow : readNarrowJson;
  const { isEmpty, selects, spaced } = isBlank(typed) ? { isEmpty: true, selects: false } : read(typed);
  if (spaced) throw missingTermValue(spaced, "Write the value without a blank before it.");
  if (selects) return;
  const problem = isEmpty ? "is empty" : "selects nothing in particular";
  throw new Usage(`${flag} ${problem}: it would match every message of this account`, {
    hint: `To select all of them, pass --all instead of ${flag}.`,
  });
}

const hasAddress = ({ operator, operand }: NarrowTerm): boolean =>
  typeof operand === "string" &&
  operand.includes("@") &&
  /^(person|people|address)$/.test(operators[operator]?.operand ?? "");

/** Servers find people by the visible address: `user12@…` if the real one is hidden. */
async function withVisibleAddresses(names: Context["names"], terms: NarrowTerm[]): Promise<NarrowTerm[]> {
  if (!terms.some(hasAddress)) return terms;
  const visible = new Map((await names.accounts()).map((user) => [userAddress(user)?.toLowerCase(), user.email]));
  const visibleOf = (address: string) => visible.get(address.trim().toLowerCase()) ?? address;
  return terms.map((term) =>
    hasAddress(term) ? { ...term, operand: String(term.operand).split(",").map(visibleOf).join(",") } : term,
  );
}

/** Returns the channels that digits mean. Throws `Usage` if they are the name of one and the id of another. */
async function channelsOf(names: Context["names"], { digits, signed }: Narrow): Promise<ReadonlyMap<number, number>> {
  // The same for a name and the same name with "#".
  for (const { text, place } of signed) await names.channel({ text, origin: "data" }, place);
  const channels = new Map<number, number>();
  for (const { id, place } of digits)
    channels.set(id, await names.channel({ text: String(id), origin: "data" }, place));
  return channels;
}

/**
 * Below this level servers look for mentions in what the account itself received. The mentions of somebody else find
 * nothing there, and negated everything.
 */
const findsMentions = 500;

/** Warns about a filter that the server does not apply, or throws `Usage` if what it finds would be changed. */
async function checkMentions({ server, names, warn }: Context, { narrow, flag }: Filter, changes: boolean) {
  if (!narrow.mentions.length) return;
  const { host, featureLevel } = await server();
  const level = await featureLevel.refresh();
  // Still older servers refuse the operator.
  if (level >= findsMentions || level < (operators.mentions?.since ?? 0)) return;
  const own = await names.user("me", flag);
  const ids = await Promise.all(narrow.mentions.map((one) => (typeof one === "number" ? one : idOf(names, one))));
  if (ids.every((id) => id === own)) return;
  const problem = `${flag}: mentions: of somebody else finds nothing below feature level ${findsMentions}, and negated everything; ${host} has level ${level}`;
  if (changes) throw new Usage(problem, { hint: "mentions:me works: log in as the person who is mentioned." });
  await warn(programLine(`warning: ${problem}`));
}

async function idOf(names: Context["names"], address: unknown): Promise<number | undefined> {
  return (await names.accounts()).find((user) => hasUserAddress(user, String(address).trim()))?.user_id;
}

/**
 * Returns the filter as it is sent. Throws if the server does not support it. `changes`: what it finds is changed, so
 * digits must not be the name of another channel.
 */
export async function termsFor(
  context: Context,
  operation: AnyOperation,
  filter: Filter,
  { changes = false } = {},
): Promise<NarrowTerm[]> {
  const { server, names } = context;
  const { narrow, flag } = filter;
  const { site } = narrow;
  const own = site && new URL((await server()).site);
  if (site && site.host !== own?.host)
    throw new Usage(`${flag} is a link of ${site.host}, and this organization is ${own?.host}`);
  if (narrow.needs.length)
    await (await server()).featureLevel.require(operation, (level) =>
      narrow.needs
        .filter((need) => level < need.level)
        .map(({ feature, level: needs }) => ({ flag: `${flag}: ${feature}`, needs })),
    );
  await checkMentions(context, filter, changes);
  const channels = changes ? await channelsOf(names, narrow) : undefined;
  return withVisibleAddresses(names, narrow.terms(narrow.me ? await names.user("me", flag) : undefined, channels));
}

/** The largest page of a server. */
const largestPage = 5000;
/** The page size if a time ends the search. */
const timedPage = 1000;

interface Query {
  narrow?: NarrowTerm[] | undefined;
  /** Ids before and after the messages. */
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

const pageOf = ({ since }: Query, left: number): number =>
  Math.min(left, since === undefined ? largestPage : timedPage);

export function firstPage(query: Query): ArgsOf<typeof getMessages> {
  const { narrow, before, limit = largestPage, emptyTopic } = query;
  return {
    anchor: before === undefined ? "newest" : String(before - 1),
    num_before: pageOf(query, limit),
    num_after: 0,
    narrow,
    apply_markdown: false,
    ...(emptyTopic && { allow_empty_topic_name: true }),
  };
}

/** Reads matching messages in pages, the newest first. */
export async function* searchMessages({ server, command }: Context, query: Query): AsyncGenerator<Message> {
  const { after = 0, before, since, until, limit = Number.POSITIVE_INFINITY, flag } = query;
  const to = await server();
  let left = limit;
  for (let args = firstPage(query); ; ) {
    const { messages, found_oldest } = await to.call(getMessages, args, {
      command,
      ...(flag && { flags: { narrow: flag } }),
    });
    // A server that repeats a page would be asked without end.
    if (messages.some(({ id }) => id > Number(args.anchor)))
      throw new Unreachable(`${to.host} sends the same messages again and again`);
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

/** All messages that match, the oldest first. */
export async function searchAll(context: Context, query: Query): Promise<Message[]> {
  const results: Message[] = [];
  const progress = () => programLine(`searching, ${counted(results.length, "message")} so far`);
  const wait = context.waits.begin({ what: "searching", progress });
  try {
    for await (const message of searchMessages(context, { ...query, emptyTopic: true })) results.push(message);
  } finally {
    wait.end();
  }
  return results.reverse();
}

/** Messages are looked up by id in the account's own history, then in public channels. */
const histories: readonly NarrowTerm[][] = [[], [{ operator: "channels", operand: "public" }]];

/** Messages by their ids, the oldest first. A notice counts the missing ones. */
async function byIds(context: Context, ids: readonly number[]): Promise<Message[]> {
  const { server, command } = context;
  const to = await server();
  const results = new Map<number, Message>();
  const missing = () => ids.filter((id) => !results.has(id));
  const rest = { apply_markdown: false, allow_empty_topic_name: true };
  for (const narrow of histories)
    if (missing().length) {
      const list = { name: "message_ids", ids: missing(), flag: "--ids" };
      for (const args of splitByLength(to.site, getMessages, list, { narrow, ...rest }))
        for (const message of (await to.call(getMessages, args, { command })).messages)
          results.set(message.id, message);
    }
  // Private channels with shared history need a read for each message.
  for (const message_id of missing())
    try {
      const { message } = await to.call(getMessage, { message_id, ...rest }, { command });
      results.set(message_id, message);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  const { length } = missing();
  if (length) await context.warn(programLine(`${counted(length, "message")} not found, or not visible: skipped`));
  return [...results.values()].sort((one, other) => one.id - other.id);
}

/** Returns whether a term searches more than the messages that the account received. */
const searchesHistory = ({ operator, negated }: NarrowTerm): boolean =>
  !negated && /^(channel|stream|channels|streams|id)$/.test(operator);

/** Finds the messages that the flags select, the oldest first. */
export async function selectMessages(
  context: Context,
  options: FilterFlags & Pick<Query, "since" | "until" | "limit"> & { ids?: number[] | undefined },
): Promise<Message[]> {
  const { ids, since, until, limit } = options;
  if (ids) return byIds(context, [...new Set(ids)]);
  const filter = filterOf(options);
  const narrow = filter && (await termsFor(context, getMessages, filter, { changes: true }));
  if (!narrow?.some(searchesHistory))
    await context.note(
      programLine(
        "this searches the messages that the account received. Add channels:public to search all public channels.",
      ),
    );
  return searchAll(context, { narrow, since, until, limit, flag: filter?.flag });
}
