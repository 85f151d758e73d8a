/**
 * Single calls of a real server of level 371, with their answers. Each line of `test/data/recorded` is a call.
 * `given` and `then` are the relevant parts of the organization before and after it.
 */
import { readFileSync } from "node:fs";
import type { OrganizationPermission } from "../../src/model/organization.ts";
import type { GroupSetting, SystemGroup } from "../../src/model/permission.ts";
import { systemGroupId } from "../../src/sandbox/groups.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { addChannel, addGroup, addUser, emptyOrganization } from "../../src/sandbox/organization.ts";
import type {
  Edit,
  MessageFlag,
  Organization,
  SandboxState,
  StoredChannel,
  StoredEmoji,
  StoredFolder,
  StoredGroup,
  StoredMessage,
  StoredUser,
} from "../../src/sandbox/state.ts";
import type { ScheduledMessage, StoredDraft } from "../../src/sandbox/stored-personal.ts";
import type { HttpRequest, Method } from "../../src/world/world.ts";
import { readRecords } from "../records.ts";
import { basicAuth, seededRandom, site, sortedJson, textOf } from "./client.ts";
import { multipart, type RecordedFile } from "./pictures.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Lists<T> = { [K in keyof T]?: T[K] extends Set<infer V> ? V[] : T[K] };

interface MessageSetup {
  /** Default: the position in the list. */
  id?: number;
  stream_id: number | null;
  topic: string;
  content: string;
  sender_id: number;
  recipients?: number[];
  /** Seconds. */
  age?: number;
  /** Default: the subscribers, or the people of the conversation. */
  received?: number[];
  flags?: { [user: string]: MessageFlag[] };
  /** The name in shortened lists of the recording. */
  name?: string;
  reactions?: StoredMessage["reactions"];
  edit_history?: Omit<Edit, "timestamp">[];
}

export interface Setup {
  organization?: Partial<Omit<Organization, "permissions" | "settings">> & {
    settings?: Partial<Organization["settings"]>;
    permissions?: { [name: string]: SystemGroup };
    moderation_request_channel_id?: number;
  };
  users?: { [id: string]: Partial<StoredUser> };
  channels?: { [id: string]: Lists<Omit<StoredChannel, "settings">> & { settings?: { [name: string]: GroupSetting } } };
  groups?: { [id: string]: Lists<Omit<StoredGroup, "settings">> & { settings?: { [name: string]: GroupSetting } } };
  messages?: MessageSetup[];
  attachments?: {
    id: number;
    owner_id: number;
    path_id?: string;
    name?: string;
    size?: number;
    message_ids?: number[];
  }[];
  /** Scheduled messages of the account 106, by id. */
  scheduled?: { [id: string]: Partial<ScheduledMessage> };
  /** The number of exports in this week. */
  exports?: number;
  linkifiers?: [pattern: string, url_template: string][];
  emoji?: { [id: string]: Partial<StoredEmoji> & { name: string } };
  /** Created by the account 8. */
  folders?: { [id: string]: Pick<StoredFolder, "name" | "description"> & Partial<StoredFolder> };
  /** Event queues by id. `next` is the id of the next event. */
  queues?: { [id: string]: { user: string; event_types: string[]; next?: number } };
  counters?: SandboxState["counters"];
}

export interface RecordedCall {
  case: string;
  as: string | null;
  method: Method;
  path: string;
  /** Null if the recording omits a raw body. */
  form: { [name: string]: string } | [string, string][] | null;
  /**
   * Additional headers. An empty value removes a header, except `authorization`.
   * In `authorization`, `base64(…)` is encoded, and `{address}` and `{key}` are those of c_member.
   */
  sent?: { [name: string]: string };
  /** Sent instead of the form. */
  raw?: string;
  /** Sent with the form as `multipart/form-data`. */
  files?: RecordedFile[];
  /** An earlier request in the same organization. */
  before?: Pick<RecordedCall, "as" | "method" | "path" | "form" | "sent" | "raw" | "files">;
  status: number;
  headers?: { [name: string]: string };
  body: Json;
  /** The body has only the members that the case is about. */
  only?: true;
  given?: Setup;
  /** Members of channels and groups afterwards, and all drafts. */
  then?: { channels?: { [id: string]: object }; groups?: { [id: string]: object }; drafts?: object[] };
}

interface Account {
  id: number;
  role: number;
  active?: false;
  bot?: 1 | 2;
  owner?: number;
}

export const readRecorded = (name: string): RecordedCall[] => readRecords(`recorded/${name}`);

/**
 * The people of the recording by name, the groups of every case, and the organizations of many cases.
 */
