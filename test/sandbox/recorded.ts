/**
 * Single answers of a real server of level 371. Each line of `test/data/recorded` holds what was asked and answered
 * and, as `given` and `then`, what mattered of the organization before and after.
 */
import { readFileSync } from "node:fs";
import type { GroupSetting } from "../../src/api/group-setting.ts";
import { type SystemGroup, systemGroup } from "../../src/sandbox/groups.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { addChannel, addGroup, addUser, emptyOrganization } from "../../src/sandbox/organization.ts";
import type { ScheduledMessage } from "../../src/sandbox/personal.ts";
import type {
  Channel,
  Edit,
  Emoji,
  Flag,
  Group,
  Organization,
  OrganizationPermission,
  State,
  User,
} from "../../src/sandbox/state.ts";
import type { HttpRequest, Method } from "../../src/world.ts";
import { mulberry, sorted } from "./asking.ts";
import { multipart, type pictures } from "./pictures.ts";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Lists<T> = { [K in keyof T]?: T[K] extends Set<infer V> ? V[] : T[K] };

interface GivenMessage {
  /** Its place in the list where absent. */
  id?: number;
  stream_id: number | null;
  topic: string;
  content: string;
  sender_id: number;
  recipients?: number[];
  /** Seconds. */
  age?: number;
  /** Subscribers, or all of the conversation, where absent. */
  received?: number[];
  flags?: { [user: string]: Flag[] };
  edit_history?: Omit<Edit, "timestamp">[];
}

interface Given {
  organization?: Partial<Omit<Organization, "permissions" | "settings">> & {
    settings?: Partial<Organization["settings"]>;
    permissions?: { [name: string]: SystemGroup };
    moderation_request_channel_id?: number;
  };
  users?: { [id: string]: Partial<User> };
  channels?: { [id: string]: Lists<Omit<Channel, "settings">> & { settings?: { [name: string]: GroupSetting } } };
  groups?: { [id: string]: Lists<Omit<Group, "settings">> & { settings?: { [name: string]: GroupSetting } } };
  messages?: GivenMessage[];
  attachments?: {
    id: number;
    owner_id: number;
    path_id?: string;
    name?: string;
    size?: number;
    message_ids?: number[];
  }[];
  /** Messages that the account 106 has scheduled, by their ids. */
  scheduled?: { [id: string]: Partial<ScheduledMessage> };
  /** How many exports were asked for this week. */
  exports?: number;
  linkifiers?: [pattern: string, url_template: string][];
  emoji?: { [id: string]: Partial<Emoji> & { name: string } };
  /** Event queues of these people, by their ids; `next` is the id of the next event. */
  queues?: { [id: string]: { user: string; event_types: string[]; next?: number } };
  counters?: State["counters"];
}

export interface RecordedFile {
  /** The parameter. */
  part?: string;
  name: string;
  type?: string;
  /** Of `test/sandbox/pictures.ts`. */
  content: keyof typeof pictures;
}

export interface Recorded {
  case: string;
  as: string | null;
  method: Method;
  path: string;
  /** Null where a raw body was sent that the recording does not hold. */
  form: { [name: string]: string } | [string, string][] | null;
  /**
   * Headers sent beside the usual ones, or none of that name where it is empty and no `authorization`. In
   * `authorization`, `base64(…)` stands for the text encoded, and `{address}` and `{key}` in it for those of c_member.
   */
  sent?: { [name: string]: string };
  /** A body sent as it is. */
  raw?: string;
  /** Sent with the form as `multipart/form-data`. */
  files?: RecordedFile[];
  /** What was asked before, in the same organization. */
  before?: Pick<Recorded, "as" | "method" | "path" | "form" | "sent" | "raw" | "files">;
  status: number;
  headers?: { [name: string]: string };
  body: Json;
  /** The body holds only the members that the case is about. */
  only?: true;
  given?: Given;
  /** Members of channels and groups afterwards, and all drafts. */
  then?: { channels?: { [id: string]: object }; groups?: { [id: string]: object }; drafts?: object[] };
}

