/** What came into a thing since runs made it: people, messages, channels and values that are not by these runs. */
import { addDomain, removeDomain } from "../api/domains.ts";
import type { Message } from "../api/messages.ts";
import { counted } from "../common/counted.ts";
import { membersOf, numbersIn } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { everyList, listKey, type StatedList } from "../model/kinds/lists.ts";
import { type Item, left } from "./item.ts";
import { membershipsOf } from "./kind-steps.ts";
import type { State } from "./state.ts";
import type { Thing } from "./thing.ts";

/** The largest number of messages that are read. */
export const mostMessages = 1000;

/** Returns the people or groups that the runs put into a list of a thing. */
function ownMembers(entries: readonly LogEntry[], made: LogEntry, list: StatedList, id: number): Set<number> {
  const begun = [list.plural, list.add.members].flatMap((name) => numbersIn(made.to?.[name]));
  const key = listKey(list, id);
  const added = entries
    .flatMap((entry) => membershipsOf(entry) ?? [])
    .flatMap((membership) => (membership.list === key ? membership.added : []));
  return new Set([...begun, ...added]);
}

const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Returns what was written since in words. Notices of the server do not count. */
async function messagesSince(state: State, operator: string, id: number): Promise<string[]> {
  const found = await state.messagesWith([{ operator, operand: id }], mostMessages);
  if (!found) return ["its messages cannot be read"];
  const own = new Set(state.logged.entries.flatMap(({ operation, ids }) => (operation === "messages.send" ? ids : [])));
  const since = found.filter((message) => !own.has(message.id) && !isNotice(message));
  const last = since.at(-1);
  if (!last) return [];
  const more = found.length >= mostMessages ? "more than " : "";
  const count = counted(since.length, "message");
  return [
    `${more}${count} ${since.length === 1 ? "was" : "were"} written since (the last on ${dayOf(last.timestamp)})`,
  ];
}

/** Returns whether the server wrote a message, about a change. */
export const isNotice = ({ sender_email }: Message): boolean => String(sender_email).startsWith("notification-bot@");

/** Returns who came into the lists of a thing since, in words. */
async function membersSince(state: State, kind: string | undefined, made: LogEntry, id: number): Promise<string[]> {
  const all: string[] = [];
  for (const list of everyList) {
    if (list.kind !== kind) continue;
    const { name, of, one, plural, came: [singular, many, did] = [one, plural, "added"] } = list;
    const members = await state.members(name, id);
    const own = ownMembers(state.logged.entries, made, list, id);
    const me = await state.ownId();
    const { length } = [...(members ?? [])].filter((each) => !own.has(each) && (of === "group" || each !== me));
    if (!members) all.push(`its ${many} cannot be read`);
    else if (length) all.push(`${counted(length, singular, many)} ${length === 1 ? "was" : "were"} ${did} since`);
  }
  return all;
}

/** Returns the channels that others have put into a folder. */
async function channelsSince(state: State, id: number) {
  const own = new Set(
    state.logged.entries.flatMap(({ operation, at, ids, to }) =>
      operation === "channel.create" || to?.folder_id !== undefined
        ? [...(ids ?? []), ...numbersIn(at?.stream_id)]
        : [],
    ),
  );
  return [...(await state.channels()).values()].filter(
    ({ folder_id, stream_id }) => folder_id === id && !own.has(stream_id),
  );
}

/** Returns what names a channel since, in words. */
async function channelUsesSince(state: State, made: LogEntry, id: number): Promise<string[]> {
  const { entries } = state.logged;
  const uses = await state.channelUses(id);
  const isOwn = (name: string, value: unknown) =>
    entries.some(({ at, to }) => to?.[name] === value && (at?.stream_id === undefined || at.stream_id === id));
  const settings = uses?.settings.filter((name) => !isOwn(name, id)) ?? [];
  const isDefault = uses?.isDefault && made.to?.is_default_stream !== true && !isOwn("is_default_stream", true);
  return [
    ...settings.map((name) => `${name} was set to it since`),
    ...(isDefault ? ["it became a channel of new people since"] : []),
  ];
}

/** Without any domain the server no longer restricts addresses. Returns that in words, unless the runs began to restrict them. */
async function restrictionSince(state: State): Promise<string[]> {
  const { entries } = state.logged;
  const name = "emails_restricted_to_domains";
  const { [name]: isRestricted } = await state.present.organization();
  const isOwn = entries.some(({ to }) => to?.[name] === true);
  if (isRestricted !== true || isOwn) return [];
  const added = new Set(entries.flatMap(({ operation, to }) => (operation === addDomain.name ? [to?.domain] : [])));
  const isLeft = (await state.present.records("domain")).some(({ domain }) => !added.has(domain));
  const isBack = entries.some(({ operation }) => operation === removeDomain.name);
  return isLeft || isBack ? [] : [`${name} is on, and the server switches it off without any domain`];
}

/** Returns what came into a thing since, in words. Empty if nothing did. */
async function contentSince(state: State, { kind }: Thing, made: LogEntry, id: number): Promise<string[]> {
  const { entries } = state.logged;
  const lists = await membersSince(state, kind, made, id);
  switch (kind) {
    case "channel":
      return [...lists, ...(await messagesSince(state, "channel", id)), ...(await channelUsesSince(state, made, id))];
    case "person":
    case "bot":
      return messagesSince(state, "sender", id);
    case "folder": {
      const { length } = await channelsSince(state, id);
      return length ? [`${counted(length, "channel")} ${length === 1 ? "was" : "were"} put into it since`] : [];
    }
    case "profile field": {
      const own = new Set(
        entries.flatMap(({ at, to }) =>
          [to?.profile_data].flat().some((one) => membersOf(one).id === id) ? numbersIn(at?.user_id) : [],
        ),
      );
      const { length } = (await state.peopleWithValue(id)).filter((user) => !own.has(user));
      return length ? [`${counted(length, "person", "people")} ${length === 1 ? "has" : "have"} a value since`] : [];
    }
    case "domain":
      return restrictionSince(state);
    default:
      return lists;
  }
}

/** What others use by now is left alone, or taken away with what came into it since. */
export async function unlessUsed(state: State, entry: LogEntry, item: Item, id: unknown): Promise<Item> {
  const since = await contentSince(state, item, entry, Number(id));
  if (!since.length) return item;
  const says = since.join(", ");
  // Archived channels are taken out of it.
  if (item.kind === "folder" && (await channelsSince(state, Number(id))).some((each) => !each.is_archived))
    return left(item, entry, "conflict", `${says}: servers archive a folder only without channels`);
  if (!state.logged.includeLater)
    return left(item, entry, "conflict", `${says}; to take it away all the same, add: --include-later`);
  return { ...item, effects: [...(item.effects ?? []), { kind: "removed", text: says }] };
}
