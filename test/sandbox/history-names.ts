/** The names by which histories call things, and the ids that a sandbox gave them. */
import type { SandboxInfo } from "../../src/embedded.ts";
import type { WorldFile } from "../../src/sandbox/world-file.ts";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Members = { [name: string]: Json };

/** Things that are called by their place in the order of making. */
const counted = ["linkifier", "field", "playground", "invitation", "link", "draft"] as const;

export type Kind = "user" | "channel" | "group" | "message" | (typeof counted)[number];

const isCounted = (kind: string): boolean => counted.some((each) => each === kind);

interface Queue {
  id: string;
  last: number;
}

export class Names {
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly queues: Queue[] = [];

  #know(kind: Kind, name: string | number, id: number): void {
    this.#ids.set(`${kind}:${name}`, id);
    this.#names.set(`${kind} ${id}`, `${kind}:${name}`);
  }

  constructor(world: WorldFile, line: Pick<SandboxInfo, "users" | "channels" | "groups" | "messages">) {
    for (const { key, email } of world.users) {
      this.#know("user", key, line.users.find((each) => each.email === email)!.user_id);
    }
    for (const { name, stream_id } of line.channels) this.#know("channel", name, stream_id);
    for (const { name, id } of line.groups) this.#know("group", name, id);
    for (const [index, { id }] of line.messages.entries()) this.#know("message", index, id);
  }

  /** The name of a thing, or its id where it has none. */
  of(kind: Kind, id: number | string): Json {
    return this.#names.get(`${kind} ${id}`) ?? (id as Json);
  }

  has(kind: Kind, id: number): boolean {
    return this.#names.has(`${kind} ${id}`);
  }

  /** Gives a name to a new thing: the name of its creation, with a number for a second one, or its place. */
  learn(kind: Kind, id: number, name = ""): void {
    if (this.has(kind, id)) return;
    if (isCounted(kind)) {
      let place = 0;
      while (this.#ids.has(`${kind}:${place}`)) place += 1;
      this.#know(kind, place, id);
      return;
    }
    let free = name;
    for (let n = 2; this.#ids.has(`${kind}:${free}`); n++) free = `${name}~${n}`;
    this.#know(kind, free, id);
  }

  /** Names to ids, in a path, a parameter or a JSON document. */
  resolve(value: Json): Json {
    if (Array.isArray(value)) return value.map((each) => this.resolve(each));
    if (value === null || typeof value !== "object") return value;
    for (const kind of ["user", "channel", "group", "message"] as const) {
      if (!(kind in value)) continue;
      const id = this.#ids.get(`${kind}:${value[kind]}`);
      return id ?? (typeof value[kind] === "number" ? value[kind] : null);
    }
    const [[kind, place] = ["", null], ...others] = Object.entries(value);
    if (others.length === 0 && typeof place === "number") {
      if (isCounted(kind)) return this.#ids.get(`${kind}:${place}`) ?? null;
      if (kind === "queue") return this.queues[place]?.id ?? "undefined";
      if (kind === "last") return this.queues[place]?.last ?? "undefined";
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.resolve(each)]));
  }

  /** The words of a message with names in place of ids. */
  words(text: string): string {
    const named = (kind: Kind) => (_: string, before: string, id: string) => before + this.of(kind, id);
    const queued = this.queues.reduce((all, { id }, place) => all.replaceAll(id, `queue:${place}`), text);
    return queued
      .replace(/(user group ID: |User group |user group )(\d+)/g, named("group"))
      .replace(/(user ID:? |User |member '|unknown user )(\d+)/g, named("user"))
      .replace(/(unknown channel |Channel with ID '|channel ID )(\d+)/g, named("channel"))
      .replace(/(Field id )(\d+)/g, named("field"))
      .replace(/user\d+@[\w.-]+/g, "user@")
      .replace(/Event \d+ was not|newer than \d+ has/g, (found) => found.replace(/\d+/, "#"));
  }
}