export const {
  accounts,
  groups: commonGroups,
  ...organizations
} = JSON.parse(readFileSync(new URL("../data/recorded-organizations.json", import.meta.url), "utf8")) as {
  accounts: { [name: string]: Account };
  groups: Setup["groups"];
  common: Setup;
  messages: Setup;
  narrows: Setup;
};
/** Bots that only some cases have. */
const extraBots: { [name: string]: number } = { botunit: 128, botadm: 130 };
const aliases: { [name: string]: string } = {
  owner: "desdemona",
  admin: "iago",
  member: "hamlet",
  guest: "polonius",
  lear: "own2",
  "incoming webhook bot": "h1",
  "adminowned-bot": "default-bot",
};

/** The parts of the recording have different people. */
function addressOf(name: string, id: number): string {
  const own = name.replace("c_", "conv-");
  return `${own}${id < 20 ? "" : id < 31 ? "-1604c" : id < 40 ? "-p15hocf" : id < 60 ? "-p611" : ""}@zulip.example.com`;
}

const now = 1_795_253_358_000;

/** Adds records with default values, changed by those of a case. */
function addRecords<T>(
  records: Map<number, T>,
  setup: { [id: string]: Partial<T> } = {},
  defaults: (id: number) => T,
): void {
  for (const [id, each] of Object.entries(setup)) records.set(Number(id), { ...defaults(Number(id)), ...each });
}

export function createState({ organization = {}, users = {}, channels = {}, ...setup }: Setup): SandboxState {
  const groups = { ...commonGroups, ...setup.groups };
  const making = { site, level: 371, now, random: seededRandom(1) };
  const state = emptyOrganization(making);
  for (const [name, { id, role, bot, owner, active = true }] of Object.entries(accounts)) {
    addUser(state, making, {
      user_id: id,
      delivery_email: addressOf(name, id),
      password: bot ? null : "<key>",
      full_name: name,
      role,
      is_active: active,
      bot_type: bot ?? null,
      bot_owner_id: owner ?? null,
      ...users[id],
    });
  }
  for (const [id, user] of Object.entries(users)) {
    if (state.users.has(Number(id))) continue;
    const { full_name = id, delivery_email = `${id}@zulip.example.com`, role = 400, ...more } = user;
    addUser(state, making, { ...more, user_id: Number(id), full_name, delivery_email, role });
  }
  const { permissions = {}, settings = {}, moderation_request_channel_id = -1, ...others } = organization;
  Object.assign(state.organization, others);
  Object.assign(state.organization.settings, settings);
  state.organization.settings.moderation_request_channel_id = moderation_request_channel_id;
  // The server allows such channels if the organization does.
  if (others.web_public) state.organization.settings.enable_spectator_access = true;
  for (const [name, group] of Object.entries(permissions)) {
    state.organization.permissions[name as OrganizationPermission] = systemGroupId(state, group);
  }
  for (const [id, { subscribers = [], unsubscribed = [], settings = {}, ...each }] of Object.entries(channels)) {
    const base = { name: `channel ${id}`, description: "", creator_id: accounts.owner2!.id };
    const channel = addChannel(state, making, {
      ...base,
      ...each,
      stream_id: Number(id),
      subscribers: new Set(subscribers),
      unsubscribed: new Set(unsubscribed),
    });
    Object.assign(channel.settings, settings);
  }
  for (const [id, { members = [], subgroups = [], settings = {}, ...each }] of Object.entries(groups)) {
    const base = { name: `group ${id}`, description: "", creator_id: accounts.m1!.id };
    const group = addGroup(state, making, { ...base, ...each, id: Number(id), members, subgroups: new Set(subgroups) });
    Object.assign(group.settings, settings);
  }
  for (const [index, { age = 0, received, flags = {}, recipients = [], ...each }] of (setup.messages ?? []).entries()) {
    const id = each.id ?? index + 1;
    const to = received ?? state.channels.get(each.stream_id ?? 0)?.subscribers ?? recipients;
    const flagged = new Map([...to].map((user) => [user, new Set(flags[user])]));
    const edit_history = (each.edit_history ?? []).map((edit) => ({ ...edit, timestamp: now }));
    const defaults = { recipients, date_sent: now - age * 1000, reactions: [] };
    state.messages.set(id, { ...defaults, ...each, id, edit_history, received: flagged });
    state.counters.message = Math.max(id, state.counters.message ?? 0);
  }
  for (const each of setup.attachments ?? []) {
    const defaults = { name: "f.txt", path_id: "f.txt", size: 1, create_time: now, message_ids: [] };
    state.attachments.set(each.id, { ...defaults, ...each });
  }
  addRecords(state.scheduled, setup.scheduled, (id) => {
    return { id, user_id: 106, channel: null, people: [], topic: "", content: "", timestamp: 1_797_977_497 };
  });
  for (let id = 1; id <= (setup.exports ?? 0); id++) {
    state.exports.set(id, {
      id,
      acting_user_id: 8,
      export_type: "public",
      export_time: now - 1000,
      ready_time: now + 1000,
      deleted_time: null,
      secret: `${id}`,
    });
  }
  for (const [index, [pattern, url_template]] of (setup.linkifiers ?? []).entries()) {
    const unset = { example_input: null, reverse_template: null, alternative_url_templates: [] };
    state.linkifiers.push({ id: index + 1, pattern, url_template, ...unset });
  }
  addRecords(state.emoji, setup.emoji, (id) => {
    const source_url = `/user_avatars/2/emoji/images/${id}.png`;
    return { name: "", source_url, deactivated: false, author_id: 106, still_url: null };
  });
  addRecords(state.folders, setup.folders, (id) => {
    return { id, name: "", description: "", date_created: now, creator_id: 8, is_archived: false, order: id };
  });
  state.counters.folder = state.folders.size;
  for (const [id, { user, event_types, next = 0 }] of Object.entries(setup.queues ?? {})) {
    const queue = { id, user_id: accounts[aliases[user] ?? user]!.id, event_types: new Set(event_types) };
    const unused = { capabilities: new Set<string>(), events: [], pruned: next - 1, last_used: now, idle_seconds: 600 };
    const messages = { rendered: false, allPublic: false, narrow: [] };
    state.queues.set(id, { ...queue, ...unused, ...messages, next });
  }
  Object.assign(state.counters, setup.counters);
  return state;
}

