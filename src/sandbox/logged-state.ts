/** What the log of administrative changes compares: a copy of the parts of the organization that are in the log. */
import { isDeepStrictEqual } from "node:util";
import { kindNamed, kindNames, kinds } from "../model/kinds/index.ts";
import type {
  Organization,
  SandboxState,
  StoredChannel,
  StoredExport,
  StoredFolder,
  StoredGroup,
  StoredUser,
} from "./state.ts";
import { type CollectionKind, isCollection } from "./stored-collections.ts";

export type Items = readonly { id: number }[];

export interface LoggedState extends Pick<Organization, "settings" | "permissions" | "defaults"> {
  users: ReadonlyMap<number, StoredUser>;
  channels: ReadonlyMap<number, StoredChannel>;
  groups: ReadonlyMap<number, StoredGroup>;
  folders: ReadonlyMap<number, StoredFolder>;
  lists: ReadonlyMap<CollectionKind, Items>;
  exports: ReadonlyMap<number, StoredExport>;
}

/** The collections whose things are in rows of the log. */
export const loggedLists = kindNames.filter(isCollection).flatMap((kind) => {
  const { log, lists = {} } = kindNamed(kind);
  return log && "added" in log ? [{ kind, section: kinds[kind].section, members: Object.values(lists), ...log }] : [];
});

/** Returns a copy, or the earlier one if nothing has changed since: comparing is faster than copying. */
const copyOf = <T extends object>(value: T, earlier: T | undefined, copy: (value: T) => T): T =>
  earlier && isDeepStrictEqual(value, earlier) ? earlier : copy(value);

function copies<V extends object>(
  all: ReadonlyMap<number, V>,
  earlier: ReadonlyMap<number, V> | undefined,
  copy: (value: V) => V,
): Map<number, V> {
  const copied = new Map<number, V>();
  for (const [id, value] of all) copied.set(id, copyOf(value, earlier?.get(id), copy));
  return copied;
}

const shallow = <V extends object>(value: V): V => ({ ...value });

/** Copies the parts of the organization in the log. What has not changed since `earlier` is the same object as there. */
export const loggedStateOf = (state: SandboxState, earlier?: LoggedState): LoggedState => ({
  users: copies(state.users, earlier?.users, shallow),
  channels: copies(state.channels, earlier?.channels, (channel) => ({
    ...channel,
    // Requests change people and groups of a permission in place.
    settings: structuredClone(channel.settings),
    subscribers: new Set(channel.subscribers),
    unsubscribed: new Set(channel.unsubscribed),
  })),
  groups: copies(state.groups, earlier?.groups, (group) => ({
    ...group,
    settings: { ...group.settings },
    members: new Set(group.members),
    subgroups: new Set(group.subgroups),
  })),
  folders: copies(state.folders, earlier?.folders, shallow),
  settings: copyOf(state.organization.settings, earlier?.settings, shallow),
  permissions: copyOf(state.organization.permissions, earlier?.permissions, shallow),
  defaults: copyOf(state.organization.defaults, earlier?.defaults, shallow),
  lists: new Map(
    loggedLists.map(({ kind, section }) => [
      kind,
      copyOf<Items>(state[section], earlier?.lists.get(kind), structuredClone),
    ]),
  ),
  exports: copies(state.exports, earlier?.exports, shallow),
});
