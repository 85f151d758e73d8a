/** Kinds of parameters that name channels, folders, groups and people. They are looked up. */

import { readLists } from "../argv/read-text.ts";
import type { TextInput } from "../argv/text-input.ts";
import { Usage } from "../errors.ts";
import type { GroupSetting } from "../model/permission.ts";
import { trimmed } from "../notation/blanks.ts";
import { noUser } from "../notation/references.ts";
import { namesGroup } from "../resolve/group-people.ts";
import { findListed } from "../resolve/listed.ts";
import type { NamedThing } from "../run/named-thing.ts";
import type { CommandParameter, ReadContext } from "./parameter.ts";

type ThingKind = "channel" | "folder" | "group" | "user";

/** The operations that look up names of each kind. */
export const lookUpsOf: Readonly<Record<ThingKind, readonly string[]>> = {
  channel: ["channel.list"],
  folder: ["folder.list"],
  group: ["group.list"],
  user: ["users.list", "users.get", "users.me"],
};

/** People, and the people of groups. */
const peopleLookUps = [...lookUpsOf.user, ...lookUpsOf.group];

const one = (kind: ThingKind, doc: string): CommandParameter<NamedThing, TextInput> => ({
  metavar: kind,
  doc,
  keepsOrigin: true,
  lookUps: lookUpsOf[kind],
  offers: { of: kind },
  find: async (typed: TextInput, { context, flag }) => ({
    typed: trimmed(typed.text),
    id: await context.names[kind](typed, flag),
  }),
});

export const channelParameter = (doc = "name or id") => one("channel", doc);
export const folderParameter = (doc = "name or id") => one("folder", doc);
export const groupParameter = (doc = "name or id") => one("group", doc);
export const userParameter = (doc = "id, e-mail, name:… or me") => one("user", doc);

/** `--folder <folder>`, and `--no-folder` for none. */
export const orNone = <T, R>(
  parameter: CommandParameter<T, R>,
  negated: string,
): CommandParameter<T | false, R | false> => ({ ...parameter, negated });

/** What completion offers in a list. Lists of people may have groups. */
const offered = (kind: ThingKind) => (kind === "user" ? "people" : kind);

/** `@devs` names a group, so groups cannot come from a file. */
export const listSources = (kind: ThingKind): string =>
  kind === "group" ? "- reads one a line from stdin" : "@file or - reads one a line";

/**
 * `<channel>...`: things that are changed one by one, without duplicates. An empty file or stdin means that there is
 * nothing to do. `restores`: looks for archived things. `bots`: restores no people, which the same request would do.
 */
export const things = (
  kind: ThingKind,
  { doc = `names or ids; ${listSources(kind)}`, restores, bots }: { doc?: string; restores?: true; bots?: true } = {},
): CommandParameter<NamedThing[], TextInput[]> => ({
  metavar: bots ? "bot" : kind,
  doc,
  many: true,
  file: true,
  lookUps: kind === "user" ? peopleLookUps : lookUpsOf[kind],
  offers: { of: restores ? kind : offered(kind), ...(kind !== "group" && { at: true }) },
  read: (raw: TextInput[], { context, flag }) =>
    readLists(context.world, flag, raw, { atIsName: kind === "group", people: kind === "user" }),
  find: async (lists: TextInput[][], { context, flag }) => {
    const found = new Map<number, NamedThing>();
    for (const parts of lists)
      for (const thing of await findListed(context.names, kind, parts, flag, restores))
        if (!found.has(thing.id)) found.set(thing.id, thing);
    const people =
      bots && restores && found.size ? (await context.names.accounts()).filter(({ is_bot }) => !is_bot) : [];
    for (const { user_id } of people)
      if (found.has(user_id)) throw new Usage(`${flag}: ${found.get(user_id)?.typed} is a person, not a bot`);
    return [...found.values()];
  },
});

const thingIds = (kind: ThingKind, doc: string): CommandParameter<number[], TextInput[]> => ({
  metavar: `${kind},...`,
  doc,
  many: true,
  file: true,
  lookUps: kind === "user" ? peopleLookUps : lookUpsOf[kind],
  offers: { of: offered(kind), list: true, at: true },
  read: (raw: TextInput[], { context, flag }) => readLists(context.world, flag, raw, { people: kind === "user" }),
  // Removes duplicates, which change nothing.
  find: async (lists: TextInput[][], { context: { names }, flag }) => {
    const found = new Set<number>();
    for (const parts of lists) for (const { id } of await findListed(names, kind, parts, flag)) found.add(id);
    return [...found];
  },
});

/** The people of a direct conversation. A group would be a conversation with everybody in it at once. */
export const recipients = (doc: string): CommandParameter<number[], TextInput[]> => ({
  ...usersParameter(doc),
  offers: { of: "user", list: true, at: true },
  read: async (raw: TextInput[], { context, flag }) => {
    const lists = await readLists(context.world, flag, raw);
    if (!lists.flat().length) throw new Usage(`${flag} names nobody`);
    const group = lists.flat().find(namesGroup);
    if (group) throw noUser(trimmed(group.text), flag);
    return lists;
  },
});

/** A list of people, groups or channels: comma lists, `@file` and `-`, repeatable. */
export const usersParameter = (doc: string) => thingIds("user", doc);
export const groupsParameter = (doc: string) => thingIds("group", doc);
export const channelsParameter = (doc: string) => thingIds("channel", doc);

/** People, and `group:<name>`: lists as typed. The command looks them up. */
export const peopleAndGroups = (doc: string): CommandParameter<TextInput[][], TextInput[]> => ({
  metavar: "user,...",
  doc,
  many: true,
  file: true,
  lookUps: peopleLookUps,
  offers: { of: "people", list: true, at: true },
  read: (raw: TextInput[], { context, flag }) => readLists(context.world, flag, raw, { people: true }),
});

/** Returns a cell with commas between `user:…` and `group:…`, whatever divides it. */
function inOneLine(cell: TextInput): TextInput {
  const parts = cell.hasData ? cell.parts().map(({ text }) => trimmed(text)) : [];
  return parts.length > 1 && parts.every((part) => /^(user|group):/.test(part)) ? cell.part(0, parts.join(",")) : cell;
}

/** The value of a group setting. */
export const whoParameter = (doc: string): CommandParameter<GroupSetting, TextInput> => ({
  metavar: "who",
  doc,
  keepsOrigin: true,
  lookUps: peopleLookUps,
  offers: { of: "who" },
  find: (typed: TextInput, { context, flag }: ReadContext) => context.names.who(inOneLine(typed), flag),
});