export const readRecorded = (name: string): Recorded[] =>
  readFileSync(new URL(`../data/recorded/${name}.ndjson`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

interface Account {
  id: number;
  role: number;
  active?: false;
  bot?: 1 | 2;
  owner?: number;
}

/** The people of the recorded organization, by the names of the recording. */
const accounts: { [name: string]: Account } = {
  desdemona: { id: 8, role: 100 },
  iago: { id: 9, role: 200 },
  shiva: { id: 10, role: 300 },
  hamlet: { id: 11, role: 400 },
  cordelia: { id: 12, role: 400 },
  othello: { id: 13, role: 400 },
  polonius: { id: 14, role: 600 },
  prospero: { id: 15, role: 400, active: false },
  "default-bot": { id: 16, role: 400, bot: 1, owner: 11 },
  "hook-bot": { id: 17, role: 400, bot: 2, owner: 11 },
  c_owner: { id: 21, role: 100 },
  c_admin: { id: 22, role: 200 },
  c_member: { id: 23, role: 400 },
  c_member2: { id: 24, role: 400 },
  c_guest: { id: 25, role: 600 },
  c_gone: { id: 26, role: 400, active: false },
  c_hidden: { id: 27, role: 400 },
  c_german: { id: 28, role: 400 },
  c_bot: { id: 29, role: 400, bot: 1, owner: 23 },
  c_hook: { id: 30, role: 400, bot: 2, owner: 23 },
  owner2: { id: 31, role: 100 },
  admin2: { id: 32, role: 200 },
  mod2: { id: 33, role: 300 },
  membera: { id: 34, role: 400 },
  memberb: { id: 35, role: 400 },
  guest2: { id: 36, role: 600 },
  deact2: { id: 37, role: 400, active: false },
  memberc: { id: 38, role: 400 },
  bot2: { id: 39, role: 400, bot: 1, owner: 34 },
  own2: { id: 40, role: 100 },
  adm: { id: 41, role: 200 },
  mod: { id: 42, role: 300 },
  m1: { id: 43, role: 400 },
  m2: { id: 44, role: 400 },
  m3: { id: 45, role: 400 },
  m4: { id: 46, role: 400 },
  m5: { id: 47, role: 400 },
  gst: { id: 48, role: 600 },
  gst2: { id: 49, role: 600 },
  dea: { id: 50, role: 400, active: false },
  b1: { id: 51, role: 400, bot: 1, owner: 43 },
  h1: { id: 52, role: 400, bot: 2, owner: 43 },
  mema: { id: 106, role: 400 },
  memb: { id: 107, role: 400 },
  memc: { id: 108, role: 400 },
  goneb: { id: 109, role: 400, active: false },
  gsta: { id: 113, role: 600 },
  moda: { id: 114, role: 300 },
  adma: { id: 115, role: 200 },
  botd: { id: 118, role: 400, bot: 1, owner: 106 },
  botm: { id: 119, role: 400, bot: 1, owner: 106 },
  hookm: { id: 120, role: 400, bot: 2, owner: 106 },
  gstb: { id: 141, role: 600 },
  newb: { id: 122, role: 400 },
  gstc: { id: 124, role: 600 },
  memd: { id: 125, role: 400 },
  gste: { id: 127, role: 600 },
  own3: { id: 117, role: 100 },
  botc: { id: 121, role: 400, bot: 1, owner: 108 },
  p15owner: { id: 61, role: 100 },
  p15member: { id: 62, role: 400, active: false },
  p15weak: { id: 63, role: 400 },
};
/** Bots that are there where a case's `given` has them. */
const given: { [name: string]: number } = { botunit: 128, botadm: 130 };
const sameAs: { [name: string]: string } = {
  owner: "desdemona",
  lear: "own2",
  "incoming webhook bot": "h1",
  "adminowned-bot": "default-bot",
};

/** As the recording has them: it was made in parts, each with people of its own. */
function addressOf(name: string, id: number): string {
  const own = name.replace("c_", "conv-");
  return `${own}${id < 20 ? "" : id < 31 ? "-1604c" : id < 40 ? "-p15hocf" : id < 60 ? "-p611" : ""}@zulip.example.com`;
}

const site = "https://chat.example";
const now = 1_795_253_358_000;

/** Groups that cases about channels name. */
const commonGroups: Given["groups"] = {
  227: { members: [34] },
  231: { members: [35] },
  237: { deactivated: true },
  238: { members: [38] },
  239: { subgroups: [238] },
};

export function setUp({ organization = {}, users = {}, channels = {}, ...given }: Given): State {
  const groups = { ...commonGroups, ...given.groups };
  const making = { site, level: 371, now, random: mulberry(1) };
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
  // The server allows such channels where the organization does.
  if (others.web_public) state.organization.settings.enable_spectator_access = true;
  for (const [name, group] of Object.entries(permissions)) {
    state.organization.permissions[name as OrganizationPermission] = systemGroup(state, group);
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
    const base = { name: `group ${id}`, description: "", creator_id: accounts.m1!.id, members };
    const group = addGroup(state, making, base);
    state.groups.delete(group.id);
    Object.assign(group, each, { id: Number(id), subgroups: new Set(subgroups) });
    Object.assign(group.settings, settings);
    state.groups.set(group.id, group);
  }
  for (const [index, { age = 0, received, flags = {}, recipients = [], ...each }] of (given.messages ?? []).entries()) {
    const id = each.id ?? index + 1;
    const to = received ?? state.channels.get(each.stream_id ?? 0)?.subscribers ?? recipients;
    const flagged = new Map([...to].map((user) => [user, new Set(flags[user])]));
    const edit_history = (each.edit_history ?? []).map((edit) => ({ ...edit, timestamp: now }));
    const written = { recipients, date_sent: now - age * 1000, reactions: [] };
    state.messages.set(id, { ...written, ...each, id, edit_history, received: flagged });
    state.counters.message = Math.max(id, state.counters.message ?? 0);
  }
  for (const { id, owner_id, ...each } of given.attachments ?? []) {
    const usual = { name: "f.txt", path_id: "f.txt", size: 1, create_time: now, message_ids: [] };
    state.attachments.set(id, { ...usual, ...each, id, owner_id });
  }
  for (const [id, each] of Object.entries(given.scheduled ?? {})) {
    const usual = { user_id: 106, channel: null, people: [], topic: "", content: "", timestamp: 1_797_977_497 };
    state.scheduled.set(Number(id), { ...usual, ...each, id: Number(id) });
  }
  for (let id = 1; id <= (given.exports ?? 0); id++) {
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
  for (const [index, [pattern, url_template]] of (given.linkifiers ?? []).entries()) {
    const unset = { example_input: null, reverse_template: null, alternative_url_templates: [] };
    state.linkifiers.push({ id: index + 1, pattern, url_template, ...unset });
  }
  for (const [id, each] of Object.entries(given.emoji ?? {})) {
    const usual = { source_url: `/user_avatars/2/emoji/images/${id}.png`, deactivated: false, author_id: 106 };
    state.emoji.set(Number(id), { ...usual, still_url: null, ...each });
  }
  for (const [id, { user, event_types, next = 0 }] of Object.entries(given.queues ?? {})) {
    const queue = { id, user_id: accounts[sameAs[user] ?? user]!.id, event_types: new Set(event_types) };
    const nothing = { capabilities: new Set<string>(), events: [], pruned: next - 1, last_used: now };
    const messages = { rendered: false, allPublic: false, narrow: [] };
    state.queues.set(id, { ...queue, ...nothing, ...messages, next });
  }
  Object.assign(state.counters, given.counters);
  return state;
}

function signed(state: State, authorization: string): string {
  const of = (name: string) => state.users.get(accounts[name]!.id)!;
  const { delivery_email, api_key } = of("c_member");
  const swapped = [...api_key].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()));
  const written: { [name: string]: string } = {
    "{address}": delivery_email,
    "{ADDRESS}": delivery_email.toUpperCase(),
    "{%address}": delivery_email.replace("@", "%40"),
    "{key}": api_key,
    "{KEY}": swapped.join(""),
    "{otherkey}": of("c_member2").api_key,
    "{gonekey}": of("c_gone").api_key,
  };
  return authorization.replace(/base64\((.*)\)$/s, (_, text: string) =>
    Buffer.from(text.replace(/\{[^}]+\}/g, (name) => written[name]!)).toString("base64"),
  );
}

