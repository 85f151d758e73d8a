/** Reads from an export when people were active, when channels had messages, and what was uploaded. */

import * as v from "valibot";
import { type ExportSource, readExport } from "../../audit/read-export.ts";
import { type AuditAccount, logFlag, logTime, readAccount, tableReader } from "../../audit/rows.ts";
import type { TableRow } from "../../audit/table-reader.ts";
import { counted } from "../../common/counted.ts";
import { didYouMean } from "../../common/suggestions.ts";
import { Usage } from "../../errors.ts";
import { privacyOf } from "../../model/channel.ts";
import { roleName } from "../../model/person.ts";
import type { Column, Listing } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { size, timeText } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { integer, number, string } from "../../wire/types.ts";
import type { Files } from "../../world/world.ts";
import type { AuditFlags } from "./flags.ts";
import { sourceOf } from "./source.ts";

const iso = (seconds: number): string => new Date(Math.floor(seconds * 1000)).toISOString();

const timeIn = (time: string | null): string | undefined => (time === null ? undefined : timeText(time));

const idColumn: Column<{ id: number }> = { head: "ID", value: ({ id }) => id, align: "right" };

const nameColumn: Column<{ name: string }> = { head: "NAME", value: ({ name }) => name, importance: "high" };

/** Keeps the largest number of each id. */
const keepLatest = (latest: Map<number, number>, id: number, time: number): unknown =>
  time > (latest.get(id) ?? Number.NEGATIVE_INFINITY) && latest.set(id, time);

const count = (counts: Map<number, number>, id: number): unknown => counts.set(id, (counts.get(id) ?? 0) + 1);

const optionalTime = v.nullish(logTime, null);
const readMessage = tableReader("zerver_message", { sender: integer, recipient: integer, date_sent: logTime });

/** Messages are those in the channels of the export: it has no private channels and no direct messages. */
export async function peopleInExport(files: Files, source: ExportSource) {
  const people: AuditAccount[] = [];
  const [latest, messages] = [new Map<number, number>(), new Map<number, number>()];
  /** Reads the last activity from columns of a table. */
  const activity = (table: string, ...columns: string[]) => {
    const entries = Object.fromEntries(columns.map((column) => [column, optionalTime]));
    const readRow = tableReader(table, { user_profile: integer, ...entries });
    return (row: TableRow) => {
      const { user_profile, ...times } = readRow(row);
      for (const time of Object.values<number | null>(times)) if (time !== null) keepLatest(latest, user_profile, time);
    };
  };
  await readExport(files, source, {
    "realm.json": {
      zerver_userprofile: (row) => people.push(readAccount(row)),
      zerver_useractivity: activity("zerver_useractivity", "last_visit"),
      zerver_useractivityinterval: activity("zerver_useractivityinterval", "end"),
      zerver_userpresence: activity("zerver_userpresence", "last_active_time", "last_connected_time"),
    },
    "messages.json": { zerver_message: (row) => count(messages, readMessage(row).sender) },
  });
  return people.map(({ id, full_name: name, delivery_email: email, role, is_bot, is_active, date_joined }) => {
    const last = latest.get(id);
    return {
      ...{ id, name, email, role: roleName(role), is_bot, is_active },
      /** Null if the server recorded none. That is not "never": it records later, and not everything. */
      last_active: last === undefined ? null : iso(last),
      joined: iso(date_joined),
      messages: messages.get(id) ?? 0,
    };
  });
}

/** Lists active accounts, the longest inactive first. */
export async function peopleActivity(
  context: Context,
  { bots, humans, role, inactiveFor, deactivated, from }: AuditFlags["people"],
): Promise<Listing<Awaited<ReturnType<typeof peopleInExport>>[number]>> {
  const all = await peopleInExport(context.world.files, await sourceOf(context, from));
  /** Unknown ones come last. */
  const last = ({ last_active }: (typeof all)[number]) =>
    last_active === null ? Number.POSITIVE_INFINITY : Date.parse(last_active);
  const listed = all
    .filter(
      (person) =>
        person.is_active === !deactivated &&
        (!bots || person.is_bot) &&
        (!humans || !person.is_bot) &&
        (role === undefined || person.role === role),
    )
    .sort((a, b) => (last(a) === last(b) ? a.id - b.id : last(a) < last(b) ? -1 : 1));
  const records = inactiveFor === undefined ? listed : listed.filter((person) => last(person) < inactiveFor);
  const unknown = listed.filter(({ last_active }) => last_active === null).length;
  if (inactiveFor !== undefined && unknown > 0)
    await context.warn(
      programLine(`skipped ${counted(unknown, "account")} without known activity: the server has recorded none`),
    );
  return {
    kind: "listing",
    records,
    id: "id",
    columns: [
      idColumn,
      nameColumn,
      { head: "EMAIL", value: ({ email }) => email, whole: true },
      { head: "ROLE", value: ({ role }) => role },
      { head: "LAST ACTIVE", value: ({ last_active }) => timeIn(last_active) ?? "unknown", importance: "high" },
      { head: "MESSAGES", value: ({ messages }) => messages, align: "right" },
    ],
    note: `${counted(records.length, "account")}. Messages in private channels and direct messages are not counted.`,
  };
}

const readChannel = tableReader("zerver_stream", {
  id: integer,
  name: string,
  recipient: integer,
  invite_only: logFlag,
  is_web_public: logFlag,
  deactivated: logFlag,
  date_created: logTime,
});
const readSubscription = tableReader("zerver_subscription", {
  recipient: integer,
  active: logFlag,
  is_user_active: logFlag,
});

