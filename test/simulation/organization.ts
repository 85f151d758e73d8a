/** The organization that every simulated run changes, and rows that change it. Some rows change nothing. */
import { updateChannel } from "../../src/api/channels.ts";
import { createDrafts } from "../../src/api/drafts.ts";
import { createFolder } from "../../src/api/folders.ts";
import { updateMembers } from "../../src/api/groups.ts";
import { subscribe, unsubscribe } from "../../src/api/subscriptions.ts";
import { type Change, change } from "../../src/engine/change.ts";
import type { ChangeRow } from "../../src/engine/task.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import type { HttpRequest } from "../../src/world/world.ts";
import { words } from "../engine/transport.ts";
import { Chance } from "./chance.ts";

export const site = "https://chat.example";
const people = 14;
/** The initial members of the first group. */
const before = 5;

const user = (n: number) => ({
  key: `u${n}`,
  full_name: `Person ${n}`,
  email: `u${n}@chat.example`,
  role: n === 0 ? (100 as const) : (400 as const),
  bot: false,
  active: true,
});
const keys = Array.from({ length: people }, (_, n) => `u${n}`);
const group = (name: string, members: string[]) => ({ name, description: "", members, subgroups: [], creator: "u0" });
const channel = (name: string, subscribers: string[]) => ({
  name,
  description: "",
  privacy: "public" as const,
  archived: false,
  default: false,
  subscribers,
  creator: "u0",
});
const world = {
  web_public: false,
  users: keys.map((_, n) => user(n)),
  channels: [channel("general", keys.slice(0, 4)), channel("club", ["u0"]), channel("attic", ["u0"])],
  groups: [group("one", keys.slice(1, 1 + before)), group("two", [])],
  messages: [],
};

let template: Sandbox["state"] | undefined;

/** Created for each story, so that stories are independent. */
export function organization(now: () => number): Sandbox {
  const chances = () => {
    const chance = new Chance(7);
    return () => chance.next();
  };
  const made = { site, clock: { now: () => Date.UTC(2026, 0, 15) }, random: chances(), world };
  template ??= createSandbox(made).state;
  const state = structuredClone(template);
  return createSandbox({ site, clock: { now }, random: chances(), state, rateLimits: false });
}

/** The effect of one change. */
export interface Part {
  /** As requests show it: `7 + 12`, `folder F3`. */
  things: string[];
  /** Whether a read shows if it was applied. */
  membership: boolean;
  /** It is already done at the start. The server must refuse it, and a read shows it as done. */
  vain: boolean;
  /** A part is already done at the start, so a read cannot tell whether it was applied. */
  muddling: boolean;
  /** The server accepts it, unless somebody else did it before. */
  possible: boolean;
}

export interface PlannedRow {
  row: ChangeRow;
  /** One for each change of the row. */
  parts: Part[];
}

/** Every name of a channel in a story begins with its first name. */
export interface SimulatedChannel {
  id: number;
  name: string;
  subscribers: number[];
}

export interface People {
  owner: { email: string; key: string };
  users: number[];
  groups: { id: number; members: number[] }[];
  channels: SimulatedChannel[];
}

export function peopleOf({ state }: Sandbox): People {
  const users = [...state.users.values()];
  const owner = users.find(({ role }) => role === 100)!;
  return {
    owner: { email: owner.delivery_email, key: owner.api_key },
    users: users.filter(({ bot_type }) => bot_type === null).map(({ user_id }) => user_id),
    groups: [...state.groups.values()]
      .filter(({ is_system_group }) => !is_system_group)
      .map(({ id, members }) => ({ id, members: [...members] })),
    channels: [...state.channels.values()].map(({ stream_id, name, subscribers }) => ({
      id: stream_id,
      name,
      subscribers: [...subscribers],
    })),
  };
}

interface Made extends Part {
  changed: Change;
}

/** A membership that no row has changed yet. */
interface Free {
  /** A group `7` or a channel `#general`. */
  of: string;
  user: number;
  present: boolean;
}

