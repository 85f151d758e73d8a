/**
 * The log of administrative changes, as rows of the server's database. The organization is compared before and after
 * each request, so that no handler needs to know about the log.
 */
import { type Fields, membersOf, numbersIn } from "../common/object-members.ts";
import { type Items, type LoggedState, loggedLists, loggedStateOf } from "./logged-state.ts";
import type { SandboxState } from "./state.ts";

type IdSet = ReadonlySet<number>;
export interface AuditRow {
  id: number;
  event_time: number;
  event_type: number;
  acting_user: number | null;
  modified_user: number | null;
  modified_stream: number | null;
  modified_user_group: number | null;
  modified_channel_folder: number | null;
  extra_data: Fields;
}

/** Organizations with more people are made for load: comparing them at each request would take too long. */
const maxPeople = 2000;

const isEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

type SubjectColumns = Partial<Pick<AuditRow, keyof AuditRow & `modified_${string}`>>;
type Write = (type: number, subject: SubjectColumns, extra?: Fields) => void;

/** Writes a row for each value that differs: one type for all values, or a type for each name that is logged. */
function writeChangedValues(
  write: Write,
  subject: SubjectColumns,
  before: object,
  now: object,
  types: number | Record<string, number>,
) {
  if (before === now) return;
  const [previous, current] = [membersOf(before), membersOf(now)];
  for (const name of Object.keys(typeof types === "number" ? now : types)) {
    if (isEqual(previous[name], current[name])) continue;
    const type = typeof types === "number" ? types : types[name]!;
    write(type, subject, { "1": previous[name] ?? null, "2": current[name], property: name });
  }
}

/** Calls `row` for each id that was added or removed. */
function forChangedIds(before: IdSet = new Set(), now: IdSet, row: (id: number, added: boolean) => void) {
  for (const id of now) if (!before.has(id)) row(id, true);
  for (const id of before) if (!now.has(id)) row(id, false);
}

const userTypes = {
  full_name: 124,
  delivery_email: 125,
  role: 105,
  bot_owner_id: 128,
  avatar_version: 123,
  email_address_visibility: 132,
};

function writeUsers(write: Write, before: LoggedState, now: LoggedState): void {
  for (const [id, user] of now.users) {
    const previous = before.users.get(id);
    if (previous === user) continue;
    const subject = { modified_user: id };
    if (!previous) {
      write(101, subject);
      continue;
    }
    if (previous.is_active !== user.is_active) write(user.is_active ? 104 : 103, subject);
    if (previous.api_key !== user.api_key) write(127, subject);
    writeChangedValues(write, subject, previous, user, userTypes);
  }
}

const channelTypes = {
  name: 603,
  description: 607,
  invite_only: 607,
  is_web_public: 607,
  history_public_to_subscribers: 607,
  folder_id: 609,
  topics_policy: 607,
  message_retention_days: 605,
};

function writeChannels(write: Write, before: LoggedState, now: LoggedState): void {
  for (const [id, channel] of now.channels) {
    const previous = before.channels.get(id);
    if (previous === channel) continue;
    const subject = { modified_stream: id };
    if (!previous) write(601, subject);
    else {
      if (previous.is_archived !== channel.is_archived) write(channel.is_archived ? 602 : 604, subject);
      writeChangedValues(write, subject, previous, channel, channelTypes);
      writeChangedValues(write, subject, previous.settings, channel.settings, 608);
    }
    forChangedIds(previous?.subscribers, channel.subscribers, (user, added) => {
      const type = added ? (previous?.unsubscribed.has(user) ? 302 : 301) : 303;
      write(type, { ...subject, modified_user: user });
    });
  }
}

const groupTypes = { name: 720, description: 721 };

function writeGroups(write: Write, before: LoggedState, now: LoggedState): void {
  for (const [id, group] of now.groups) {
    const previous = before.groups.get(id);
    if (group.is_system_group || previous === group) continue;
    const subject = { modified_user_group: id };
    if (!previous) write(701, subject);
    else {
      if (previous.deactivated !== group.deactivated) write(group.deactivated ? 723 : 724, subject);
      writeChangedValues(write, subject, previous, group, groupTypes);
      writeChangedValues(write, subject, previous.settings, group.settings, 722);
    }
    forChangedIds(previous?.members, group.members, (user, added) =>
      write(added ? 703 : 704, { ...subject, modified_user: user }),
    );
    // A server writes a change of subgroups twice: as seen from the group, and as seen from the subgroup.
    forChangedIds(previous?.subgroups, group.subgroups, (subgroup, added) => {
      write(added ? 705 : 706, subject, { subgroup_ids: [subgroup] });
      write(added ? 707 : 708, { modified_user_group: subgroup }, { supergroup_ids: [id] });
    });
  }
}

const folderTypes = { name: 902, description: 903 };

