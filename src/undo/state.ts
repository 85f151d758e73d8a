/** The current state of what a run changed. Each kind is read once. */

import { getEmoji } from "../api/emoji.ts";
import { getInvitations } from "../api/invitations.ts";
import { getMessage, getMessages, type Message, type NarrowTerm, newestMessages } from "../api/messages.ts";
import { updateOrganization } from "../api/organization.ts";
import { getProfileFields } from "../api/profile-fields.ts";
import { getUsers } from "../api/users.ts";
import type { Server } from "../client/server.ts";
import { membersOf, numbersIn } from "../common/object-members.ts";
import { once } from "../common/once.ts";
import type { Present } from "../effects/present.ts";
import { channelUsesOn, presentOn } from "../effects/server-present.ts";
import type { Change } from "../engine/change.ts";
import { Refused, undefinedOnFailure } from "../errors.ts";
import { everyKind, type KindName, kindNamed } from "../model/kinds/index.ts";
import { type ListName, listNamed } from "../model/kinds/lists.ts";
import type { ChannelUses } from "../model/organization.ts";
import { fieldTypes, peopleInValue } from "../model/profile-field.ts";
import type { Snapshot } from "../organization/snapshot.ts";
import { CurrentValues } from "../resolve/current-values.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world/world.ts";
import type { LoggedRun } from "./entries.ts";
import type { StepArgs as Fields } from "./kind-steps.ts";
import type { LaterRuns } from "./later-runs.ts";

/** How far the clocks of this machine and of a server may differ, in milliseconds. */
export const clockDifference = 60_000;

/** The runs that are taken back, and what came after them. */
interface Logged extends LaterRuns, Pick<LoggedRun, "entries"> {
  /** The plan was sent: what it took away is gone. */
  readonly isSent?: boolean;
  /** Things that others use by now are taken away, too. */
  readonly includeLater?: boolean | undefined;
}

/** What readings of one command share. */
export interface Reading {
  /** The time of this machine, in milliseconds. */
  readonly now: number;
  /** The organization when the command began. Throws the `Failure` of its read. */
  readonly snapshot: () => Promise<Snapshot>;
}

/** A snapshot is read once, and only if the plan depends on rights. */
export const readingOf = (
  server: Server,
  { world, command }: { world: Pick<World, "clock">; command: string },
): Reading => {
  const now = world.clock.now();
  const read = async () => {
    const { takeSnapshot } = await import("../organization/fetch-snapshot.ts");
    return takeSnapshot(server, { command, now, partial: true, invitations: false });
  };
  return { now, snapshot: once(read) };
};

export class State {
  readonly #values: CurrentValues;
  /** What is there, for the judgment of what the undo does. */
  readonly present: Present;

  constructor(
    private readonly server: Server,
    readonly logged: Logged,
    private readonly reading: Reading,
  ) {
    server.forget();
    const present = presentOn(async () => server);
    this.present = { ...present, account: async (id) => (await this.users()).get(id) };
    this.#values = new CurrentValues(async () => server);
  }

