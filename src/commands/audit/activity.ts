/** Reads from an export when people were active, when channels had messages, and what was uploaded. */
import { roleName } from "../../api/users.ts";
import { readExport, type Source } from "../../audit/export.ts";
import { type Account, account, Reader } from "../../audit/rows.ts";
import type { Row } from "../../audit/tables.ts";
import { counted } from "../../counted.ts";
import type { Listing } from "../../output/form.ts";
import { size, when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import type { Files } from "../../world.ts";
import type { Flags } from "../audit.ts";
import { sourceOf } from "./source.ts";

const iso = (seconds: number): string => new Date(Math.floor(seconds * 1000)).toISOString();

const timeIn = (time: string | null): string | undefined => (time === null ? undefined : when(Date.parse(time)));

/** Keeps the largest number of each id. */
const keepLatest = (latest: Map<number, number>, id: number, time: number): unknown =>
  time > (latest.get(id) ?? Number.NEGATIVE_INFINITY) && latest.set(id, time);

const count = (counts: Map<number, number>, id: number): unknown => counts.set(id, (counts.get(id) ?? 0) + 1);

/** Messages are those in the channels of the export: it has no private channels and no direct messages. */
export async function peopleOf(files: Files, source: Source) {
  const people: Account[] = [];
  const [latest, messages] = [new Map<number, number>(), new Map<number, number>()];
  const activityTable = (table: string, ...members: string[]) => ({
    [table]: (row: Row) => {
      const reader = new Reader(table, row);
      for (const member of members)
        if (row[member] !== null && row[member] !== undefined)
          keepLatest(latest, reader.id("user_profile"), reader.time(member));
    },
  });
  await readExport(files, source, {
    "realm.json": {
      zerver_userprofile: (row) => people.push(account(row)),
      ...activityTable("zerver_useractivity", "last_visit"),
      ...activityTable("zerver_useractivityinterval", "end"),
      ...activityTable("zerver_userpresence", "last_active_time", "last_connected_time"),
    },
    "messages.json": { zerver_message: (row) => count(messages, new Reader("zerver_message", row).id("sender")) },
  });
  return people.map(({ id, name, email, role, is_bot, is_active, joined }) => {
    const last = latest.get(id);
    return {
      ...{ id, name, email, role: roleName(role), is_bot, is_active },
      /** Null for somebody who was never active. */
      last_active: last === undefined ? null : iso(last),
      joined: iso(joined),
      messages: messages.get(id) ?? 0,
    };
  });
}

/** Lists active accounts, the longest inactive first. */
export async function people(
  context: Context,
  { bots, humans, role, inactiveFor, deactivated, from }: Flags["people"],
): Promise<Listing<Awaited<ReturnType<typeof peopleOf>>[number]>> {
  const all = await peopleOf(context.world.files, await sourceOf(context, from));
  // Somebody who never logged in is inactive since the account was created.
  const last = ({ last_active, joined }: (typeof all)[number]) => Date.parse(last_active ?? joined);
  const records = all
    .filter(
      (person) =>
        person.is_active === !deactivated &&
        (!bots || person.is_bot) &&
        (!humans || !person.is_bot) &&
        (role === undefined || person.role === role) &&
        (inactiveFor === undefined || last(person) < inactiveFor),
    )
    .sort((a, b) => last(a) - last(b) || a.id - b.id);
  return {
    kind: "listing",
    records,
    id: "id",
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name, importance: "high" },
      { head: "EMAIL", value: ({ email }) => email, whole: true },
      { head: "ROLE", value: ({ role }) => role },
      { head: "LAST ACTIVE", value: ({ last_active }) => timeIn(last_active) ?? "never", importance: "high" },
      { head: "MESSAGES", value: ({ messages }) => messages, align: "right" },
    ],
    note: `${counted(records.length, "account")}. Messages in private channels and direct messages are not counted.`,
  };
}

async function channelsOf(files: Files, source: Source) {
  const channels: Row[] = [];
  // By the id of a channel's recipient.
  const subscribers = new Map<number, number>();
  const messages = new Map<number, number>();
  const latest = new Map<number, number>();
  await readExport(files, source, {
    "realm.json": {
      zerver_stream: (row) => channels.push(row),
      zerver_subscription: (row) => {
        if (row.active === true && row.is_user_active === true)
          count(subscribers, new Reader("zerver_subscription", row).id("recipient"));
      },
    },
    "messages.json": {
      zerver_message: (row) => {
        const reader = new Reader("zerver_message", row);
        count(messages, reader.id("recipient"));
        keepLatest(latest, reader.id("recipient"), reader.time("date_sent"));
      },
    },
  });
  return channels.map((row) => {
    const reader = new Reader("zerver_stream", row);
    const recipient = reader.id("recipient");
    const isPrivate = reader.yes("invite_only");
    const last = latest.get(recipient);
    return {
      id: reader.id(),
      name: reader.text("name"),
      privacy: isPrivate ? "private" : reader.yes("is_web_public") ? "web-public" : "public",
      archived: reader.yes("deactivated"),
      subscribers: subscribers.get(recipient) ?? 0,
      /** Null if there is none. The export does not have messages of private channels. */
      last_message: isPrivate || last === undefined ? null : iso(last),
      created: iso(reader.time("date_created")),
      messages: isPrivate ? null : (messages.get(recipient) ?? 0),
    };
  });
}

/** Lists channels, the longest without messages first. */
export async function channels(
  context: Context,
  { archived, inactiveFor, from }: Flags["channels"],
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
      `zulipctl: left out ${counted(unknown, "private channel")}: a public export does not hold their messages`,
    );
  return {
    kind: "listing",
    records,
    id: "id",
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name, importance: "high" },
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

async function uploadsOf(files: Files, source: Source) {
  const uploads: Row[] = [];
  const people = new Map<number, Account>();
  const addPerson = (person: Account) => people.set(person.id, person);
  await readExport(files, source, {
    "realm.json": { zerver_userprofile: (row) => addPerson(account(row)) },
    "attachment.json": { zerver_attachment: (row) => uploads.push(row) },
  });
  return uploads.map((row) => {
    const reader = new Reader("zerver_attachment", row);
    const owner = people.get(reader.id("owner"));
    return {
      id: reader.id(),
      name: reader.text("file_name"),
      owner: owner ? { id: owner.id, email: owner.email, name: owner.name } : null,
      size: reader.number("size"),
      created: iso(reader.time("create_time")),
    };
  });
}

/** Lists uploads, the largest first. */
export async function uploads(
  context: Context,
  { largerThan, by, olderThan, from }: Flags["uploads"],
): Promise<Listing<Awaited<ReturnType<typeof uploadsOf>>[number]>> {
  const owner = by?.replace(/^(name:|id:)/, "").toLowerCase();
  const all = await uploadsOf(context.world.files, await sourceOf(context, from));
  const records = all
    .filter(
      (upload) =>
        (largerThan === undefined || upload.size > largerThan) &&
        (olderThan === undefined || Date.parse(upload.created) < olderThan * 1000) &&
        (owner === undefined || Object.values(upload.owner ?? {}).some((each) => String(each).toLowerCase() === owner)),
    )
    .sort((a, b) => b.size - a.size || a.id - b.id);
  return {
    kind: "listing",
    records,
    id: "id",
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name, importance: "high" },
      { head: "OWNER", value: ({ owner }) => owner?.email },
      { head: "SIZE", value: (upload) => size(upload.size), align: "right", importance: "high" },
      { head: "CREATED", value: ({ created }) => timeIn(created) },
    ],
    note: "A public export holds uploads of public channels only.",
  };
}
