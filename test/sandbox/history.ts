/** Histories: calls of a real server, with its answers, its events and the state afterwards. */
import { readFileSync } from "node:fs";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { readWorld, type WorldFile } from "../../src/sandbox/world-file.ts";
import type { Method } from "../../src/world/world.ts";
import { basicAuth, sandboxOf, sendRequest } from "./client.ts";
import { type Json, type Kind, type Members, Names } from "./history-names.ts";
import { compareBy, View } from "./history-view.ts";

export interface Step {
  as: string | null;
  method: Method;
  path: Json[];
  form: { [name: string]: Json };
  status: number;
  body: Json;
  /** The records that the owner sees changed afterwards. */
  changed?: Members;
}

interface History {
  world: WorldFile;
  level: number;
  /** The first form has only answers that can be compared. */
  form: 1 | 2;
  start: Members;
  steps: Step[];
}

export function readHistory(name: string): History {
  const file = new URL(`../data/histories/${name}.ndjson`, import.meta.url);
  const [head, ...steps] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const { world, feature_level: level, form = 1, start } = head;
  return { world: readWorld(JSON.stringify(world)), level, form, start, steps };
}

const reading = ["GET", "HEAD", "OPTIONS"];
/** Refused calls of these paths may have had a part of their effect. */
const partialPaths = ["/streams/", "/realm", "/realm/user_settings_defaults", "/invites"];
/** Calls of these paths change nothing that is compared. */
const ignoredPaths = ["/register", "/events", "/fetch_api_key", "/drafts", "/drafts/"];

const parts = `realm realm_user realm_user_groups subscription default_streams custom_profile_fields realm_domains
  realm_playgrounds realm_linkifiers realm_user_settings_defaults`.split(/\s+/);
const capabilities = {
  notification_settings_null: false,
  linkifier_url_template: true,
  include_deactivated_groups: true,
  archived_channels: true,
};
const personalMembers =
  `audible_notifications desktop_notifications email_notifications in_home_view is_muted pin_to_top
  push_notifications wildcard_mentions_notify`.split(/\s+/);
const omit = (record: Members, names: readonly string[]): Members =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

type Records = Members[];

export class Observer {
  readonly #sandbox: Sandbox;
  readonly #keys: Map<string, string>;
  readonly #names: Names;
  readonly #view: View;

  constructor(world: WorldFile, { level }: { level: number }) {
    this.#sandbox = sandboxOf({ world, level, rateLimits: false });
    const users = [...this.#sandbox.state.users.values()];
    this.#keys = new Map(
      world.users.map(({ key, email }) => [key, basicAuth(users.find((each) => each.delivery_email === email)!)]),
    );
    this.#names = new Names(world, this.#sandbox.info());
    this.#view = new View(this.#names);
  }

