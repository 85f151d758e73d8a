/** Reads of all things of a kind, by name. The operations of a kind load with its first name: every command loads this. */
import { getOwnUser, getUsers, userAddress } from "../api/users.ts";
import type { Server } from "../client/server.ts";
import { namesOf } from "../common/object-members.ts";
import {
  byAddress,
  byPlaceholder,
  channelResource,
  folderResource,
  groupResource,
  NamedRecords,
  profileFieldResource,
  userResource,
} from "./named-records.ts";

export type NameKind = "channel" | "folder" | "group" | "user";

/** Makes look-ups. */
export type LookUpServer = Pick<Server, "call" | "host" | "level" | "lookUp">;

export type LookUp<T> = (server: LookUpServer) => Promise<T>;

export const allChannels = async (server: LookUpServer) => {
  const { allChannelsArgs, getChannels } = await import("../api/channels.ts");
  return new NamedRecords(channelResource, (await server.lookUp(getChannels, allChannelsArgs)).streams);
};
export const allFolders = async (server: LookUpServer) => {
  const { getFolders } = await import("../api/folders.ts");
  return new NamedRecords(
    folderResource,
    (await server.lookUp(getFolders, { include_archived: true })).channel_folders,
  );
};
export const allGroups = async (server: LookUpServer) => {
  const { allGroupsArgs, getGroups } = await import("../api/groups.ts");
  return new NamedRecords(groupResource, (await server.lookUp(getGroups, allGroupsArgs)).user_groups);
};
export const allUsers = async (server: LookUpServer) => {
  const { members } = await server.lookUp(getUsers, {});
  const byName = new NamedRecords(userResource, members);
  const byEither = new NamedRecords(byAddress, members);
  return {
    members,
    person: (id: number) => byName.withId(id),
    has: (name: string) => byName.has(name),
    nameOf: (id: number) => byName.nameOf(id),
    idOfDigits: (...digits: Parameters<typeof byName.idOfDigits>) => byName.idOfDigits(...digits),
    suggestion: (typed: string) => byName.suggestion(typed) ?? byEither.suggestion(typed),
    byName,
    byDelivery: new NamedRecords(
      byAddress,
      members.filter(({ delivery_email }) => delivery_email),
    ),
    byEmail: new NamedRecords(byPlaceholder, members),
    byEither,
    hidden: members.filter((user) => userAddress(user) === undefined).length,
  };
};
export const allFields = async (server: LookUpServer) => {
  const { getProfileFields } = await import("../api/profile-fields.ts");
  return new NamedRecords(profileFieldResource, (await server.lookUp(getProfileFields, {})).custom_fields);
};
export const ownUser = (server: LookUpServer) => server.lookUp(getOwnUser, {});

/** What look-ups of all kinds have. */
export type HasNames = Pick<NamedRecords<never>, "has" | "nameOf" | "idOfDigits">;

/** Finds names of ids. */
export interface IdNames {
  /** Returns the name of an id. Undefined if the run has not read it. */
  nameOf(kind: NameKind, id: number): Promise<string | undefined>;
}

export const allOfKind: Record<NameKind, LookUp<HasNames>> = {
  channel: allChannels,
  folder: allFolders,
  group: allGroups,
  user: allUsers,
};

/** Returns the kinds whose names the values of a parameter contain. */
export const kindsNamed = (of: string | undefined): readonly NameKind[] =>
  of === "who" ? ["user", "group"] : namesOf(allOfKind).filter((kind) => kind === of);
