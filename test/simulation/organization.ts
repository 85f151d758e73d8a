/** The organization that every simulated run changes, and rows that change it, some of them in vain. */
import { updateChannel } from "../../src/api/channels.ts";
import { createDrafts } from "../../src/api/drafts.ts";
import { createFolder } from "../../src/api/folders.ts";
import { updateMembers } from "../../src/api/groups.ts";
import { type Change, change } from "../../src/engine/change.ts";
import type { Row } from "../../src/engine/window.ts";
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

/** What a row is to bring about, as one finds it again in requests: `7 + 12`, `folder F3`. */
export interface Wish {
  row: Row;
  things: string[];
  /** Whether reading can tell if it was applied. */
  membership: boolean;
  /** The membership is as wished from the beginning, so that the server must refuse it and reading says that it is done. */
  vain: boolean;
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

const words = (target: string) => ({ target, sentence: () => "Done.", check: "zulipctl group list" });

interface Made {
  changed: Change;
  things: string[];
  vain?: boolean;
}

/** Makes rows. No two rows of all that one of these makes concern the same thing. */
export class Wishes {
  readonly #chance: Chance;
  readonly #people: People;
  /** Memberships that no row has asked for yet. */
  readonly #free: { group: number; user: number; present: boolean }[];
  #serial = 0;

  constructor(chance: Chance, people: People) {
    this.#chance = chance;
    this.#people = people;
    this.#free = people.groups.flatMap(({ id, members }) =>
      people.users.map((user) => ({ group: id, user, present: members.includes(user) })),
    );
  }

  rows(count: number): Wish[] {
    return Array.from({ length: count }, (_, n) => this.#row(n + 1));
  }

  #row(row: number): Wish {
    const kind = this.#chance.whole(0, 9);
    const made = kind < 7 ? this.#membership() : kind === 7 ? this.#folder() : kind === 8 ? this.#draft() : undefined;
    const { changed, things, vain = false } = made ?? this.#channel();
    return { row: { row, changes: [changed] }, things, membership: kind < 7, vain };
  }

  #membership(): Made {
    const at = this.#chance.whole(0, this.#free.length - 1);
    const found = this.#free.splice(at, 1)[0];
    const { group, user, present } = found ?? { group: this.#people.groups[0]!.id, user: 0, present: false };
    const somebody = found !== undefined && !this.#chance.hits(0.05);
    const known = somebody ? user : 90_000 + this.#serial++;
    // Now and then what cannot be done: somebody added who is there, or removed who is not.
    const add = this.#chance.hits(0.08) ? present : !present;
    return {
      changed: change(
        updateMembers,
        { user_group_id: group, ...(add ? { add: [known] } : { delete: [known] }) },
        words(`group ${group}`),
      ) as Change,
      things: [`${group} ${add ? "+" : "-"} ${known}`],
      vain: add === (somebody && present),
    };
  }

  #folder(): Made {
    const name = `${this.#chance.hits(0.2) ? "x".repeat(61) : "F"}${this.#serial++}`;
    return {
      changed: change(createFolder, { name, description: "" }, words(name)) as Change,
      things: [`folder ${name}`],
    };
  }

  #draft(): Made {
    const content = `draft ${this.#serial++}`;
    const bad = this.#chance.hits(0.2);
    const draft = { type: bad ? ("stream" as const) : ("" as const), to: bad ? [99_999] : [], topic: "", content };
    return { changed: change(createDrafts, { drafts: [draft] }, words("a draft")) as Change, things: [content] };
  }

  #channel(): Made {
    const description = `description ${this.#serial++}`;
    const { channel } = this.#people;
    return {
      changed: change(updateChannel, { stream_id: channel, description }, words("general")) as Change,
      things: [description],
    };
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