function signAuthorization(state: SandboxState, authorization: string): string {
  const of = (name: string) => state.users.get(accounts[name]!.id)!;
  const { delivery_email, api_key } = of("c_member");
  const swappedCase = [...api_key].map((each) =>
    each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase(),
  );
  const placeholders: { [name: string]: string } = {
    "{address}": delivery_email,
    "{ADDRESS}": delivery_email.toUpperCase(),
    "{%address}": delivery_email.replace("@", "%40"),
    "{key}": api_key,
    "{KEY}": swappedCase.join(""),
    "{otherkey}": of("c_member2").api_key,
    "{gonekey}": of("c_gone").api_key,
  };
  return authorization.replace(/base64\((.*)\)$/s, (_, text: string) =>
    Buffer.from(text.replace(/\{[^}]+\}/g, (name) => placeholders[name]!)).toString("base64"),
  );
}

function requestFor(state: SandboxState, call: RecordedCall | NonNullable<RecordedCall["before"]>): HttpRequest {
  const { as, method, path, form, sent: extraHeaders = {}, raw, files } = call as RecordedCall;
  const headers: HttpRequest["headers"] = { accept: "application/json" };
  for (const [name, value] of Object.entries(extraHeaders)) {
    if (value === "" && name !== "authorization") delete headers[name];
    else headers[name] = name === "authorization" ? signAuthorization(state, value) : value;
  }
  if (as !== null) {
    const id = extraBots[as] ?? accounts[aliases[as] ?? as]?.id;
    const account = state.users.get(id ?? -1);
    if (!account) throw new Error(`unknown account ${as}`);
    headers.authorization = basicAuth(account);
  }
  const target =
    path.startsWith("/api/") || path.startsWith("/json/") || path.startsWith("//api") ? path : `/api/v1${path}`;
  const sent = new URLSearchParams(form ?? {}).toString();
  const inQuery = method === "GET" || method === "HEAD";
  const query = inQuery && sent ? `${target.includes("?") ? "&" : "?"}${sent}` : "";
  const whole = { method, url: `${site}${target}${query}`, headers, timeout: 1000 };
  if (raw !== undefined) return { ...whole, body: raw };
  if (inQuery) return whole;
  if (files) return { ...whole, ...multipart(form ?? {}, files, headers) };
  return { ...whole, headers: { ...headers, "content-type": "application/x-www-form-urlencoded" }, body: sent };
}

const records = new Set(["members", "streams", "exports", "attachments", "user_groups", "linkifiers"]);

/** The names of the members of a record. A recording cuts long lists, and has its own people. */
const shape = (value: unknown): unknown =>
  value && typeof value === "object" && !Array.isArray(value) ? Object.keys(value).sort() : value;

