/** Turns typed text into ids. Ids need no request. Names need one look-up of each kind in a run. */
import { allChannelsArgs, getChannels } from "../api/channels.ts";
import { getFolders } from "../api/folders.ts";
import type { GroupSetting } from "../api/group-setting.ts";
import { allGroupsArgs, type Group, getGroups } from "../api/groups.ts";
import { getUser } from "../api/people.ts";
import { getProfileFields, type ProfileField } from "../api/profile-fields.ts";
import { addressOf, getOwnUser, getUsers, type User } from "../api/users.ts";
import type { Server } from "../client/server.ts";
import { counted } from "../counted.ts";
import { namingFlag, TooOld, Usage } from "../errors.ts";
import {
  type Reference,
  readGroupSetting,
  readReference,
  readUser,
  systemGroup,
  type UserReference,
} from "../notation/references.ts";
import {
  byAddress,
  byPlaceholder,
  channels,
  fields,
  folders,
  groups,
  NamedRecords,
  people,
  type Search,
} from "./names.ts";

/** The public methods of a resolver. */
export type NameResolver = Pick<Resolver, keyof Resolver>;

export type NameKind = "channel" | "folder" | "group" | "user";

/** Makes look-ups. */
export type LookUpServer = Pick<Server, "call" | "host" | "level" | "lookUp">;

type LookUp<T> = (server: LookUpServer) => Promise<T>;

/** The ids of names when the run began: they may change later. */
export interface KnownNames {
  known(kind: string, name: string): number | undefined;
  remember(kind: string, name: string, id: number): void;
}

/** Every `flag` is the place of the text, for messages: `--folder`, `<channel>`. All methods throw `Usage`. */
export class Resolver {
  readonly #server: () => Promise<LookUpServer>;
  readonly #knownNames: KnownNames | undefined;
  readonly #note: Search["note"];
  readonly #lookUps = new Map<LookUp<unknown>, Promise<unknown>>();

  constructor(
    server: () => Promise<LookUpServer>,
    { meanings: knownNames, note }: { meanings?: KnownNames; note?: Search["note"] } = {},
  ) {
    this.#server = server;
    this.#knownNames = knownNames;
    this.#note = note;
  }