function request(state: State, asked: Recorded | NonNullable<Recorded["before"]>): HttpRequest {
  const { as, method, path, form, sent: also = {}, raw, files } = asked as Recorded;
  const headers: HttpRequest["headers"] = { accept: "application/json" };
  for (const [name, value] of Object.entries(also)) {
    if (value === "" && name !== "authorization") delete headers[name];
    else headers[name] = name === "authorization" ? signed(state, value) : value;
  }
  if (as !== null) {
    const id = given[as] ?? accounts[sameAs[as] ?? as]?.id;
    const account = state.users.get(id ?? -1);
    if (!account) throw new Error(`nobody is called ${as}`);
    const { delivery_email, api_key } = account;
    headers.authorization = `Basic ${Buffer.from(`${delivery_email}:${api_key}`).toString("base64")}`;
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

/** Of records, the names of their members; a recording cuts long lists, and holds people of its own. */
const shape = (value: unknown): unknown =>
  value && typeof value === "object" && !Array.isArray(value) ? Object.keys(value).sort() : value;

/** Ids and keys of what was made are the real server's own; that they are there is all that can agree. */
function own(name: string, value: unknown): unknown {
  if (name === "api_key" || name === "id" || name === "scheduled_message_id") return "made";
  if (name === "ids") return (value as unknown[]).map(() => "made");
  if (name === "stream") return shape(value);
  if (name === "drafts") {
    // The recording took some seconds.
    const at = (time: number) => (Math.abs(time - now / 1000) < 10 ? "now" : time);
    const drafts = value as { timestamp: number }[];
    return drafts.map((draft) => ({ ...draft, id: "made", timestamp: at(draft.timestamp) }));
  }
  if (name === "upload_space_used") return typeof value;
  if (!records.has(name) || !Array.isArray(value)) return value;
  return value.every(Number.isInteger) ? [...value].sort((a, b) => a - b) : shape(value[0]);
}

/** Pictures have addresses that the server makes up. */
const withoutAddresses = (body: object): object =>
  JSON.parse(
    JSON.stringify(body)
      .replace(/(?<=\/user_avatars\/)\d+\/emoji\/images\/[0-9a-f]+/g, "made")
      .replace(/("ur[il]":"\/user_uploads\/)(?:temporary\/[0-9A-F]+|\d+\/[0-9a-f]{2}\/[\w-]{24})/g, "$1made")
      .replace(/"avatar_url[^"]*":"[^"]*"/g, '"avatar_url":"made"')
      .replace(/"(api_key|token)":"[^"]*"/g, '"$1":"made"'),
  );

function comparable(given: unknown): unknown {
  const body = given && typeof given === "object" && !Array.isArray(given) ? withoutAddresses(given) : given;
  if (!body || typeof body !== "object" || Array.isArray(body)) return body;
  if ("delivery_email" in body || "zulip_version" in body) return shape(body);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, own(name, value)]));
}

/** What of a value a recording tells of. */
function told(value: unknown, wanted: unknown): unknown {
  if (value instanceof Set) return [...value].sort((a, b) => a - b);
  if (Array.isArray(value) && Array.isArray(wanted)) return value.map((each, index) => told(each, wanted[index]));
  if (!wanted || typeof wanted !== "object" || Array.isArray(wanted)) return value;
  return Object.fromEntries(
    Object.keys(wanted).map((name) => [name, told((value as never)?.[name], wanted[name as never])]),
  );
}

/** Recordings about one member of a record hold that one alone. */
const isWhole = (body: Json): boolean =>
  !(body && typeof body === "object" && "stream" in body && Object.keys(body.stream as object).length < 10);

/** What hangs on the clock, or on what the real server counts and calls in its own way. */
const elsewhere = /^(?:.*timestamp|create_time|recipient_id|client|avatar_url)$/;
const timeless = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, each) => (elsewhere.test(name) && each !== null ? "some" : each));

