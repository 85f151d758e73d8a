/** Reads from an export when people were active, when channels had messages, and what was uploaded. */
import { roleName } from "../api/users.ts";
import type { Files } from "../world.ts";
import { readExport, type Source } from "./export.ts";
import { type Account, account, Reader } from "./rows.ts";
import type { Row, TakesRow } from "./tables.ts";

export interface PersonActivity {
  id: number;
  name: string;
  email: string;
  role: string;
  is_bot: boolean;
  is_active: boolean;
  /** ISO 8601, as all times here; null for somebody who was never here. */
  last_active: string | null;
  joined: string;
  /** In the channels of the export: it has no private channels and no direct messages. */
  messages: number;
}

export interface ChannelActivity {
  id: number;
  name: string;
  privacy: "web-public" | "public" | "private";
  archived: boolean;
  subscribers: number;
  /** Null where there is none, and of private channels. */
  last_message: string | null;
  created: string;
  /** Null of private channels. */
  messages: number | null;
}

export interface Upload {
  id: number;
  name: string;
  owner: { id: number; email: string; name: string } | null;
  size: number;
  created: string;
}

const iso = (seconds: number): string => new Date(Math.floor(seconds * 1000)).toISOString();

/** The greatest number of each id. */
class Latest extends Map<number, number> {
  see(id: number, time: number): void {
    if (time > (this.get(id) ?? Number.NEGATIVE_INFINITY)) this.set(id, time);
  }
}

class Counts extends Map<number, number> {
  add(id: number): void {
    this.set(id, (this.get(id) ?? 0) + 1);
  }
}

const isMessages = (file: string): boolean => /^messages-\d+\.json$/.test(file);

export async function peopleOf(files: Files, source: Source): Promise<PersonActivity[]> {
  const people: Account[] = [];
  const [latest, messages] = [new Latest(), new Counts()];
  const person: TakesRow = (row) => people.push(account(row));
  const last =
    (table: string, ...members: string[]): TakesRow =>
    (row) => {
      const of = new Reader(table, row);
      for (const member of members)
        if (row[member] !== null && row[member] !== undefined) latest.see(of.id("user_profile"), of.time(member));
    };
  const realm = {
    zerver_userprofile: person,
    zerver_useractivity: last("zerver_useractivity", "last_visit"),
    zerver_useractivityinterval: last("zerver_useractivityinterval", "end"),
    zerver_userpresence: last("zerver_userpresence", "last_active_time", "last_connected_time"),
  };
  const message = { zerver_message: (row: Row) => messages.add(new Reader("zerver_message", row).id("sender")) };
  await readExport(files, source, (file) => (file === "realm.json" ? realm : isMessages(file) ? message : undefined));
  return people.map(({ id, name, email, role, is_bot, is_active, joined }) => {
    const seen = latest.get(id);
    return {
      id,
      name,
      email,
      role: roleName(role),
      is_bot,
      is_active,
      last_active: seen === undefined ? null : iso(seen),
      joined: iso(joined),
      messages: messages.get(id) ?? 0,
    };
  });
}

export async function channelsOf(files: Files, source: Source): Promise<ChannelActivity[]> {
  const channels: Row[] = [];
  const [subscribers, messages, latest] = [new Counts(), new Counts(), new Latest()];
  const realm = {
    zerver_stream: (row: Row) => void channels.push(row),
    zerver_subscription: (row: Row) => {
      if (row.active === true && row.is_user_active === true)
        subscribers.add(new Reader("zerver_subscription", row).id("recipient"));
    },
  };
  const message = {
    zerver_message: (row: Row) => {
      const of = new Reader("zerver_message", row);
      const recipient = of.id("recipient");
      messages.add(recipient);
      latest.see(recipient, of.time("date_sent"));
    },
  };
  await readExport(files, source, (file) => (file === "realm.json" ? realm : isMessages(file) ? message : undefined));
  return channels.map((row) => {
    const of = new Reader("zerver_stream", row);
    const recipient = of.id("recipient");
    const isPrivate = of.yes("invite_only");
    const last = latest.get(recipient);
    return {
      id: of.id(),
      name: of.text("name"),
      privacy: isPrivate ? "private" : of.yes("is_web_public") ? "web-public" : "public",
      archived: of.yes("deactivated"),
      subscribers: subscribers.get(recipient) ?? 0,
      last_message: isPrivate || last === undefined ? null : iso(last),
      created: iso(of.time("date_created")),
      messages: isPrivate ? null : (messages.get(recipient) ?? 0),
    };
  });
}

export async function uploadsOf(files: Files, source: Source): Promise<Upload[]> {
  const uploads: Row[] = [];
  const people = new Map<number, Account>();
  const tables: Record<string, Record<string, TakesRow>> = {
    "realm.json": {
      zerver_userprofile: (row) => {
        const person = account(row);
        people.set(person.id, person);
      },
    },
    "attachment.json": { zerver_attachment: (row) => uploads.push(row) },
  };
  await readExport(files, source, (file) => tables[file]);
  return uploads.map((row) => {
    const of = new Reader("zerver_attachment", row);
    const owner = people.get(of.id("owner"));
    return {
      id: of.id(),
      name: of.text("file_name"),
      owner: owner ? { id: owner.id, email: owner.email, name: owner.name } : null,
      size: of.number("size"),
      created: iso(of.time("create_time")),
    };
  });
}
