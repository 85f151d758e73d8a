/** The names of things in histories, and their ids in a sandbox. */

import type { WorldFile } from "../../src/sandbox/world-file.ts";
import type { SandboxInfo } from "../../src/world/embedded.ts";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Members = { [name: string]: Json };

/** Things whose name is a number in the order of creation. */
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

  /** The name of a thing, or its id if it has none. */
  of(kind: Kind, id: number | string): Json {
    return this.#names.get(`${kind} ${id}`) ?? (id as Json);
  }

  has(kind: Kind, id: number): boolean {
    return this.#names.has(`${kind} ${id}`);
  }

  /** Names a new thing: by its name at creation, with a number for a second one, or by its position. */
  learn(kind: Kind, id: number, name = ""): void {
    if (this.has(kind, id)) return;
    if (isCounted(kind)) {
      let position = 0;
      while (this.#ids.has(`${kind}:${position}`)) position += 1;
      this.#know(kind, position, id);
      return;
    }
    let free = name;
    for (let n = 2; this.#ids.has(`${kind}:${free}`); n++) free = `${name}~${n}`;
    this.#know(kind, free, id);
  }

  /** Replaces names with ids in a path, a parameter or a JSON document. */
  resolve(value: Json): Json {
    if (Array.isArray(value)) return value.map((each) => this.resolve(each));
    if (value === null || typeof value !== "object") return value;
    for (const kind of ["user", "channel", "group", "message"] as const) {
      if (!(kind in value)) continue;
      const id = this.#ids.get(`${kind}:${value[kind]}`);
      return id ?? (typeof value[kind] === "number" ? value[kind] : null);
    }
    const [[kind, position] = ["", null], ...others] = Object.entries(value);
    if (others.length === 0 && typeof position === "number") {
      if (isCounted(kind)) return this.#ids.get(`${kind}:${position}`) ?? null;
      if (kind === "queue") return this.queues[position]?.id ?? "undefined";
      if (kind === "last") return this.queues[position]?.last ?? "undefined";
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.resolve(each)]));
  }

  /** Replaces ids with names in a text. */
  words(text: string): string {
    const named = (kind: Kind) => (_: string, before: string, id: string) => before + this.of(kind, id);
    const queued = this.queues.reduce((all, { id }, position) => all.replaceAll(id, `queue:${position}`), text);
    return queued
      .replace(/(user group ID: |User group |user group )(\d+)/g, named("group"))
      .replace(/(user ID:? |User |member '|unknown user )(\d+)/g, named("user"))
      .replace(/(unknown channel |Channel with ID '|channel ID )(\d+)/g, named("channel"))
      .replace(/(Field id )(\d+)/g, named("field"))
      .replace(/user\d+@[\w.-]+/g, "user@")
      .replace(/Event \d+ was not|newer than \d+ has/g, (found) => found.replace(/\d+/, "#"));
  }
}