  /** A failed look-up is kept too: every row of a run fails with the same words. */
  #once<T>(lookUp: LookUp<T>): Promise<T> {
    const made = this.#lookUps.get(lookUp) ?? this.#server().then(lookUp);
    this.#lookUps.set(lookUp, made);
    return made as Promise<T>;
  }

  async channel(text: string, flag: string, restores?: boolean): Promise<number> {
    return namingFlag(flag, () => this.#named("channel", allChannels, readReference(text, flag, "#"), flag, restores));
  }

  async folder(text: string, flag: string, restores?: boolean): Promise<number> {
    return namingFlag(flag, () => this.#named("folder", allFolders, readReference(text, flag), flag, restores));
  }

  async group(text: string, flag: string, restores?: boolean): Promise<number> {
    return namingFlag(flag, () => this.#group(readReference(text, flag, "@"), flag, restores));
  }

  async user(text: string, flag: string, restores?: boolean): Promise<number> {
    return namingFlag(flag, () => this.#user(readUser(text, flag), flag, restores));
  }

  /** Returns the value of a group setting, as servers expect it. */
  async who(text: string, flag: string): Promise<GroupSetting> {
    return namingFlag(flag, () => this.#who(text, flag));
  }

  async #who(text: string, flag: string): Promise<GroupSetting> {
    const who = readGroupSetting(text, flag);
    if ("value" in who) return who.value;
    if ("group" in who) {
      const { group } = who;
      return this.#group(group, flag).catch((error: unknown) => {
        // Groups come first: a group's name can look like an address.
        const account = "name" in group && /^[^\s@]+@[^\s@]+$/.test(group.name);
        if (account && error instanceof Usage) error.details.hint = `A person is written user:${group.name}`;
        throw error;
      });
    }
    const direct_members = [];
    for (const user of who.users) direct_members.push(await this.#user(user, flag));
    const direct_subgroups = [];
    for (const group of who.groups) direct_subgroups.push(await this.#group(group, flag));
    return { direct_members, direct_subgroups };
  }

  /** Returns a custom profile field. Throws `Usage` for an unknown id too. */
  async profileField(text: string, flag: string): Promise<ProfileField> {
    const reference = readReference(text, flag);
    const { named, all } = await this.#known(allFields, flag);
    const id = "id" in reference ? reference.id : await named.id(reference.name, flag);
    const field = all.find((each) => each.id === id);
    if (!field) throw new Usage(`${flag}: profile field ${id} not found`);
    return field;
  }

  /** Returns all accounts in the server's order, also bots and deactivated people. */
  async accounts(): Promise<readonly User[]> {
    return (await this.#once(allUsers)).members;
  }

  /** Returns all groups, also deactivated ones. */
  async groups(): Promise<readonly Group[]> {
    return (await this.#once(allGroups)).records;
  }

  /**
   * Returns an account from earlier reads of the run. `many`: reads all accounts at once, and returns undefined for an
   * unknown id.
   */
  async person(id: number, { many = false } = {}): Promise<User | undefined> {
    if (many || this.#lookUps.has(allUsers)) return (await this.#once(allUsers)).person(id);
    return (await (await this.#server()).call(getUser, { user_id: id })).user;
  }

  /** Returns whether an account is deactivated. Undefined if the run has not read accounts. */
  async isDeactivated(id: number): Promise<boolean> {
    return this.#lookUps.has(allUsers) && (await this.#once(allUsers)).person(id)?.is_active === false;
  }

  /** Returns the name of an id. Undefined if the run has not read it. */
  async nameOf(kind: NameKind, id: number): Promise<string | undefined> {
    const read = this.#lookUps.get(allOfKind[kind]) as Promise<HasNames> | undefined;
    const own = kind === "user" ? (this.#lookUps.get(ownUser) as ReturnType<typeof ownUser> | undefined) : undefined;
    const name = (await read)?.nameOf(id);
    if (name !== undefined || !own) return name;
    const { user_id, full_name } = await own;
    return user_id === id ? full_name : undefined;
  }

  /** Reads all names of a kind. */
  async nameLookup(kind: NameKind): Promise<(id: number) => string | undefined> {
    const all = await this.#once(allOfKind[kind]);
    return (id) => all.nameOf(id);
  }

  /** Returns whether a channel or group has this name. */
  async has(kind: "channel" | "group", name: string): Promise<boolean> {
    const known = kind === "channel" ? await this.#once(allChannels) : await this.#once(allGroups);
    return known.has(name);
  }

  async #group(reference: Reference, flag: string, restores?: boolean): Promise<number> {
    try {
      return await this.#named("group", allGroups, reference, flag, restores);
    } catch (error) {
      if (!(error instanceof Usage) || !("name" in reference)) throw error;
      const system = systemGroup(reference.name);
      const { hint = "" } = error.details;
      if (system && !hint.includes(system)) error.details.hint = `Did you mean ${system}? ${hint}`.trimEnd();
      throw error;
    }
  }

  async #named<T>(
    kind: string,
    lookUp: LookUp<NamedRecords<T>>,
    reference: Reference,
    flag: string,
    restores?: boolean,
  ): Promise<number> {
    if ("id" in reference) return reference.id;
    const { name } = reference;
    const search = { restores, note: this.#note };
    return this.#knownId(kind, name, async () => (await this.#known(lookUp, flag)).id(name, flag, search));
  }

  /** Blames the flag that was typed, not the internal look-up. */
  async #known<T>(lookUp: LookUp<T>, flag: string): Promise<T> {
    try {
      return await this.#once(lookUp);
    } catch (error) {
      if (!(error instanceof TooOld)) throw error;
      throw new TooOld(error.message.replace(/^.* requires/, `${flag} requires`), error.details);
    }
  }

  async #user(reference: UserReference, flag: string, restores?: boolean): Promise<number> {
    if (reference === "me") return (await this.#once(ownUser)).user_id;
    if ("id" in reference) return reference.id;
    const typed = "name" in reference ? `name:${reference.name}` : reference.email;
    return this.#knownId("user", typed, async () => {
      const search = { restores, note: this.#note };
      const { byName, byDelivery, byEmail, byEither, hidden } = await this.#once(allUsers);
      if ("name" in reference) return byName.id(reference.name, flag, search);
      const { email } = reference;
      const known = [byDelivery, byEmail].find((some) => some.has(email));
      if (known) return known.id(email, flag, search);
      try {
        return await byEither.id(email, flag, search);
      } catch (error) {
        if (hidden && error instanceof Usage) {
          const say = `${counted(hidden, "address is", "addresses are")} hidden from this account: use an id or name:<full name>.`;
          error.details.hint = [error.details.hint, say].filter(Boolean).join(" ");
        }
        throw error;
      }
    });
  }

  async #knownId(kind: string, name: string, find: () => Promise<number>): Promise<number> {
    const known = this.#knownNames?.known(kind, name);
    if (known !== undefined) return known;
    const id = await find();
    this.#knownNames?.remember(kind, name, id);
    return id;
  }
}

const allChannels = async (server: LookUpServer) =>
  new NamedRecords(channels, (await server.lookUp(getChannels, allChannelsArgs)).streams);
const allFolders = async (server: LookUpServer) =>
  new NamedRecords(folders, (await server.lookUp(getFolders, { include_archived: true })).channel_folders);
const allGroups = async (server: LookUpServer) =>
  new NamedRecords(groups, (await server.lookUp(getGroups, allGroupsArgs)).user_groups);
const allUsers = async (server: LookUpServer) => {
  const { members } = await server.lookUp(getUsers, {});
  const byName = new NamedRecords(people, members);
  let byId: Map<number, User> | undefined;
  return {
    members,
    person: (id: number) => {
      byId ??= new Map(members.map((each) => [each.user_id, each]));
      return byId.get(id);
    },
    nameOf: (id: number) => byName.nameOf(id),
    byName,
    byDelivery: new NamedRecords(
      byAddress,
      members.filter(({ delivery_email }) => delivery_email),
    ),
    byEmail: new NamedRecords(byPlaceholder, members),
    byEither: new NamedRecords(byAddress, members),
    hidden: members.filter((user) => addressOf(user) === undefined).length,
  };
};
const allFields = async (server: LookUpServer) => {
  const all = (await server.lookUp(getProfileFields, {})).custom_fields;
  return { all, named: new NamedRecords(fields, all) };
};
const ownUser = (server: LookUpServer) => server.lookUp(getOwnUser, {});

interface HasNames {
  nameOf(id: number): string | undefined;
}

const allOfKind: Record<NameKind, LookUp<HasNames>> = {
  channel: allChannels,
  folder: allFolders,
  group: allGroups,
  user: allUsers,
};