/** Ids and keys of new things differ between servers, so only their presence is compared. */
function comparableMember(name: string, value: unknown): unknown {
  if (name === "api_key" || name === "id" || name === "scheduled_message_id") return "set";
  if (name === "ids") return (value as unknown[]).map(() => "set");
  if (name === "stream") return shape(value);
  if (name === "drafts") {
    // The recording took some seconds.
    const at = (time: number) => (Math.abs(time - now / 1000) < 10 ? "now" : time);
    const drafts = value as { timestamp: number }[];
    return drafts.map((draft) => ({ ...draft, id: "set", timestamp: at(draft.timestamp) }));
  }
  if (name === "channel_folders")
    return (value as StoredFolder[]).map((folder) => ({ ...folder, date_created: "set" }));
  if (name === "upload_space_used") return typeof value;
  if (!records.has(name) || !Array.isArray(value)) return value;
  return value.every(Number.isInteger) ? [...value].sort((a, b) => a - b) : shape(value[0]);
}

/** Servers make up the addresses of pictures and uploads. */
const withoutAddresses = (body: object): object =>
  JSON.parse(
    JSON.stringify(body)
      .replace(/(?<=\/user_avatars\/)\d+\/emoji\/images\/[0-9a-f]+/g, "set")
      .replace(/("ur[il]":"\/user_uploads\/)(?:temporary\/[0-9A-F]+|\d+\/[0-9a-f]{2}\/[\w-]{24})/g, "$1made")
      .replace(/"avatar_url[^"]*":"[^"]*"/g, '"avatar_url":"set"')
      .replace(/"(api_key|token)":"[^"]*"/g, '"$1":"set"'),
  );

function comparable(value: unknown): unknown {
  const body = value && typeof value === "object" && !Array.isArray(value) ? withoutAddresses(value) : value;
  if (!body || typeof body !== "object" || Array.isArray(body)) return body;
  if ("delivery_email" in body || "zulip_version" in body) return shape(body);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, comparableMember(name, value)]));
}

/** The part of a value that is recorded. */
function recordedPart(value: unknown, recorded: unknown): unknown {
  if (value instanceof Set) return [...value].sort((a, b) => a - b);
  if (Array.isArray(value) && Array.isArray(recorded)) return value.map((each, n) => recordedPart(each, recorded[n]));
  if (!recorded || typeof recorded !== "object" || Array.isArray(recorded)) return value;
  const parts = Object.entries(recorded).map(([name, each]) => [
    name,
    recordedPart((value as never)?.[name as never], each),
  ]);
  return Object.fromEntries(parts);
}

/** Recordings about one member of a record have only this member. */
const isWhole = (body: Json): boolean =>
  !(body && typeof body === "object" && "stream" in body && Object.keys(body.stream as object).length < 10);

/** Members that depend on the clock, or on the ids and names of the real server. */
const varying = /^(?:.*timestamp|create_time|recipient_id|client|avatar_url)$/;
const withoutVarying = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, each) => (varying.test(name) && each !== null ? "some" : each));

const storedDraft = ({ id: _, user_id: __, timestamp, ...draft }: StoredDraft): object => ({
  ...draft,
  timestamp: timestamp === now / 1000 ? "now" : Math.floor(timestamp),
});

export interface Difference {
  case: string;
  real: unknown;
  here: unknown;
}

/** Repeats a recorded call. Returns the difference of the answer, or of the organization afterwards. */
export async function compareCall(
  recorded: RecordedCall,
  state: SandboxState = createState(recorded.given ?? {}),
  level = 371,
): Promise<Difference | undefined> {
  const clock = { now: () => now };
  const sandbox = createSandbox({ site, clock, random: seededRandom(2), state, level, rateLimits: false });
  if (recorded.before) await sandbox.handle(requestFor(state, recorded.before));
  const response = await sandbox.handle(requestFor(state, recorded));
  const { status, headers } = response;
  const text = await textOf(response);
  let answered: unknown = text;
  try {
    answered = JSON.parse(text);
  } catch {
    if (text !== "") answered = "<html>";
  }
  const { "content-length": _, ...headersRecorded } = recorded.headers ?? {};
  const whole = !recorded.only && isWhole(recorded.body);
  const real = {
    status: recorded.status,
    headers: headersRecorded,
    body: whole ? comparable(recorded.body) : recorded.body,
    ...recorded.then,
  };
  const { channels, groups, drafts } = recorded.then ?? {};
  const here = {
    status,
    headers: recordedPart(headers, headersRecorded),
    body: whole ? comparable(answered) : recordedPart(answered, recorded.body),
    channels: channels && recordedPart(Object.fromEntries(state.channels), channels),
    groups: groups && recordedPart(Object.fromEntries(state.groups), groups),
    drafts: drafts && [...state.drafts.values()].map(storedDraft),
  };
  const compared = (side: unknown) => sortedJson(recorded.only ? withoutVarying(side) : side);
  return compared(real) === compared(here) ? undefined : { case: recorded.case, real, here };
}