function writeFolders(write: Write, before: LoggedState, now: LoggedState): void {
  for (const [id, folder] of now.folders) {
    const previous = before.folders.get(id);
    if (previous === folder) continue;
    const subject = { modified_channel_folder: id };
    if (!previous) write(901, subject);
    else {
      if (previous.is_archived !== folder.is_archived) write(folder.is_archived ? 904 : 905, subject);
      writeChangedValues(write, subject, previous, folder, folderTypes);
    }
  }
}

function writeLists(write: Write, before: LoggedState, now: LoggedState): void {
  for (const { kind, added, changed, removed, reordered, members } of loggedLists) {
    const previous: Items = before.lists.get(kind) ?? [];
    const current: Items = now.lists.get(kind) ?? [];
    if (previous === current) continue;
    const ofLists = new Set(members.map(({ member }) => member));
    const withoutLists = (each: Items[number]) =>
      Object.fromEntries(Object.entries(each).filter(([name]) => !ofLists.has(name)));
    const list = { [`realm_${kind}s`]: current };
    const findIn = (list: Items, each: Items[number]) => list.find(({ id }) => id === each.id);
    for (const each of current) {
      const old = findIn(previous, each);
      if (!old) write(added, {}, { [`added_${kind}`]: each, ...list });
      else if (changed && !isEqual(withoutLists(old), withoutLists(each)))
        write(changed, {}, { [`changed_${kind}`]: each, ...list });
      for (const { of, one, member, log } of members) {
        if (!log) continue;
        const idsIn = (item: object = {}) => new Set(numbersIn(membersOf(item)[member]));
        forChangedIds(idsIn(old), idsIn(each), (id, isNew) =>
          write(isNew ? log.joined : log.left, of === "user" ? { modified_user: id } : {}, {
            ...{ [`changed_${kind}`]: each, ...list },
            ...(of === "group" && { [`${one}_ids`]: [id] }),
          }),
        );
      }
    }
    for (const each of previous) if (!findIn(current, each)) write(removed, {}, { [`removed_${kind}`]: each, ...list });
    const order = (list: Items, other: Items) => list.filter((each) => findIn(other, each)).map(({ id }) => id);
    if (reordered && !isEqual(order(previous, current), order(current, previous))) write(reordered, {}, list);
  }
}

function writeOrganization(write: Write, before: LoggedState, now: LoggedState): void {
  const [{ org_type: old_value, ...previous }, { org_type: new_value, ...current }] = [before.settings, now.settings];
  if (old_value !== new_value) write(217, {}, { old_value, new_value });
  if (before.settings !== now.settings) writeChangedValues(write, {}, previous, current, 207);
  writeChangedValues(write, {}, before.permissions, now.permissions, 207);
  writeChangedValues(write, {}, before.defaults, now.defaults, 216);
  writeLists(write, before, now);
  for (const [id, { deleted_time }] of now.exports) {
    const previous = before.exports.get(id);
    if (!previous) write(206, {}, { realm_export_id: id });
    else if (previous.deleted_time === null && deleted_time !== null) write(230, {}, { realm_export_id: id });
  }
}

const empty = { users: new Map(), channels: new Map(), groups: new Map(), folders: new Map(), lists: new Map() };

type NewAuditRow = Omit<AuditRow, "id">;

/** Returns a row for each difference. `now` is in milliseconds. */
function rowsOf(before: LoggedState, after: LoggedState, acting_user: number | null, now: number): NewAuditRow[] {
  const rows: NewAuditRow[] = [];
  const write: Write = (event_type, subject, extra_data = {}) => {
    rows.push({
      event_time: now / 1000,
      event_type,
      acting_user,
      modified_user: null,
      modified_stream: null,
      modified_user_group: null,
      modified_channel_folder: null,
      extra_data,
      ...subject,
    });
  };
  writeUsers(write, before, after);
  writeGroups(write, before, after);
  writeFolders(write, before, after);
  writeChannels(write, before, after);
  writeOrganization(write, before, after);
  return rows;
}

export class AuditLog {
  /** Returns the rows of the organization as it began. Making them takes longer than most requests. */
  #beginning: () => NewAuditRow[] = () => [];
  readonly #changes: NewAuditRow[] = [];
  #before: LoggedState | undefined;

  constructor(private readonly state: SandboxState) {}

  get rows(): readonly AuditRow[] {
    return [...this.#beginning(), ...this.#changes].map((row, n) => ({ id: n + 1, ...row }));
  }

  /** Logs what `work` changes, even if it throws. `now` is in milliseconds. */
  record<T>(caller: number | null, now: number, work: () => T): T {
    if (!this.#before && this.state.users.size <= maxPeople) this.#logBeginning();
    try {
      return work();
    } finally {
      if (this.#before) {
        const after = loggedStateOf(this.state, this.#before);
        this.#changes.push(...rowsOf(this.#before, after, caller, now));
        this.#before = after;
      }
    }
  }

  #logBeginning(): void {
    const first = loggedStateOf(this.state);
    const { date_created } = this.state.organization;
    this.#before = first;
    this.#beginning = () => rowsOf({ ...first, ...empty }, first, null, date_created);
  }
}