export interface Difference {
  case: string;
  real: unknown;
  here: unknown;
}

/** Asks an organization what was asked, and says where the answer or what it left behind differs. */
export async function differs(
  recorded: Recorded,
  state: State = setUp(recorded.given ?? {}),
): Promise<Difference | undefined> {
  const sandbox = createSandbox({
    site,
    clock: { now: () => now },
    random: mulberry(2),
    state,
    level: 371,
    rateLimits: false,
  });
  if (recorded.before) await sandbox.handle(request(state, recorded.before));
  const { status, headers, body } = await sandbox.handle(request(state, recorded));
  let text = "";
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  let answered: unknown = text;
  try {
    answered = JSON.parse(text);
  } catch {
    if (text !== "") answered = "<html>";
  }
  const { "content-length": _, ...headersTold } = recorded.headers ?? {};
  const whole = !recorded.only && isWhole(recorded.body);
  const real = {
    status: recorded.status,
    headers: headersTold,
    body: whole ? comparable(recorded.body) : recorded.body,
    ...recorded.then,
  };
  const left = (records: Map<number, object>, wanted: { [id: string]: object } = {}) =>
    Object.fromEntries(Object.entries(wanted).map(([id, members]) => [id, told(records.get(Number(id)), members)]));
  const here = {
    status,
    headers: told(headers, headersTold),
    body: whole ? comparable(answered) : told(answered, recorded.body),
    ...(recorded.then?.channels ? { channels: left(state.channels, recorded.then.channels) } : {}),
    ...(recorded.then?.drafts
      ? {
          drafts: [...state.drafts.values()]
            .map(({ id: _, user_id: __, ...draft }) => draft)
            .map((draft) => ({
              ...draft,
              timestamp: draft.timestamp === now / 1000 ? "now" : Math.floor(draft.timestamp),
            })),
        }
      : {}),
    ...(recorded.then?.groups ? { groups: left(state.groups, recorded.then.groups) } : {}),
  };
  const compared = (side: unknown) => sorted(recorded.only ? timeless(side) : side);
  return compared(real) === compared(here) ? undefined : { case: recorded.case, real, here };
}