/** Makes rows. No two changes of one generator are about the same thing. */
export class Desired {
  readonly #chance: Chance;
  readonly #people: People;
  /** The probability that a row changes nothing. */
  readonly #vanity: number;
  readonly #free: Free[];
  #serial = 0;

  constructor(chance: Chance, people: People) {
    this.#chance = chance;
    this.#people = people;
    this.#vanity = chance.of([0.08, 0.08, 0.5]);
    const free = (of: string, members: readonly number[]): Free[] =>
      people.users.map((user) => ({ of, user, present: members.includes(user) }));
    this.#free = [
      ...people.groups.flatMap(({ id, members }) => free(String(id), members)),
      ...people.channels.flatMap(({ name, subscribers }) => free(`#${name}`, subscribers)),
    ];
  }

  /** Each batch renames a channel of its own: runs do not know of others' renames. */
  rows(count: number, batch = 0): PlannedRow[] {
    return Array.from({ length: count }, (_, n) => {
      const made = Array.from({ length: this.#chance.hits(0.1) ? this.#chance.whole(2, 3) : 1 }, () =>
        this.#made(this.#people.channels[batch]!),
      );
      return { row: { row: n + 1, changes: made.map(({ changed }) => changed) }, parts: made };
    });
  }

  #made(channel: SimulatedChannel): Made {
    const kind = this.#chance.whole(0, 11);
    const made =
      kind < 6
        ? this.#membership()
        : kind < 9
          ? this.#subscription(channel)
          : kind === 9
            ? this.#folder()
            : kind === 10
              ? this.#draft()
              : undefined;
    return made ?? this.#channel(channel);
  }

  #membership(): Made | undefined {
    const chance = this.#chance;
    const groups = this.#free.filter(({ of }) => !of.startsWith("#"));
    const first = groups[chance.whole(0, Math.max(0, groups.length - 1))];
    if (!first) return undefined;
    const group = Number(first.of);
    const args: { add: number[]; delete: number[] } = { add: [], delete: [] };
    const things: string[] = [];
    let vain = 0;
    let possible = true;
    for (let n = chance.hits(0.15) ? chance.whole(2, 3) : 1; n > 0; n--) {
      const found = this.#free.find((free) => free.of === first.of && (things.length > 0 || free === first));
      if (!found) break;
      this.#free.splice(this.#free.indexOf(found), 1);
      const nobody = chance.hits(0.05);
      const user = nobody ? 90_000 + this.#serial++ : found.user;
      const present = !nobody && found.present;
      // Sometimes an impossible change: adding a member, or removing somebody who is not a member.
      const add = chance.hits(this.#vanity) ? present : !present;
      args[add ? "add" : "delete"].push(user);
      things.push(`${group} ${add ? "+" : "-"} ${user}`);
      if (add === present) vain++;
      if (add === present || nobody) possible = false;
    }
    const given = Object.fromEntries(Object.entries(args).filter(([, ids]) => ids.length));
    const changed = change(updateMembers, { user_group_id: group, ...given }, words(`group ${group}`));
    return { changed, things, membership: true, vain: vain === things.length, muddling: vain > 0, possible };
  }

  #single(changed: Change, thing: string, possible: boolean): Made {
    return { changed, things: [thing], membership: false, vain: false, muddling: false, possible };
  }

  #folder(): Made {
    const long = this.#chance.hits(0.2);
    const name = `${long ? "x".repeat(61) : "F"}${this.#serial++}`;
    return this.#single(change(createFolder, { name, description: "" }, words(name)), `folder ${name}`, !long);
  }

  #draft(): Made {
    const content = `draft ${this.#serial++}`;
    const bad = this.#chance.hits(0.2);
    const draft = { type: bad ? ("stream" as const) : ("" as const), to: bad ? [99_999] : [], topic: "", content };
    return this.#single(change(createDrafts, { drafts: [draft] }, words("a draft")), content, !bad);
  }

  /** Servers accept changes that are already done. */
  #subscription({ id, name }: SimulatedChannel): Made | undefined {
    const chance = this.#chance;
    const all = this.#free.filter(({ of }) => of === `#${name}`);
    if (!all.length) return undefined;
    const add = chance.hits(0.7);
    const wanted = all.filter(({ present }) => (chance.hits(this.#vanity) ? present === add : present !== add));
    const found = (wanted.length ? wanted : all).slice(0, chance.hits(0.15) ? chance.whole(2, 3) : 1);
    for (const each of found) this.#free.splice(this.#free.indexOf(each), 1);
    const nobody = chance.hits(0.05);
    const principals = nobody ? [90_000 + this.#serial++] : found.map(({ user }) => user);
    const things = principals.map((user) => `#${name} ${add ? "+" : "-"} ${user}`);
    // Unknown people are not subscribed either.
    const so = nobody ? Number(!add) : found.filter(({ present }) => present === add).length;
    const told = words(`channel ${id}`);
    const changed = add
      ? change(subscribe, { subscriptions: [{ name }], principals, stream_id: id }, told)
      : change(unsubscribe, { subscriptions: [name], principals, stream_id: id }, { ...told, afterAdditions: true });
    return { changed, things, membership: true, vain: so === things.length, muddling: so > 0, possible: !nobody };
  }

  #channel({ id, name }: SimulatedChannel): Made {
    const word = `${name} ${this.#serial++}`;
    if (this.#chance.hits(0.4)) {
      const long = this.#chance.hits(0.2);
      const new_name = long ? `${word} ${"x".repeat(60)}` : word;
      const changed = change(updateChannel, { stream_id: id, new_name }, words(name));
      return this.#single(changed, `#${name} called ${new_name}`, !long);
    }
    const changed = change(updateChannel, { stream_id: id, description: word }, words(name));
    return this.#single(changed, `#${name} described ${word}`, true);
  }
}

const firstWord = (text: string): string => text.split(" ")[0]!;

/** Returns the things that a request changes. Empty for a read. */
export function thingsOf({ method, url, body = "" }: HttpRequest): string[] {
  if (method === "GET") return [];
  const { pathname } = new URL(url);
  const form = new URLSearchParams(body);
  const list = (name: string): unknown[] => JSON.parse(form.get(name) ?? "[]");
  const group = /user_groups\/(\d+)\/members/.exec(pathname)?.[1];
  if (group) return [...list("add").map((id) => `${group} + ${id}`), ...list("delete").map((id) => `${group} - ${id}`)];
  if (pathname.endsWith("/users/me/subscriptions")) {
    const [named] = list("subscriptions") as (string | { name: string })[];
    const name = firstWord(typeof named === "object" ? named.name : named!);
    return list("principals").map((id) => `#${name} ${method === "POST" ? "+" : "-"} ${id}`);
  }
  if (pathname.endsWith("/channel_folders/create")) return [`folder ${form.get("name")}`];
  if (pathname.endsWith("/drafts")) return (list("drafts") as { content: string }[]).map(({ content }) => content);
  const [name, described] = [form.get("new_name"), form.get("description")];
  return [name === null ? `#${firstWord(described!)} described ${described}` : `#${firstWord(name)} called ${name}`];
}

/** Returns the target of a thing. */
export const targetOf = (thing: string): string => (thing.startsWith("folder ") ? thing : thing.split(" ")[0]!);

/** Returns the path of the read that lists the members. */
export function readOf(thing: string): string {
  const of = targetOf(thing);
  if (!of.startsWith("#")) return `/user_groups/${of}/members`;
  const found = [...template!.channels.values()].find(({ name }) => name === of.slice(1))!;
  return `/streams/${found.stream_id}/members`;
}

/** Returns the name of the channel in a request. Undefined for other requests. */
export function nameIn({ method, url, body = "" }: HttpRequest): string | undefined {
  if (method === "GET" || !url.endsWith("/users/me/subscriptions")) return undefined;
  const [named] = JSON.parse(new URLSearchParams(body).get("subscriptions")!) as (string | { name: string })[];
  return typeof named === "object" ? named.name : named;
}

/** Returns the new name of a channel in a request. Undefined for other requests. */
export const newNameIn = ({ body = "" }: HttpRequest): string | undefined =>
  new URLSearchParams(body).get("new_name") ?? undefined;