  async #call(as: string | null, method: Method, path: string, form: Record<string, string>) {
    const headers = { accept: "application/json", ...(as !== null && { authorization: this.#keys.get(as)! }) };
    const parameters = method === "GET" ? { query: form } : { form };
    const { status, body } = await sendRequest(this.#sandbox, method, path, { headers, ...parameters });
    return { status, body: (typeof body === "string" ? "<html>" : body) as Json };
  }

  #learn(kind: Kind, records: Records, by = "id"): void {
    const key = (record: Members) => String(record[by]).padStart(20);
    for (const each of [...records].sort(compareBy(key))) this.#names.learn(kind, each.id as number, String(each.name));
  }

  /** Returns what the owner sees of the organization. Gives names to new things. */
  async readOrganization(): Promise<Members> {
    const form = {
      fetch_event_types: JSON.stringify(parts),
      event_types: '["realm_domains"]',
      client_capabilities: JSON.stringify(capabilities),
      include_subscribers: "true",
    };
    const state = (await this.#call("owner", "POST", "/register", form)).body as Members;
    const invites = ((await this.#call("owner", "GET", "/invites", {})).body as Members).invites as Records;
    await this.#call("owner", "DELETE", "/events", { queue_id: state.queue_id as string });
    const list = (name: string) => state[name] as Records;
    const channels = Object.entries({
      subscriptions: "subscribed",
      unsubscribed: "once",
      never_subscribed: "never",
    }).flatMap(([name, owner]) => list(name).map((channel) => ({ channel, owner })));
    this.#learn(
      "channel",
      channels.map(({ channel }) => ({ ...channel, id: channel.stream_id! })),
    );
    this.#learn("group", list("realm_user_groups"));
    this.#learn("linkifier", list("realm_linkifiers"));
    this.#learn("field", list("custom_profile_fields"));
    this.#learn("playground", list("realm_playgrounds"));
    this.#learn(
      "invitation",
      invites.filter(({ is_multiuse }) => !is_multiuse),
      "email",
    );
    this.#learn(
      "link",
      invites.filter(({ is_multiuse }) => is_multiuse),
    );
    return this.#records(state, channels, invites);
  }

  #records(state: Members, channels: { channel: Members; owner: string }[], invites: Records): Members {
    const view = this.#view;
    const shown = view.format(state) as Members;
    const out: Members = {};
    const put = (records: Json, by: string, more: Members = {}) => {
      for (const each of records as Records) out[String(each[by])] = { ...each, ...more };
    };
    for (const { channel, owner } of channels) {
      const record = omit(view.format(channel) as Members, personalMembers);
      out[String(record.stream_id)] = { ...record, owner };
    }
    put(shown.realm_user_groups!, "id");
    put(shown.realm_users!, "user_id", { is_active: true });
    put(shown.realm_non_active_users!, "user_id", { is_active: false });
    for (const [member, name] of [
      ["realm_linkifiers", "linkifiers"],
      ["custom_profile_fields", "fields"],
    ] as const) {
      put(shown[member]!, "id");
      out[name] = (shown[member] as Records).map(({ id }) => id!);
    }
    put(shown.realm_playgrounds!, "id");
    put(view.format(invites, "invites"), "id");
    for (const { domain, allow_subdomains } of state.realm_domains as Records) {
      out[`domain:${domain}`] = { allow_subdomains: allow_subdomains! };
    }
    out["default channels"] = shown.realm_default_streams!;
    const lists = [...parts, "realm_users", "realm_non_active_users", "realm_default_streams"];
    for (const [name, value] of Object.entries(shown)) {
      if (name.startsWith("realm_") && !lists.includes(name)) out[`realm:${name.slice(6)}`] = value;
    }
    for (const [name, value] of Object.entries(state.realm_user_settings_defaults as Members)) {
      if (!Array.isArray(value)) out[`default:${name}`] = value;
    }
    return out;
  }

  #changes({ method, path }: Step, status: number): boolean {
    const [start] = path as string[];
    if (reading.includes(method) || ignoredPaths.includes(start!)) return false;
    const partly = partialPaths.includes(start!) && (method === "PATCH" || method === "POST");
    return status === 200 || (status !== 401 && (status >= 500 || partly));
  }

  /** Makes the call. Returns its answer, and what the owner sees afterwards. */
  async replay(step: Step, before: Members): Promise<{ status: number; body: Json; now: Members }> {
    const path = step.path.map((part) => encodeURI(String(this.#names.resolve(part)))).join("");
    const text = (value: Json): string => {
      if (value === null || typeof value !== "object" || Array.isArray(value)) return String(value);
      return "json" in value ? JSON.stringify(this.#names.resolve(value.json!)) : String(this.#names.resolve(value));
    };
    const form = Object.entries(step.form).map(([name, value]) => [name, text(value)]);
    const { status, body } = await this.#call(step.as, step.method, path, Object.fromEntries(form));
    const answer = (typeof body === "object" && !Array.isArray(body) ? body : {}) as Members;
    if (step.path[0] === "/register" && typeof answer.queue_id === "string") {
      this.#names.queues.push({ id: answer.queue_id, last: answer.last_event_id as number });
    }
    if (step.path[0] === "/drafts" && Array.isArray(answer.ids)) {
      for (const id of answer.ids) this.#names.learn("draft", id as number);
    }
    const now = this.#changes(step, status) ? await this.readOrganization() : before;
    const named = step.form.queue_id as Members | undefined;
    const queue = this.#names.queues[named?.queue as number];
    if (queue && Array.isArray(answer.events)) {
      queue.last = Math.max(queue.last, ...(answer.events as Records).map(({ id }) => id as number));
    }
    return { status, body: body === "<html>" ? body : this.#view.format(body), now };
  }
}
