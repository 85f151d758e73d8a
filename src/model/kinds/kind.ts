/** What is stated of a kind of thing. Rooms that handle all kinds alike take it from here. No schemas: every run loads it. */

/** A call about one thing, by the name of its operation. The path takes the id, or the key of things without ids. */
export interface KindCall<O extends string = string> {
  readonly operation: O;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** How all things of a kind are read. */
interface KindRead<O extends string> extends KindCall<O> {
  /** The member of the answer with the records. */
  readonly list: string;
  /** The parts of `register` that are asked for, if the read is that of a new queue. */
  readonly parts?: readonly string[];
}

/** Whether a thing is archived or deactivated. Nobody deletes such things. */
interface KindState {
  /** The member of records and of organization files, and its value then. */
  readonly member: string;
  readonly inFile: string;
  readonly value: boolean;
  /** The actions of organization files and plans. */
  readonly archive: "archive" | "deactivate";
  readonly restore: "unarchive" | "reactivate";
  /** The actions in the records of `watch`. */
  readonly events: readonly [archived: string, restored: string];
}

/** A call that adds members to a list, or removes them. */
export interface KindListCall<O extends string = string> {
  readonly operation: O;
  /** The parameters with the id of the thing, and with the members. */
  readonly thing: string;
  readonly members: string;
  /** More arguments, if the request has the name of the thing. */
  readonly named?: (name: string) => Readonly<Record<string, unknown>>;
}

/** What lists have: people or groups. */
export type MemberKind = "user" | "group";

/** A list of people or groups that belongs to a thing. Organization files call it by its key, which is its plural. */
export interface KindList<O extends string = string> {
  /** The kind of its members. */
  readonly of: MemberKind;
  /** One member, for people: `subscriber`. */
  readonly one: string;
  /** What organization files say of it. */
  readonly doc: string;
  /** The member of records with the ids, in the answer of `register` and in `watch`. */
  readonly member: string;
  /** The member of records with the number of members, where they do not have the ids. */
  readonly count?: string;
  /** How one list is read. The path takes the id. Absent if the records that the kind reads have the list. */
  readonly read?: KindCall<O> & {
    /** The member of the answer with the ids. */
    readonly list: string;
  };
  readonly add: KindListCall<O>;
  readonly remove: KindListCall<O>;
  /** Servers refuse a request that adds a member again, or removes somebody who is none. */
  readonly strict?: true;
  /** Nobody gets into some of these things without one of the members. */
  readonly lockout?: {
    readonly when: (record: Readonly<Record<string, unknown>>) => boolean;
    /** What must be read to know `when`, for people. */
    readonly what: string;
    /** The permissions that let people in, or let others in, without being a member. */
    readonly opensFor?: readonly string[];
    /** What the removal of the last member does. `title`: `channel "design"`. */
    readonly says: (title: string) => string;
  };
  /** Servers write a direct message to those who come to an existing thing, or also to those who go. */
  readonly notifies?: "joined" | "both";
  /** What is said of members who came, if that is not `2 subgroups were added`. */
  readonly came?: readonly [one: string, many: string, did: string];
  /** The event types in the log of an export, and its sentences if they are special. */
  readonly log?: {
    readonly joined: number;
    readonly left: number;
    readonly words?: readonly [joined: string, left: string];
  };
  /** What `watch` says of one member that comes or goes: the action, which is also that of the log, and a sentence. */
  readonly joined?: readonly [action: string, sentence: string];
  readonly left?: readonly [action: string, sentence: string];
}

/**
 * What an event tells of things of a kind. `whole`: the member with all things, in their order. `record`: one new or
 * changed thing. `changed`: the member with the id of a thing; its changed values are in `data`. `removed`: the member
 * with its id. `order`: the member with all ids. `joined` and `left`: the member with ids of a list; `id` is the thing's.
 */
export type KindEvent =
  | { readonly whole: string }
  | { readonly record: string }
  | { readonly changed: string }
  | { readonly removed: string }
  | { readonly order: string }
  | { readonly list: string; readonly id: string; readonly joined: string }
  | { readonly list: string; readonly id: string; readonly left: string };

/** What is stated of a row in the log of an export, beyond its event type, its action and its sentence. */
export interface LogRowDetails {
  /** The kind of whom the row adds to its thing, or removes from it. People are in the column `modified_user`. */
  readonly subject?: MemberKind;
  /** The member of `extra_data` with the ids of groups. */
  readonly subjectIds?: string;
  /** The name of what changed. By default the row states it. */
  readonly property?: string;
  /** The values are ids of these things. */
  readonly values?: "channel" | "folder";
  /** Private or housekeeping: shown only where `--kind` asks for its kind. */
  readonly hidden?: true;
}

/** `{target}`, `{subject}`, `{property}`, `{from}`, `{to}` and `{settings}` stand for the words of an entry. */
type KindLogRow = readonly [type: number, action: string, sentence: string, details?: LogRowDetails];

/** The log of an export, where a row has the id of the thing. */
interface KindRowLog {
  /** The column with the id, or the member of `extra_data`. */
  readonly id: string;
  readonly rows: readonly KindLogRow[];
  /** Event types of rows that say of a member what another row says of its list. */
  readonly mirrors?: readonly number[];
}

/** The event types of the log of an export, where a row has the thing itself and not its id alone. */
interface KindThingLog {
  readonly added: number;
  readonly changed?: number;
  readonly removed: number;
  readonly reordered?: number;
  /** How the member with the removed thing begins, if that is not `removed`. */
  readonly removedAs?: string;
}

/** A name that only one thing has: servers refuse a second one. It is the key, if nothing else is said. */
interface KindUnique {
  /** The member of records with the name, if it is not the key. Servers tell upper from lower case then. */
  readonly member?: string;
  /** The parameter of `update` that gives a new name, if it is not called like the member. */
  readonly param?: string;
  /** What can have the name, for people, if that is not this kind alone: `active account`. */
  readonly among?: string;
  /** What is archived or deactivated gives its name free. */
  readonly isFreed?: true;
  /** Servers count the thing itself: they do not change the case of its name alone. */
  readonly countsItself?: true;
}

/** `O`: the operations that exist. `src/api/registry.ts` checks them. */
export interface Kind<O extends string = string> {
  /** In singular and plural, for people: `profile field`. */
  readonly one: string;
  readonly plural: string;
  /** The noun of its commands. */
  readonly noun: string;
  /** Things of this kind are records of that one: bots are users. */
  readonly recordOf?: string;
  /** The members of a record that together identify it for people, and what is equal for two keys equal to servers. */
  readonly key: readonly [string, ...string[]];
  readonly fold?: (key: string) => string;
  readonly unique?: KindUnique;
  /** The member of a record with its id. Domains have none. */
  readonly id?: string;
  /** The member with its name for people. Absent if it has none. */
  readonly title?: string;
  /** The section of organization files, and the member of a file's entry, if it has another name, that `key` is. */
  readonly section?: string;
  readonly read: KindRead<O>;
  /** Whether a record is such a thing, if there are others among them. */
  readonly matches?: (record: Readonly<Record<string, unknown>>) => boolean;
  /** The parts of `register` with all records, and their members of the answer; new records are in the last. */
  readonly registered?: { readonly parts: readonly string[]; readonly lists: readonly string[] };
  /** What makes things of this kind. */
  readonly create: readonly O[];
  readonly update?: O;
  readonly state?: KindState;
  /** What archives or deactivates it, and what brings it back. */
  readonly archive?: KindCall<O>;
  readonly restore?: KindCall<O>;
  /**
   * What removes it for good, and what nothing brings back then. Without `lost`, `create` makes it again. `verb`: the
   * word for it, if that is not `delete`.
   */
  readonly remove?: KindCall<O> & { readonly lost?: string; readonly verb?: string };
  /** What archiving, deactivating or removing it does: a phrase that follows "it". Absent: `removes it`. */
  readonly removalEffect?: {
    readonly says: string;
    /**
     * The setting of the organization that the server clears with it, if the setting has the value of this member, and what
     * the setting is, for people.
     */
    readonly clears?: { readonly setting: string; readonly member: string; readonly what: string };
    /** What a question adds that names the thing. Absent: `This cannot be undone.` where nothing brings it back. */
    readonly sentence?: string;
    /** Both name the members of the first list. */
    readonly isFromMembers?: true;
    /** It needs no confirmation. */
    readonly silent?: true;
  };
  /** Its things have an order, which this operation sets. */
  readonly reorder?: O;
  readonly lists?: Readonly<Record<string, KindList<O>>>;
  /** The member of channels that names a thing of this kind: they hang on it. */
  readonly namedByChannels?: string;
  /** By type and `op`, the events about it that need nothing more to be said. */
  readonly events?: Readonly<Record<string, KindEvent>>;
  /** A change of it may give or take permissions. */
  readonly rights?: true;
  /** Only its owner sees it: nothing tells others of changes. */
  readonly personal?: true;
  /** The fields of records that `watch` compares. Absent: all but the id. */
  readonly watched?: readonly string[];
  /** Its entries in the log of an export. */
  readonly log?: KindThingLog | KindRowLog;
  /** People type ids of these things: they have no name, or not one that is typed. Absent: things are typed by name. */
  readonly typedById?: true;
  /** The members of a record that completion shows beside what is typed. */
  readonly about?: readonly string[];
}