  /** Returns the values that an operation would replace. Undefined if the thing is gone, or not visible. */
  async values(operation: AnyOperation, args: Fields): Promise<Fields | undefined> {
    const stated = operation.before ?? operation.previous;
    if (!stated) return undefined;
    const found = await this.#values.read(operation, stated, args).catch((failure: unknown) => {
      if (failure instanceof Refused) return undefined;
      throw failure;
    });
    return found?.values;
  }

  /** Returns the records of all things of a kind, and their member with the id, from what an update replaces. */
  async listed({ before }: AnyOperation): Promise<{ records: Fields[]; id: string } | undefined> {
    if (!before?.inList) return undefined;
    const { list, id } = before.inList;
    const args = before.argsOf?.({}, { level: await this.level(), single: false }) ?? {};
    const answer: Fields = await this.server.lookUp(before.read, args);
    return { records: [answer[list]].flat().map(membersOf), id };
  }

  get now(): number {
    return this.reading.now;
  }

  /** Returns the organization, as far as the account sees it. Undefined if it cannot be read. */
  snapshot(): Promise<Snapshot | undefined> {
    return undefinedOnFailure(this.reading.snapshot());
  }

  level(): Promise<number> {
    return this.server.level();
  }

  /** Throws `TooOld` if the server does not support it. */
  check(change: Change): Promise<void> {
    return this.server.featureLevel.check(change, change);
  }

  readonly users = once(() => this.present.accounts());
  /** Returns whether an account was deactivated with its profile: servers do not reactivate it. */
  isDeleted = async (id: unknown): Promise<boolean> => (await this.users()).get(Number(id))?.is_deleted === true;
  readonly ownId = once(async () => (await this.present.ownAccount()).user_id);
  readonly groups = once(() => this.present.groups());
  readonly channels = once(() => this.present.channels());

  /** Returns what names a channel. Undefined if it cannot be read. */
  channelUses(id: number): Promise<ChannelUses | undefined> {
    return undefinedOnFailure(channelUsesOn(this.server, id));
  }

  async profileFields() {
    return (await this.server.lookUp(getProfileFields, {})).custom_fields;
  }

  /** Returns the names of things that have an order, by their ids. `kind`: as the log names it. */
  async names(kind: string): Promise<ReadonlyMap<number, string>> {
    const [name, { id = "id", title = "name" }] = everyKind.find(([name]) => name.replace("_", " ") === kind)!;
    return new Map((await this.present.records(name)).map((each) => [Number(each[id]), String(each[title])]));
  }

  /** Returns a value as it is sent. What was read of somebody's profile has lists of people as text. */
  async sendable(name: string, value: unknown): Promise<unknown> {
    if (name !== "profile_data" || !Array.isArray(value)) return value;
    const fields = await this.profileFields();
    const isList = new Set(fields.flatMap(({ id, type }) => (type === fieldTypes.people ? [id] : [])));
    return value.map(membersOf).map(({ id, value: one }) => ({
      id,
      value: typeof one === "string" && isList.has(Number(id)) ? peopleInValue(one) : one,
    }));
  }

  /** Returns the direct members of a list. Undefined if it cannot be read. */
  async members(list: ListName, owner: number): Promise<ReadonlySet<number> | undefined> {
    const { kind, member } = listNamed(list);
    const record = await this.record(kind, owner);
    if (!record || Array.isArray(record[member])) return record && new Set(numbersIn(record[member]));
    const ids = await undefinedOnFailure(this.present.members(list, owner));
    return ids && new Set(ids);
  }

  /** Returns the record of a thing. Undefined if it is gone, or not visible. */
  async record(kind: KindName, id: number): Promise<Fields | undefined> {
    const { id: member = "id" } = kindNamed(kind);
    return (await this.present.records(kind)).find((record) => record[member] === id);
  }

  /** Returns the thing that an addition would make, if it is there. */
  async found(kind: KindName, args: Fields): Promise<Fields | undefined> {
    const { key } = kindNamed(kind);
    const values = kind === "draft" ? membersOf([args.drafts].flat()[0]) : args;
    return (await this.present.records(kind)).find((each) => key.every((name) => each[name] === values[name]));
  }

  /** The language of a playground, which a server forgets with the playground. */
  async codeBlockLanguage(): Promise<unknown> {
    return (await this.values(updateOrganization, {}))?.default_code_block_language;
  }

  async emoji() {
    return Object.values((await this.server.lookUp(getEmoji, {})).emoji);
  }

  async invitations() {
    return (await this.server.lookUp(getInvitations, {})).invites;
  }

  async message(message_id: number): Promise<Message | undefined> {
    const args = { message_id, apply_markdown: false, allow_empty_topic_name: true };
    return (await undefinedOnFailure(this.server.lookUp(getMessage, args)))?.message;
  }

  /** Returns the newest messages of a search, the oldest first. Undefined if they cannot be read. */
  async messagesWith(narrow: NarrowTerm[], most: number) {
    const args = { ...newestMessages(narrow, most), allow_empty_topic_name: true };
    return (await undefinedOnFailure(this.server.lookUp(getMessages, args)))?.messages;
  }

  /** Returns who has a value of a profile field. */
  async peopleWithValue(field: number): Promise<number[]> {
    const { members } = await this.server.lookUp(getUsers, { include_custom_profile_fields: true });
    return members.flatMap((user) =>
      Object.hasOwn(membersOf(membersOf(user).profile_data), String(field)) ? [user.user_id] : [],
    );
  }

  async topics(stream_id: number): Promise<readonly string[]> {
    // Servers list no topics of archived channels.
    return (await undefinedOnFailure(this.present.topics(stream_id))) ?? [];
  }
}
