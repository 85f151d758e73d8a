/**
 * Histories: calls that a real server of level 371 was asked, with its answers and what they left behind.
 * Ids stand there as names; this file turns names into a sandbox's ids, and its answers back.
 */
import { readFileSync } from "node:fs";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { readWorld, type WorldFile } from "../../src/sandbox/world-file.ts";
import type { HttpRequest, Method } from "../../src/world.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Record = { [name: string]: Json };

interface Named {
  user?: string | number;
  channel?: string | number;
  group?: string | number;
  message?: number;
}

export interface Step {
  as: string | null;
  method: Method;
  path: (string | Named)[];
  form: { [name: string]: string | { json: Json } };
  status: number;
  body: Json;
  /** Records that the owner sees differently afterwards; absent where none does. */
  changed?: Record;
}

export interface History {
  world: WorldFile;
  start: Record;
  steps: Step[];
}

export function readHistory(name: string): History {
  const file = new URL(`../data/histories/${name}.ndjson`, import.meta.url);
  const [head, ...steps] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { world: readWorld(JSON.stringify(head.world)), start: head.start, steps };
}

const people = new Set(["user_id", "acting_user_id", "bot_owner_id"]);
const peopleLists = new Set(["direct_members", "members", "subscribers", "user_ids"]);
const groupLists = new Set(["direct_subgroups", "direct_subgroup_ids"]);
/** Made by the call; the history tells only that there is one. */
const made = new Set(["id", "ids", "api_key"]);
/** Members that nobody could foresee, or that histories leave out. */
const unforeseen = new Set([
  "date_created",
  "rendered_description",
  "first_message_id",
  "avatar_url",
  "is_recently_active",
  "stream_weekly_traffic",
  "date_joined",
  "export_time",
  "url",
  "stream_post_policy",
  "is_announcement_only",
  "order",
  "avatar_version",
  "subscriber_count",
  "max_message_id",
  "creator_id",
]);

/** A sandbox seen through the names of a history. */
export class Observer {
  readonly #sandbox: Sandbox;
  readonly #ids: { [kind: string]: Map<string, number> };
  readonly #names: { [kind: string]: Map<number, string> };
  readonly #keys = new Map<string, string>();

