/** Turns typed text into ids. Ids need no request. Names need one look-up of each kind in a run. */

import type { Group } from "../api/groups.ts";
import { getUser } from "../api/people.ts";
import type { ProfileField } from "../api/profile-fields.ts";
import type { User } from "../api/users.ts";
import { counted } from "../common/counted.ts";
import { namingFlag, TooOld, Usage, undefinedOnFailure } from "../errors.ts";
import type { GroupSetting } from "../model/permission.ts";
import type { Naming, Origin } from "../notation/id.ts";
import {
  type IdReference,
  noUser,
  type Reference,
  readGroupSetting,
  readReference,
  readUser,
  systemGroupName,
  type UserReference,
  wayToWriteWho,
} from "../notation/references.ts";
import {
  allChannels,
  allFields,
  allFolders,
  allGroups,
  allOfKind,
  allUsers,
  type HasNames,
  type LookUp,
  type LookUpServer,
  type NameKind,
  ownUser,
} from "./look-ups.ts";
import { checkSign, type LookUpOptions, type NamedRecords } from "./named-records.ts";

export type NameResolver = Pick<Resolver, keyof Resolver>;

/** The place of a text, and what may be found. */
interface At {
  flag: string;
  origin: Origin;
  restores?: boolean | undefined;
}

/** The ids of names and the people of groups when the run began: they may change later. */
export interface KnownNames {
  known(kind: string, name: string): number | undefined;
  remember(kind: string, name: string, id: number): void;
  /** `read`: finds those of now. */
  peopleOf(group: number, read: () => Promise<readonly number[]>): Promise<readonly number[]>;
}

/**
 * Every `flag` is the place of the text, for messages: `--folder`, `<channel>`. All methods throw `Usage`. A text without
 * an origin is typed, or in a batch may come from a column.
 */
export class Resolver {
  readonly #server: () => Promise<LookUpServer>;
  readonly #knownNames: KnownNames | undefined;
  readonly #note: LookUpOptions["note"];
  readonly #lookUps = new Map<LookUp<unknown>, Promise<unknown>>();
  /** Typed digits, which are ids unless a read shows that they are a name too. */
  readonly #typedDigits = new Map<LookUp<unknown>, { id: number; digits: string; flag: string }[]>();

