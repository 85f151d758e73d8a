/** An organization described in JSON: what `--world` takes. */

import * as v from "valibot";
import { foldChannelName } from "../common/folding.ts";
import { Usage } from "../errors.ts";
import { botKinds } from "../model/bot.ts";
import { roles, roleValues } from "../model/person.ts";
import { readJson } from "../notation/read-json.ts";
import { isSystemGroup, systemGroupId } from "./groups.ts";
import { sendToChannel } from "./messages.ts";
import { addChannel, addGroup, addUser, type BuildOptions, emptyOrganization } from "./organization.ts";
import { getExisting, type SandboxState, type StoredChannel, type StoredGroup, type StoredUser } from "./state.ts";
import { randomText } from "./text.ts";

const text = v.string("must be text");
const nonEmptyText = v.pipe(text, v.nonEmpty("must not be empty"));
const flag = v.optional(v.boolean("must be true or false"), false);
const privacies = ["public", "private", "shared", "web"] as const;
const list = <T extends v.GenericSchema>(item: T) => v.array(item, "must be a list");
const names = v.optional(list(text), []);

const user = v.strictObject({
  key: nonEmptyText,
  full_name: nonEmptyText,
  email: v.pipe(text, v.regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address")),
  role: v.picklist(roleValues, `must be one of ${roleValues.join(", ")}`),
  bot: flag,
  active: v.optional(v.boolean("must be true or false"), true),
  password: v.optional(text),
  /** A permission that real servers grant on their command line. */
  can_create_users: v.optional(v.boolean("must be true or false")),
});

const channel = v.strictObject({
  name: nonEmptyText,
  description: v.optional(text, ""),
  /** `private` hides history from before joining, `shared` shows it. */
  privacy: v.optional(v.picklist(privacies, `must be one of ${privacies.join(", ")}`), "public"),
  archived: flag,
  default: flag,
  subscribers: names,
  creator: v.optional(text),
});

const group = v.strictObject({
  name: nonEmptyText,
  description: v.optional(text, ""),
  members: names,
  subgroups: names,
  creator: v.optional(text),
});

const message = v.strictObject({
  channel: text,
  topic: v.optional(text, ""),
  sender: text,
  content: nonEmptyText,
});

const worldFile = v.strictObject({
  subdomain: v.optional(text),
  /** Of the organization. */
  name: v.optional(text),
  web_public: flag,
  users: v.pipe(list(user), v.nonEmpty("must name somebody")),
  channels: v.optional(list(channel), []),
  groups: v.optional(list(group), []),
  messages: v.optional(list(message), []),
});

export type WorldFile = v.InferOutput<typeof worldFile>;

type CreateError = (path: string, problem: string) => Usage;

const pathText = (path: readonly { key: unknown }[]): string =>
  path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");

const pluck = <K extends string>(records: readonly { [M in K]: string }[], member: K): string[] =>
  records.map((record) => record[member]);

/** Checks that names are unique, and that every name that is used exists. */
function checkNames({ users, channels, groups, messages }: WorldFile, error: CreateError): void {
  const unique = (kind: string, member: string, values: readonly string[]) => {
    for (const [index, value] of values.entries()) {
      const first = values.indexOf(value);
      if (first < index) throw error(`${kind}[${index}].${member}`, `${kind}[${first}] has it already`);
    }
    return new Set(values);
  };
  const keys = unique("users", "key", pluck(users, "key"));
  unique("users", "email", pluck(users, "email").map(foldChannelName));
  const channelNames = pluck(channels, "name");
  unique("channels", "name", channelNames.map(foldChannelName));
  const groupNames = unique("groups", "name", pluck(groups, "name"));
  const [first] = users;
  if (first?.role !== roles.owner || first.bot || !first.active) {
    throw error("users[0]", "must be an active owner, who makes everything that names no creator");
  }
  const checkPerson = (path: string, key: string | undefined) => {
    if (key !== undefined && !keys.has(key)) throw error(path, `nobody has the key ${JSON.stringify(key)}`);
  };
  for (const [n, { subscribers, creator }] of channels.entries()) {
    for (const [m, key] of subscribers.entries()) checkPerson(`channels[${n}].subscribers[${m}]`, key);
    checkPerson(`channels[${n}].creator`, creator);
  }
  for (const [n, { members, creator, subgroups }] of groups.entries()) {
    for (const [m, key] of members.entries()) checkPerson(`groups[${n}].members[${m}]`, key);
    checkPerson(`groups[${n}].creator`, creator);
    for (const [m, name] of subgroups.entries())
      if (!groupNames.has(name) && !isSystemGroup(name))
        throw error(`groups[${n}].subgroups[${m}]`, `no group is called ${JSON.stringify(name)}`);
  }
  for (const [n, { sender, channel }] of messages.entries()) {
    checkPerson(`messages[${n}].sender`, sender);
    if (!channelNames.includes(channel))
      throw error(`messages[${n}].channel`, `no channel is called ${JSON.stringify(channel)}`);
  }
}

/** Throws `Usage` with the path of the mistake: `channels[2].subscribers[0]: nobody has the key "bo"`. */
export function readWorld(text: string, file = "world.json"): WorldFile {
  const error: CreateError = (path, problem) => new Usage(`--world: ${file}: ${path}: ${problem}`);
  const read = readJson(text);
  if ("error" in read) throw error(`line ${read.line}, column ${read.column}`, read.error);
  // A list has members too, so the check below takes it for an object.
  if (Array.isArray(read.value)) throw error("the document", "must be an object");
  const { issues, output } = v.safeParse(worldFile, read.value, { abortEarly: true });
  if (issues) {
    const [{ path = [], message, type, expected }] = issues;
    const problem = type === "strict_object" ? (memberProblems[String(expected)] ?? "is missing") : message;
    throw error(pathText(path) || "the document", problem);
  }
  checkNames(output, error);
  return output;
}

/** The problem of a member, by what valibot expected instead. */
const memberProblems: { [expected: string]: string } = { never: "is an unknown member", Object: "must be an object" };

/** Makes everything in the order of the file. People and channels are deactivated last. */
export function build(world: WorldFile, options: BuildOptions): SandboxState {
  const state = emptyOrganization(options);
  const { organization } = state;
  organization.web_public = world.web_public;
  organization.settings.enable_spectator_access = world.web_public;
  if (world.name !== undefined) organization.settings.name = world.name;
  const users = new Map<string, StoredUser>();
  const owner = world.users[0]!.key;
  const idOf = (key = owner) => getExisting(users, key).user_id;
  for (const { key, full_name, email, role, bot, password, can_create_users } of world.users) {
    const kind = bot
      ? { bot_type: botKinds.generic, bot_owner_id: idOf() }
      : { password: password ?? randomText(options.random, 20) };
    users.set(
      key,
      addUser(state, options, {
        delivery_email: email,
        full_name,
        role,
        can_create_users: can_create_users ?? false,
        ...kind,
      }),
    );
  }
  const channels = new Map<string, StoredChannel>();
  for (const { name, description, privacy, subscribers, creator, ...each } of world.channels) {
    const channel = addChannel(state, options, {
      name,
      description,
      creator_id: idOf(creator),
      invite_only: privacy === "private" || privacy === "shared",
      history_public_to_subscribers: privacy !== "private",
      is_web_public: privacy === "web",
      is_default: each.default,
      subscribers: new Set(subscribers.map((key) => idOf(key))),
    });
    channels.set(name, channel);
  }
  const groups = new Map<string, StoredGroup>();
  for (const { name, description, creator, ...each } of world.groups) {
    const members = each.members.map((key) => idOf(key));
    groups.set(name, addGroup(state, options, { name, description, members, creator_id: idOf(creator) }));
  }
  for (const { name, subgroups } of world.groups) {
    const ids = subgroups.map((each) =>
      isSystemGroup(each) ? systemGroupId(state, each) : getExisting(groups, each).id,
    );
    getExisting(groups, name).subgroups = new Set(ids);
  }
  for (const { channel, topic, sender, content } of world.messages) {
    const { stream_id } = getExisting(channels, channel);
    sendToChannel(state, { stream_id, topic, sender_id: idOf(sender), content, now: options.now });
  }
  for (const { key, active } of world.users) getExisting(users, key).is_active = active;
  for (const { name, archived } of world.channels) {
    // Archived channels are not default channels.
    if (archived) Object.assign(getExisting(channels, name), { is_archived: true, is_default: false });
  }
  return state;
}
