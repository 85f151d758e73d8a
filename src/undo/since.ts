/** What came into a thing since runs made it: people, messages, channels and values that are not by these runs. */
import { operationNamed } from "../api/registry.ts";
import { counted } from "../common/counted.ts";
import { membersOf, numbersIn } from "../common/members.ts";
import type { LogEntry } from "../log/change-log.ts";
import type { Thing } from "./item.ts";
import type { State } from "./state.ts";

/** The largest number of messages that are read. */
export const mostMessages = 1000;

/** Parameters of creations with the people or groups that a thing begins with. */
const beginnings: Readonly<Record<string, readonly string[]>> = {
  user: ["subscribers", "principals", "members"],
  group: ["subgroups"],
};

/** Returns the people or groups that the runs put into a thing. */
function ownMembers(entries: readonly LogEntry[], thing: string, made: LogEntry, of: "user" | "group"): Set<number> {
  const begun = (beginnings[of] ?? []).flatMap((name) => numbersIn(made.to?.[name]));
  const added = entries
    .filter((entry) => entry.thing === thing && entry.to)
    .flatMap(({ operation, at, to }) => operationNamed(operation)?.memberships?.({ ...at, ...to }) ?? [])
    .flatMap(({ kind, added }) => (kind === of ? added : []));
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

const isNotice = (message: object): boolean =>
  ["notification-bot@", "welcome-bot@"].some((name) => String(membersOf(message).sender_email).startsWith(name));

async function membersSince(
  state: State,
  made: LogEntry,
  { thing, of, at }: { thing: string; of: "user" | "group"; at: Readonly<Record<string, number>> },
  [one, many, did]: readonly [string, string, string],
): Promise<string[]> {
  const members = await state.members(of, at);
  if (!members) return [`its ${many} cannot be read`];
  const own = ownMembers(state.logged.entries, thing, made, of);
  const me = await state.ownId();
  const { length } = [...members].filter((id) => !own.has(id) && (of === "group" || id !== me));
  return length ? [`${counted(length, one, many)} ${length === 1 ? "was" : "were"} ${did} since`] : [];
}

/** Returns what came into a thing since, in words. Empty if nothing did. */
export async function contentSince(state: State, { kind }: Thing, made: LogEntry, id: number): Promise<string[]> {
  const { entries } = state.logged;
  switch (kind) {
    case "channel": {
      const about = { thing: `channel ${id}`, of: "user" as const, at: { stream_id: id } };
      return [
        ...(await membersSince(state, made, about, ["person", "people", "subscribed"])),
        ...(await messagesSince(state, "channel", id)),
      ];
    }
    case "group": {
      const about = { thing: `group ${id}`, at: { user_group_id: id } };
      return [
        ...(await membersSince(state, made, { ...about, of: "user" }, ["member", "members", "added"])),
        ...(await membersSince(state, made, { ...about, of: "group" }, ["subgroup", "subgroups", "added"])),
      ];
    }
    case "person":
    case "bot":
      return messagesSince(state, "sender", id);
    case "folder": {
      const own = new Set(
        entries.flatMap(({ operation, at, ids, to }) =>
          operation === "channel.create" || to?.folder_id !== undefined
            ? [...(ids ?? []), ...numbersIn(at?.stream_id)]
            : [],
        ),
      );
      const channels = [...(await state.channels()).values()].filter(
        ({ folder_id, stream_id, is_archived }) => folder_id === id && !is_archived && !own.has(stream_id),
      );
      const { length } = channels;
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
    default:
      return [];
  }
}
