/**
 * What is there now, as a judgment needs it. Commands, batches and `undo` read it from the server, and plans from their
 * snapshot. Each list is read once for a run, and only if a change needs it.
 */
import type { Fields } from "../common/object-members.ts";
import type { KindName } from "../model/kinds/index.ts";
import type { ListName } from "../model/kinds/lists.ts";

export interface AccountNow {
  readonly user_id: number;
  readonly full_name: string;
  readonly role: number;
  readonly is_bot: boolean;
  readonly is_active?: boolean | undefined;
  /** It was deactivated with its profile. */
  readonly is_deleted?: boolean | undefined;
  readonly bot_owner_id?: number | null | undefined;
  readonly email: string;
  readonly delivery_email?: string | null | undefined;
}

export interface ChannelNow {
  readonly stream_id: number;
  readonly name: string;
  readonly invite_only?: boolean | undefined;
  readonly is_web_public?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
  readonly history_public_to_subscribers?: boolean | undefined;
  readonly message_retention_days?: number | null | undefined;
  readonly subscriber_count?: number | undefined;
  readonly folder_id?: number | null | undefined;
}

export interface GroupNow {
  readonly id: number;
  readonly name: string;
  readonly deactivated?: boolean | undefined;
  readonly members: readonly number[];
  readonly direct_subgroup_ids?: readonly number[] | undefined;
}

interface MessagePlace {
  /** Absent for a direct message. */
  readonly stream_id?: number | undefined;
  readonly subject: string;
}

/** How many messages were found. `isMore`: there are more. */
export interface MessageCount {
  readonly count: number;
  readonly isMore: boolean;
}

/** Every method throws the `Failure` of its read. */
export interface Present {
  level(): Promise<number>;
  ownAccount(): Promise<Pick<AccountNow, "user_id" | "role">>;
  /** Everybody, also bots and deactivated people. */
  accounts(): Promise<ReadonlyMap<number, AccountNow>>;
  /** One account. Undefined if it is not visible. */
  account(id: number): Promise<AccountNow | undefined>;
  channels(): Promise<ReadonlyMap<number, ChannelNow>>;
  groups(): Promise<ReadonlyMap<number, GroupNow>>;
  /** The settings of the organization, by name. */
  organization(): Promise<Fields>;
  /** The records of all things of a kind. */
  records(kind: KindName): Promise<readonly Fields[]>;
  members(list: ListName, id: number): Promise<readonly number[]>;
  /** The data of a profile field. */
  fieldData(id: number): Promise<unknown>;
  invitation(id: number): Promise<{ readonly email?: string | undefined; readonly invited_as: number } | undefined>;
  /** The number of things of a kind that are not archived, deactivated or removed. */
  count(kind: KindName): Promise<number>;
  /** The number of people who have a value of a profile field, or one of these options. */
  holdersOf(field: number, keys?: ReadonlySet<string>): Promise<number>;
  /** What else loses a thing, as phrases that follow "it". */
  referencesTo(kind: KindName, id: number): Promise<readonly string[]>;
  /** What is there after the run, if it is known: groups with their new members, and settings. */
  groupsAfter?(): Promise<ReadonlyMap<number, GroupNow>>;
  channelsAfter?(): Promise<ReadonlyMap<number, ChannelNow>>;
  organizationAfter?(): Promise<Fields>;
  /** What the account in use may do only until the run, as phrases: `read channel design`. */
  ownAccessLost?(): Promise<readonly string[]>;
  message(id: number): Promise<MessagePlace | undefined>;
  topics(channel: number): Promise<readonly string[]>;
  messagesIn(channel: number, topic: string): Promise<MessageCount>;
}