  constructor(
    server: () => Promise<LookUpServer>,
    { meanings: knownNames, note }: { meanings?: KnownNames; note?: LookUpOptions["note"] } = {},
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

  #at(typed: string | Naming, flag: string, restores?: boolean): [text: string, at: At] {
    const { text, origin } =
      typeof typed === "object"
        ? typed
        : { text: typed, origin: this.#knownNames ? ("data" as const) : ("typed" as const) };
    return [text, { flag, origin, restores }];
  }

  async channel(typed: string | Naming, flag: string, restores?: boolean): Promise<number> {
    const [text, at] = this.#at(typed, flag, restores);
    return namingFlag(flag, async () => {
      if (/^\s*#/.test(text)) checkSign(await this.#known(allChannels, flag), text, flag);
      return this.#named("channel", allChannels, readReference(text, flag, "#"), at);
    });
  }

  async folder(typed: string | Naming, flag: string, restores?: boolean): Promise<number> {
    const [text, at] = this.#at(typed, flag, restores);
    return namingFlag(flag, () => this.#named("folder", allFolders, readReference(text, flag), at));
  }

  async group(typed: string | Naming, flag: string, restores?: boolean): Promise<number> {
    const [text, at] = this.#at(typed, flag, restores);
    return namingFlag(flag, () => this.#group(readReference(text, flag, "@"), at));
  }

  async user(typed: string | Naming, flag: string, restores?: boolean): Promise<number> {
    const [text, at] = this.#at(typed, flag, restores);
    return namingFlag(flag, () => this.#user(readUser(text, flag), at));
  }

  /** Returns the value of a group setting, as servers expect it. */
  async who(typed: string | Naming, flag: string): Promise<GroupSetting> {
    const [text, at] = this.#at(typed, flag);
    return namingFlag(flag, () => this.#who(text, at));
  }

  async #who(text: string, at: At): Promise<GroupSetting> {
    const who = readGroupSetting(text, at.flag);
    if ("value" in who) return who.value;
    if ("group" in who) {
      return this.#group(who.group, at).catch((error: unknown) => {
        // Groups come first: a group's name can look like an address.
        if ("name" in who.group && error instanceof Usage)
          error.details.hint = wayToWriteWho(who.group.name) ?? error.details.hint;
        throw error;
      });
    }
    const direct_members = [];
    for (const user of who.users) direct_members.push(await this.#user(user, at));
    const direct_subgroups = [];
    for (const group of who.groups) direct_subgroups.push(await this.#group(group, at));
    return { direct_members, direct_subgroups };
  }

  /** Returns a custom profile field. Throws `Usage` for an unknown id too. */
  async profileField(text: string, flag: string, origin?: Origin): Promise<ProfileField> {
    const reference = readReference(text, flag);
    const named = await this.#known(allFields, flag);
    const id =
      "name" in reference
        ? await named.id(reference.name, flag)
        : reference.digits === undefined || origin === "ids"
          ? reference.id
          : await named.idOfDigits(reference.digits, reference.id, flag, "data");
    const field = named.records.find((each) => each.id === id);
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

  /** Returns the ids of the people that `group:<name>` stands for. */
  async peopleOf(...[group, read]: Parameters<KnownNames["peopleOf"]>): Promise<readonly number[]> {
    return this.#knownNames ? this.#knownNames.peopleOf(group, read) : read();
  }

  /**
   * Returns an account from earlier reads of the run. `many`: reads all accounts at once, and returns undefined for an
   * unknown id.
   */
  async person(id: number, { many = false } = {}): Promise<User | undefined> {
    if (many || this.#lookUps.has(allUsers)) return (await this.#once(allUsers)).person(id);
    return (await (await this.#server()).lookUp(getUser, { user_id: id })).user;
  }

  /** Returns whether an account is deactivated. Undefined if the run has not read accounts. */
  async isDeactivated(id: number): Promise<boolean> {
    return this.#lookUps.has(allUsers) && (await this.#once(allUsers)).person(id)?.is_active === false;
  }

  /** Returns the name of an id. Undefined if the run has not read it. */
  async nameOf(kind: NameKind, id: number): Promise<string | undefined> {
    const read = this.#lookUps.has(allOfKind[kind]) ? await this.#once(allOfKind[kind]) : undefined;
    const name = read?.nameOf(id);
    if (name !== undefined || kind !== "user" || !this.#lookUps.has(ownUser)) return name;
    const { user_id, full_name } = await this.#once(ownUser);
    return user_id === id ? full_name : undefined;
  }

  /** Reads all names of a kind. */
  async nameLookup(kind: NameKind): Promise<(id: number) => string | undefined> {
    const all = await this.#once(allOfKind[kind]);
    await this.#checkTypedDigits(allOfKind[kind], all);
    return (id) => all.nameOf(id);
  }

  /** Returns whether something has this name. */
  async has(kind: NameKind | "profile field", name: string): Promise<boolean> {
    return (await this.#once<HasNames>(kind === "profile field" ? allFields : allOfKind[kind])).has(name);
  }

  async #group(reference: Reference, at: At): Promise<number> {
    try {
      return await this.#named("group", allGroups, reference, at);
    } catch (error) {
      if (!(error instanceof Usage) || !("name" in reference)) throw error;
      const system = systemGroupName(reference.name);
      const { hint = "" } = error.details;
      if (system && !hint.includes(system)) error.details.hint = `Did you mean ${system}? ${hint}`.trimEnd();
      throw error;
    }
  }

  async #named<T>(kind: string, lookUp: LookUp<NamedRecords<T>>, reference: Reference, at: At): Promise<number> {
    if ("id" in reference) return this.#numbered(kind, lookUp, reference, at);
    const { name } = reference;
    return this.#knownId(kind, name, async () =>
      (await this.#known(lookUp, at.flag)).id(name, at.flag, this.#search(at)),
    );
  }

  #search({ restores }: At): LookUpOptions {
    return { restores, note: this.#note };
  }

  /** Typed digits are an id without a look-up, unless another word reads the names of the kind. */
  async #numbered(kind: string, lookUp: LookUp<HasNames>, { id, digits }: IdReference, at: At): Promise<number> {
    const { flag, origin } = at;
    if (digits === undefined || origin === "ids") return id;
    if (origin === "typed" && !this.#lookUps.has(lookUp)) {
      const typed = this.#typedDigits.get(lookUp) ?? [];
      this.#typedDigits.set(lookUp, [...typed, { id, digits, flag }]);
      return id;
    }
    const kindOfDigits = `${kind} digits`;
    const known = this.#knownNames?.known(kindOfDigits, digits);
    if (known !== undefined) return known;
    const found = await (await this.#known(lookUp, flag)).idOfDigits(digits, id, flag, origin, this.#search(at));
    if (found !== id) this.#knownNames?.remember(kindOfDigits, digits, found);
    return found;
  }

  async #checkTypedDigits(lookUp: LookUp<unknown>, names: HasNames): Promise<void> {
    const all = this.#typedDigits.get(lookUp) ?? [];
    this.#typedDigits.delete(lookUp);
    for (const { id, digits, flag } of all) await namingFlag(flag, () => names.idOfDigits(digits, id, flag, "typed"));
  }

  /** Reads all names of a kind. Blames the flag that was typed, not the internal look-up. */
  async #known<T extends HasNames>(lookUp: LookUp<T>, flag: string): Promise<T> {
    try {
      const names = await this.#once(lookUp);
      await this.#checkTypedDigits(lookUp, names);
      return names;
    } catch (error) {
      if (!(error instanceof TooOld)) throw error;
      throw new TooOld(error.message.replace(/^.* requires/, `${flag} requires`), error.details);
    }
  }

  async #user(reference: UserReference, at: At): Promise<number> {
    const { flag } = at;
    if (reference === "me") return (await this.#once(ownUser)).user_id;
    if ("id" in reference) return this.#numbered("user", allUsers, reference, at);
    if ("word" in reference) {
      const known = await undefinedOnFailure(this.#known(allUsers, flag));
      throw noUser(reference.word, flag, known?.suggestion(reference.word));
    }
    const typed = "name" in reference ? `name:${reference.name}` : reference.email;
    return this.#knownId("user", typed, async () => {
      const { byName, byDelivery, byEmail, byEither, hidden } = await this.#known(allUsers, flag);
      const search = this.#search(at);
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
