/** The organization that every simulated run changes, and rows that change it, some of them in vain. */
import { updateChannel } from "../../src/api/channels.ts";
import { createDrafts } from "../../src/api/drafts.ts";
import { createFolder } from "../../src/api/folders.ts";
import { updateMembers } from "../../src/api/groups.ts";
import { type Change, change } from "../../src/engine/change.ts";
import type { ChangeRow } from "../../src/engine/reorder-buffer.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { HttpRequest } from "../../src/world.ts";
import { Chance } from "./chance.ts";

export const site = "https://chat.example";
const people = 14;
/** Members of the first group from the beginning. */
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
const world = {
  web_public: false,
  users: keys.map((_, n) => user(n)),
  channels: [
    {
      name: "general",
      description: "",
      privacy: "public" as const,
      archived: false,
      default: false,
      subscribers: ["u0"],
      creator: "u0",
    },
  ],
  groups: [group("one", keys.slice(1, 1 + before)), group("two", [])],
  messages: [],
};

let template: Sandbox["state"] | undefined;

/** Made anew for each story: none sees what another did, or how many there were before. */
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

/** What one change is to bring about. */
export interface Part {
  /** As one finds it again in requests: `7 + 12`, `folder F3`. */
  things: string[];
  /** Whether reading can tell if it was applied. */
  membership: boolean;
  /** All of it is so from the beginning: the server must refuse it, and reading says that it is done. */
  vain: boolean;
  /** Some of it is so from the beginning, and reading it along with others cannot tell. */
  muddling: boolean;
  /** The server does it, unless somebody else comes first. */
  possible: boolean;
}

export interface Wish {
  row: ChangeRow;
  /** One for each change of the row. */
  parts: Part[];
}

export interface People {
  owner: { email: string; key: string };
  users: number[];
  groups: { id: number; members: number[] }[];
  channel: number;
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
    channel: [...state.channels.keys()][0]!,
  };
}

const words = (target: string) => ({ target, done: "Done.", verifyWith: "zulipctl group list" });

interface Made extends Part {
  changed: Change;
}

/** Makes rows. No two changes of all that one of these makes concern the same thing. */
export class Wishes {
  readonly #chance: Chance;
  readonly #people: People;
  /** How likely a row asks for what is so already. */
  readonly #vanity: number;
  /** Memberships that no row has asked for yet. */
  readonly #free: { group: number; user: number; present: boolean }[];
  #serial = 0;

  constructor(chance: Chance, people: People) {
    this.#chance = chance;
    this.#people = people;
    this.#vanity = chance.of([0.08, 0.08, 0.5]);
    this.#free = people.groups.flatMap(({ id, members }) =>
      people.users.map((user) => ({ group: id, user, present: members.includes(user) })),
    );
  }

  rows(count: number): Wish[] {
    return Array.from({ length: count }, (_, n) => {
      const made = Array.from({ length: this.#chance.hits(0.1) ? this.#chance.whole(2, 3) : 1 }, () => this.#made());
      return { row: { row: n + 1, changes: made.map(({ changed }) => changed) }, parts: made };
    });
  }

  #made(): Made {
    const kind = this.#chance.whole(0, 9);
    const made = kind < 7 ? this.#membership() : kind === 7 ? this.#folder() : kind === 8 ? this.#draft() : undefined;
    return made ?? this.#channel();
  }

  #membership(): Made | undefined {
    const chance = this.#chance;
    const first = this.#free[chance.whole(0, this.#free.length - 1)];
    if (!first) return undefined;
    const { group } = first;
    const args: { add: number[]; delete: number[] } = { add: [], delete: [] };
    const things: string[] = [];
    let vain = 0;
    let possible = true;
    for (let n = chance.hits(0.15) ? chance.whole(2, 3) : 1; n > 0; n--) {
      const found = this.#free.find((free) => free.group === group && (things.length > 0 || free === first));
      if (!found) break;
      this.#free.splice(this.#free.indexOf(found), 1);
      const nobody = chance.hits(0.05);
      const user = nobody ? 90_000 + this.#serial++ : found.user;
      const present = !nobody && found.present;
      // Now and then what cannot be done: somebody added who is there, or removed who is not.
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

  #channel(): Made {
    const description = `description ${this.#serial++}`;
    const changed = change(updateChannel, { stream_id: this.#people.channel, description }, words("general"));
    return this.#single(changed, description, true);
  }
}

/** The things that a request asks for; none for a read. */
export function thingsOf({ method, url, body = "" }: HttpRequest): string[] {
  if (method === "GET") return [];
  const { pathname } = new URL(url);
  const form = new URLSearchParams(body);
  const list = (name: string): unknown[] => JSON.parse(form.get(name) ?? "[]");
  const group = /user_groups\/(\d+)\/members/.exec(pathname)?.[1];
  if (group) return [...list("add").map((id) => `${group} + ${id}`), ...list("delete").map((id) => `${group} - ${id}`)];
  if (pathname.endsWith("/channel_folders/create")) return [`folder ${form.get("name")}`];
  if (pathname.endsWith("/drafts")) return (list("drafts") as { content: string }[]).map(({ content }) => content);
  return [form.get("description")!];
}

/** What a thing is changed of. */
export const targetOf = (thing: string): string => (thing.startsWith("folder ") ? thing : thing.split(" ")[0]!);