async function channelsOf(files: Files, source: ExportSource) {
  const channels: ReturnType<typeof readChannel>[] = [];
  // By id of the recipient: each channel is one.
  const subscribers = new Map<number, number>();
  const messages = new Map<number, number>();
  const latest = new Map<number, number>();
  await readExport(files, source, {
    "realm.json": {
      zerver_stream: (row) => channels.push(readChannel(row)),
      zerver_subscription: (row) => {
        const { recipient, active, is_user_active } = readSubscription(row);
        if (active && is_user_active) count(subscribers, recipient);
      },
    },
    "messages.json": {
      zerver_message: (row) => {
        const { recipient, date_sent } = readMessage(row);
        count(messages, recipient);
        keepLatest(latest, recipient, date_sent);
      },
    },
  });
  return channels.map((channel) => {
    const { id, name, recipient, invite_only, deactivated, date_created } = channel;
    const last = latest.get(recipient);
    return {
      id,
      name,
      privacy: privacyOf(channel),
      archived: deactivated,
      subscribers: subscribers.get(recipient) ?? 0,
      /** Null if there is none. The export does not have messages of private channels. */
      last_message: invite_only || last === undefined ? null : iso(last),
      created: iso(date_created),
      messages: invite_only ? null : (messages.get(recipient) ?? 0),
    };
  });
}

/** Lists channels, the longest without messages first. */
export async function channelActivity(
  context: Context,
  { archived, inactiveFor, from }: AuditFlags["channels"],
): Promise<Listing<Awaited<ReturnType<typeof channelsOf>>[number]>> {
  const all = await channelsOf(context.world.files, await sourceOf(context, from));
  const last = ({ last_message, created }: (typeof all)[number]) => Date.parse(last_message ?? created);
  const listed = all.filter((channel) => channel.archived === Boolean(archived));
  const records = listed
    .filter((channel) => inactiveFor === undefined || (channel.privacy !== "private" && last(channel) < inactiveFor))
    .sort((a, b) => last(a) - last(b) || a.id - b.id);
  const unknown = listed.filter(({ privacy }) => privacy === "private").length;
  if (inactiveFor !== undefined && unknown > 0)
    await context.warn(
      programLine(`skipped ${counted(unknown, "private channel")}: a public export does not hold their messages`),
    );
  return {
    kind: "listing",
    records,
    id: "id",
    columns: [
      idColumn,
      nameColumn,
      { head: "PRIVACY", value: ({ privacy }) => privacy },
      { head: "SUBSCRIBERS", value: ({ subscribers }) => subscribers, align: "right" },
      {
        head: "LAST MESSAGE",
        value: ({ privacy, last_message }) => timeIn(last_message) ?? (privacy === "private" ? "unknown" : "never"),
        importance: "high",
      },
      { head: "MESSAGES", value: ({ messages }) => messages ?? "unknown", align: "right" },
    ],
  };
}

const readUpload = tableReader("zerver_attachment", {
  id: integer,
  file_name: string,
  owner: integer,
  size: number,
  create_time: logTime,
});

async function uploadsOf(files: Files, source: ExportSource) {
  const uploads: ReturnType<typeof readUpload>[] = [];
  const people = new Map<number, AuditAccount>();
  const addPerson = (person: AuditAccount) => people.set(person.id, person);
  await readExport(files, source, {
    "realm.json": { zerver_userprofile: (row) => addPerson(readAccount(row)) },
    "attachment.json": { zerver_attachment: (row) => uploads.push(readUpload(row)) },
  });
  const ownerOf = ({ id, delivery_email: email, full_name: name }: AuditAccount) => ({ id, email, name });
  const all = uploads.map(({ id, file_name: name, owner: ownerId, size, create_time }) => {
    const owner = people.get(ownerId);
    return { id, name, owner: owner ? ownerOf(owner) : null, size, created: iso(create_time) };
  });
  return { all, people: [...people.values()].map(ownerOf) };
}

/** Lists uploads, the largest first. */
export async function listUploads(
  context: Context,
  { largerThan, by, olderThan, from }: AuditFlags["uploads"],
): Promise<Listing<Awaited<ReturnType<typeof uploadsOf>>["all"][number]>> {
  const owner = by?.replace(/^(name:|id:)/, "").toLowerCase();
  const { all, people } = await uploadsOf(context.world.files, await sourceOf(context, from));
  const isOwner = (person: object) => Object.values(person).some((each) => String(each).toLowerCase() === owner);
  if (owner !== undefined && !people.some(isOwner))
    throw new Usage(`--by: nobody in this export is called "${by}"`, {
      hint: didYouMean(
        owner,
        people.flatMap(({ email, name }) => [email, name]),
      ),
    });
  const records = all
    .filter(
      (upload) =>
        (largerThan === undefined || upload.size > largerThan) &&
        (olderThan === undefined || Date.parse(upload.created) < olderThan * 1000) &&
        (owner === undefined || isOwner(upload.owner ?? {})),
    )
    .sort((a, b) => b.size - a.size || a.id - b.id);
  return {
    kind: "listing",
    records,
    id: "id",
    columns: [
      idColumn,
      nameColumn,
      { head: "OWNER", value: ({ owner }) => owner?.email },
      { head: "SIZE", value: (upload) => size(upload.size), align: "right", importance: "high" },
      { head: "CREATED", value: ({ created }) => timeIn(created) },
    ],
    note: "A public export holds uploads of public channels only.",
  };
}
