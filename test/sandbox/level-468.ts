/** Sections of calls of a real server of level 468, with answers and events. Each begins with a new organization. */
import { readFileSync } from "node:fs";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { readWorld } from "../../src/sandbox/world-file.ts";
import type { HttpRequest, Method } from "../../src/world/world.ts";
import { readRecords } from "../records.ts";
import { basicAuth, clockAt, noon, sandboxOf, sortedJson, textOf } from "./client.ts";
import { IdPairs, type Side } from "./id-pairs.ts";
import { multipart } from "./pictures.ts";

interface Call {
  n: number;
  as: string | null;
  method: Method;
  path: string;
  form: { [name: string]: string };
}

interface Answer {
  status: number;
  body: unknown;
  /** New events by the owner of the queue. */
  events?: { [person: string]: unknown[] };
}

interface Row extends Call, Answer {
  section: string;
  case: string;
  /** The call has a picture of 70 bytes. */
  files?: readonly string[];
}

interface Difference {
  n: number;
  case: string;
  real: unknown;
  here: unknown;
}

type Made = { [name: string]: [kind: string, id: number] };
type Ids = { [kind: string]: { [name: string]: number } };

const site = "https://mill.example";
const read = (name: string) => readFileSync(new URL(`../data/level-468/${name}`, import.meta.url), "utf8");
const world = readWorld(read("world.json"));
const ids: { [section: string]: Ids } = JSON.parse(read("ids.json"));
/** Things by their variables, and calls that the recording omits, but whose effect it shows. */
const between: { made: { [section: string]: Made }; calls: { [section: string]: Call[] } } = JSON.parse(
  read("between.json"),
);

const capabilities = Object.fromEntries(
  `notification_settings_null bulk_message_deletion user_avatar_url_field_optional stream_typing_notifications
  user_settings_object linkifier_url_template include_deactivated_groups archived_channels empty_topic_name
  simplified_presence_events`
    .split(/\s+/)
    .map((name) => [name, true]),
);

class Section {
  readonly pairs = new IdPairs();
  readonly #made: Made;
  readonly #sandbox: Sandbox;
  readonly #clock = clockAt(noon + 123);
  readonly #queues = new Map<string, { id: string; last: number }>();
  readonly #credentials = new Map<string, string>();
  #upload = "";

  constructor(name: string) {
    const known = ids[name.replaceAll("-", "_")]!;
    this.#made = between.made[name] ?? {};
    this.#sandbox = sandboxOf({ world, level: 468, rateLimits: false, site, clock: this.#clock });
    const { organization } = this.#sandbox.state;
    organization.host = "users.zulip-468.example.com";
    organization.mail_gateway = true;
    const { users, channels, groups, messages } = this.#sandbox.info();
    for (const { key, email } of world.users) {
      this.pairs.pair("user", known.user![key]!, users.find((each) => each.email === email)!.user_id, key);
    }
    for (const { name, stream_id } of channels) this.pairs.pair("channel", known.channel![name]!, stream_id, name);
    for (const { name, id } of groups) {
      const real = known.group![name];
      if (real !== undefined) this.pairs.pair("group", real, id, name);
    }
    for (const [index, { id }] of messages.entries()) {
      this.pairs.pair("message", known.message![index]!, id, String(index));
    }
  }