  constructor(world: WorldFile, options: { level: number }) {
    this.#sandbox = createSandbox({
      site: "https://chat.example",
      clock: { now: () => 1_700_000_000_000 },
      random: mulberry(1),
      world,
      level: options.level,
      rateLimits: false,
    });
    const line = this.#sandbox.info();
    const byEmail = new Map(line.users.map((user) => [user.email, user]));
    for (const { key, email } of world.users) {
      const { api_key } = byEmail.get(email)!;
      this.#keys.set(key, `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`);
    }
    this.#ids = {
      user: new Map(world.users.map(({ key, email }) => [key, byEmail.get(email)!.user_id])),
      channel: new Map(line.channels.map(({ name, stream_id }) => [name, stream_id])),
      group: new Map(line.groups.map(({ name, id }) => [name, id])),
      message: new Map(line.messages.map(({ id }, index) => [String(index), id])),
    };
    const inverse = (ids: Map<string, number>) => new Map([...ids].map(([name, id]) => [id, name]));
    this.#names = Object.fromEntries(Object.entries(this.#ids).map(([kind, ids]) => [kind, inverse(ids)]));
  }

  #named(kind: string, id: number): Json {
    const name = this.#names[kind]!.get(id);
    return name === undefined ? id : `${kind}:${name}`;
  }

  #resolve(value: Json | Named): Json {
    if (Array.isArray(value)) return value.map((each) => this.#resolve(each));
    if (value === null || typeof value !== "object") return value;
    for (const [kind, ids] of Object.entries(this.#ids)) {
      if (!(kind in value)) continue;
      const name = (value as Record)[kind]!;
      return ids.get(String(name)) ?? (kind === "message" ? null : (name as number));
    }
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.#resolve(each as Json)]));
  }

  #words(text: string): string {
    const name = (kind: string) => (_: string, before: string, id: string) => before + this.#named(kind, Number(id));
    return text
      .replace(/(user group ID: |User group |user group )(\d+)/g, name("group"))
      .replace(/(user ID:? |User |member ')(\d+)/g, name("user"))
      .replace(/(unknown channel |Channel with ID ')(\d+)/g, name("channel"))
      .replace(/(unknown user )(\d+)/g, name("user"))
      .replace(/user\d+@\S+/g, "user@");
  }

  #number(value: number, member: string): Json {
    if (people.has(member) || peopleLists.has(member)) return this.#named("user", value);
    if (member === "stream_id") return this.#named("channel", value);
    if (/^can_.*_group$/.test(member) || groupLists.has(member)) return this.#named("group", value);
    return value;
  }

  #list(value: Json[], member: string): Json {
    const each = value.map((item) => this.#view(item, member));
    const known = (name: string) =>
      (each as Record[])
        .filter((record) => typeof record[name] === "string")
        .sort((a, b) => (String(a[name]) < String(b[name]) ? -1 : 1));
    if (member === "members" && typeof value[0] === "object") return known("user_id");
    if (member === "streams") return known("stream_id");
    if (member === "user_groups") return known("name").map(({ id: _, ...record }) => record);
    return peopleLists.has(member) || groupLists.has(member) ? (each as string[]).sort() : each;
  }

  /** An answer, or part of one, as a history writes it. */
  #view(value: Json, member = ""): Json {
    if (member === "match_content") return String(value).includes('<span class="highlight">') ? "highlighted" : "plain";
    if (member === "match_subject") return String(value).replace(/<[^>]+>/g, "");
    if (typeof value === "string") return this.#words(value);
    if (typeof value === "number") return this.#number(value, member);
    if (Array.isArray(value)) return this.#list(value, member);
    if (value === null || typeof value !== "object") return value;
    if ("topic" in value && "to" in value) {
      const kind = value.type === "stream" ? "channel" : "user";
      return { ...value, id: 0, timestamp: 0, to: (value.to as number[]).map((id) => this.#named(kind, id)) };
    }
    const members = Object.entries(value).filter(([name]) => !unforeseen.has(name));
    return Object.fromEntries(
      members.map(([name, each]) => [
        /^\d+$/.test(name) ? String(this.#named("message", Number(name))) : name,
        this.#view(each, name),
      ]),
    );
  }

  async #call(as: string | null, method: Method, path: string, form: URLSearchParams) {
    const headers: HttpRequest["headers"] = { accept: "application/json" };
    if (as !== null) headers.authorization = this.#keys.get(as)!;
    const query = method === "GET" && form.size > 0 ? `?${form}` : "";
    const request: HttpRequest = { method, url: `https://chat.example/api/v1${path}${query}`, headers, timeout: 1000 };
    if (method !== "GET") {
      headers["content-type"] = "application/x-www-form-urlencoded";
      request.body = form.toString();
    }
    const { status, body } = await this.#sandbox.handle(request);
    let text = "";
    for await (const chunk of body) text += new TextDecoder().decode(chunk);
    return { status, text };
  }

  /** Asks what the step asks, and gives the answer as a history writes it. */
  async ask({ as, method, path, form }: Step): Promise<{ status: number; body: Json }> {
    const target = path.map((part) => (typeof part === "string" ? part : this.#resolve(part))).join("");
    const sent = Object.entries(form).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(this.#resolve(value.json)),
    ]);
    const { status, text } = await this.#call(as, method, target, new URLSearchParams(sent as [string, string][]));
    let answer: Json;
    try {
      answer = JSON.parse(text);
    } catch {
      return { status, body: "<html>" };
    }
    if (answer === null || typeof answer !== "object" || Array.isArray(answer)) return { status, body: answer };
    const stripped = Object.entries(answer).map(([name, value]) => {
      if (!made.has(name)) return [name, value];
      return [name, Array.isArray(value) ? `${value.length} ids` : "set"];
    });
    return { status, body: this.#view(Object.fromEntries(stripped)) };
  }

  /** What the owner sees of channels and groups, by name. */
  async state(): Promise<Record> {
    const everything = { include_all: "true", exclude_archived: "false", include_default: "true" };
    const channels = await this.#call("owner", "GET", "/streams", new URLSearchParams(everything));
    const groups = await this.#call("owner", "GET", "/user_groups", new URLSearchParams());
    const { streams } = this.#view(JSON.parse(channels.text)) as { streams: Record[] };
    const { user_groups } = this.#view(JSON.parse(groups.text)) as { user_groups: Record[] };
    return Object.fromEntries([
      ...streams.map((each) => [each.stream_id, each]),
      ...user_groups.map((each) => [`group:${each.name}`, each]),
    ]);
  }
}

/** Random numbers that are the same every time. */
export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** JSON whose members stand in one order, for comparing. */
export const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

/** The records of `now` that differ from `before`; null for those that are gone. */
export const changes = (before: Record, now: Record): Record =>
  Object.fromEntries(
    Object.keys({ ...before, ...now })
      .filter((name) => sorted(before[name]) !== sorted(now[name]))
      .map((name) => [name, now[name] ?? null]),
  );