  #id(kind: string, name: string): number | undefined {
    const made = this.#made[name];
    return this.pairs.idHere(kind, name) ?? (made && this.pairs.idOfRecorded(...made));
  }

  /** A variable without a thing is one of a call that was refused. */
  #resolve(text: string): string {
    return text.replace(/\{(user|channel|group|message|email|var):([^}]+)\}/g, (_, kind: string, name: string) => {
      if (kind === "email") return world.users.find(({ key }) => key === name)!.email;
      if (name === "u1") return this.#upload;
      return String(this.#id(kind, name) ?? 99_999_999);
    });
  }

  /** The credentials from when the section first used them. Those of a renamed bot are wrong afterwards. */
  #credentialsOf(key: string): string {
    const known = this.#credentials.get(key) ?? basicAuth(this.#sandbox.state.users.get(this.#id("user", key)!)!);
    this.#credentials.set(key, known);
    return known;
  }

  /** Notes the credentials of what the section made, before it is renamed. */
  noteCredentials(): void {
    for (const [name, [kind]] of Object.entries(this.#made))
      if (kind === "user" && this.#id("user", name) !== undefined) this.#credentialsOf(name);
  }

  /** Lets the things get ready that take their time. */
  wait = (): void => this.#clock.forward(5000);

  async call({ as, method, path, form: named, files }: Omit<Call, "n"> & Pick<Partial<Row>, "files">) {
    this.#clock.forward(1);
    const values = Object.entries(named).map(([name, value]): [string, string] => [name, this.#resolve(value)]);
    const search = method === "GET" && values.length > 0 ? `?${new URLSearchParams(values)}` : "";
    const headers: HttpRequest["headers"] = { accept: "application/json" };
    if (as !== null) headers.authorization = this.#credentialsOf(as);
    const request = { method, url: `${site}/api/v1${this.#resolve(path)}${search}`, headers, timeout: 1000 };
    const encoded = { "content-type": "application/x-www-form-urlencoded" };
    const parameters = files
      ? multipart(values, [{ name: "a.png", type: "image/png", content: "png-of-70-bytes" }], headers)
      : { headers: { ...headers, ...encoded }, body: new URLSearchParams(values).toString() };
    const response = await this.#sandbox.handle(method === "GET" ? request : { ...request, ...parameters });
    const text = await textOf(response);
    const body = /^[[{]/.test(text) ? JSON.parse(text) : "<html>";
    if (path === "/user_uploads") this.#upload = body.url;
    return { status: response.status, body };
  }

  async openQueue(person: string): Promise<void> {
    const form = {
      client_capabilities: JSON.stringify(capabilities),
      fetch_event_types: "[]",
      client_gravatar: "false",
    };
    const { body } = await this.call({ as: person, method: "POST", path: "/register", form });
    this.#queues.set(person, { id: body.queue_id, last: -1 });
  }

  async readEvents(): Promise<{ [person: string]: unknown[] }> {
    const found: { [person: string]: unknown[] } = {};
    for (const [person, queue] of this.#queues) {
      const form = { queue_id: queue.id, last_event_id: String(queue.last), dont_block: "true" };
      const { body } = await this.call({ as: person, method: "GET", path: "/events", form });
      if (!body.events) this.#queues.delete(person);
      queue.last = body.events?.at(-1)?.id ?? queue.last;
      found[person] = body.events?.map(({ id: _, ...event }: { id: number }) => event) ?? [
        `<queue gone: ${body.code}>`,
      ];
    }
    return found;
  }
}

interface Event {
  type?: string;
  message?: { sender_email?: string };
}

/** Servers send other events at times of their own. Of exports, only the last state after a change counts. */
const timely = (events: readonly unknown[], method: Method): unknown[] =>
  events.filter((event, index) => {
    const { type, message } = (event ?? {}) as Event;
    if (type === "realm_export")
      return method !== "GET" && index === events.findLastIndex((each) => (each as Event).type === type);
    return type !== "heartbeat" && type !== "presence" && message?.sender_email !== "notification-bot@zulip.com";
  });

/** The kinds of new things by path. Their ids are members called `id`. */
const madeBy: { readonly [kind: string]: RegExp } = {
  linkifier: /^\/realm\/filters/,
  field: /^\/realm\/profile_fields/,
  message: /^\/messages/,
  export: /^\/export\/realm/,
  playground: /^\/realm\/playgrounds/,
  channel: /^\/channels/,
};

/** Replaces the member `id` by a record with it. */
function withKind(path: string, body: unknown): unknown {
  if (!body || typeof body !== "object" || !("id" in body)) return body;
  const { id, ...others } = body;
  const [kind = "made"] = Object.entries(madeBy).find(([, pattern]) => pattern.test(path)) ?? [];
  return { ...others, [kind]: { id } };
}

/** The members that the recording has. It cut the answers of these calls. */
function recordedMembers(row: Row, body: unknown): unknown {
  const isCut =
    row.path === "/server_settings" ||
    (row.path === "/register" && row.section !== "registers") ||
    (row.method === "GET" && row.path === "/messages");
  if (!isCut || !body || typeof body !== "object") return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in (row.body as object)));
}

/** Repeats the calls of a section. Returns how many there are, and those with other answers or events. */
export async function compareSection(name: string, queues: readonly string[]) {
  const section = new Section(name);
  for (const person of queues) await section.openQueue(person);
  await section.readEvents();
  const differences: Difference[] = [];
  const rows = readRecords<Row>(`level-468/${name}`);
  const omitted = [...(between.calls[name] ?? [])];
  for (const row of rows) {
    while (omitted[0] && omitted[0].n < row.n) await section.call(omitted.shift()!);
    await section.readEvents();
    if (row.case.includes("later")) section.wait();
    const answer = await section.call(row);
    const events = await section.readEvents();
    const { pairs } = section;
    const comparable = (side: Side, { status, body, events = {} }: Answer) => ({
      status,
      body: pairs.format(side, withKind(row.path, recordedMembers(row, body))),
      events: Object.fromEntries(
        Object.entries(events)
          .map(([person, list]): [string, unknown[]] => [person, timely(list, row.method)])
          .filter(([, list]) => list.length > 0)
          .map(([person, list]) => [person, list.map((event) => pairs.format(side, event))]),
      ),
    });
    pairs.learn(withKind(row.path, row.body), withKind(row.path, answer.body));
    pairs.learn(row.events ?? {}, events);
    section.noteCredentials();
    const real = comparable("real", row);
    const here = comparable("here", { ...answer, events });
    if (sortedJson(real) !== sortedJson(here)) differences.push({ n: row.n, case: row.case, real, here });
  }
  return { asked: rows.length, differences };
}
