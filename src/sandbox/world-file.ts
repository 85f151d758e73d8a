/** An organization described in JSON: what `--world` takes. */

import { parse } from "lossless-json";
import * as v from "valibot";
import { foldChannelName, strip } from "../folding.ts";
import { roles } from "./decode.ts";
import { isSystemGroup, systemGroup } from "./groups.ts";
import { sendToChannel } from "./messages.ts";
import { addChannel, addGroup, addUser, emptyOrganization, type Making } from "./organization.ts";
import { known, type State } from "./state.ts";
import { lengthOf, randomText, unprintableAt } from "./text.ts";

const text = v.string("must be text");
const filled = v.pipe(text, v.nonEmpty("must not be empty"));
const flag = v.optional(v.boolean("must be true or false"), false);
const privacies = ["public", "private", "shared", "web"] as const;
const list = <T extends v.GenericSchema>(item: T) => v.array(item, "must be a list");
const names = v.optional(list(text), []);
const upTo = (limit: number) =>
  v.check<string, string>((value) => lengthOf(value) <= limit, `must not be longer than ${limit} characters`);
const written = v.check<string, string>((value) => strip(value) !== "", "must not be blank");
const printable = v.check<string, string>(
  (value) => unprintableAt(strip(value)) === undefined,
  "must not hold a control character",
);

const user = v.strictObject({
  key: filled,
  full_name: v.pipe(filled, upTo(100)),
  email: v.pipe(text, v.regex(/^[^\s@]+@[^\s@]+$/, "must be an e-mail address")),
  role: v.picklist(roles, `must be one of ${roles.join(", ")}`),
  bot: flag,
  active: v.optional(v.boolean("must be true or false"), true),
  password: v.optional(text),
});

const channel = v.strictObject({
  name: v.pipe(filled, written, upTo(60), printable),
  description: v.optional(v.pipe(text, upTo(1024)), ""),
  /** `private` hides history from before joining, `shared` shows it. */
  privacy: v.optional(v.picklist(privacies, `must be one of ${privacies.join(", ")}`), "public"),
  archived: flag,
  default: flag,
  subscribers: names,
  creator: v.optional(text),
});

const group = v.strictObject({
  name: v.pipe(filled, upTo(100)),
  description: v.optional(text, ""),
  members: names,
  subgroups: names,
  creator: v.optional(text),
});

const message = v.strictObject({
  channel: text,
  topic: v.optional(v.pipe(text, upTo(60)), ""),
  sender: text,
  content: v.pipe(filled, written, upTo(10_000)),
});

const worldFile = v.strictObject({
  subdomain: v.optional(text),
  /** Of the organization. */
  name: v.optional(v.pipe(text, upTo(40))),
  web_public: flag,
  users: v.pipe(list(user), v.nonEmpty("must name somebody")),
  channels: v.optional(list(channel), []),
  groups: v.optional(list(group), []),
  messages: v.optional(list(message), []),
});

export type WorldFile = v.InferOutput<typeof worldFile>;

/** The description is wrong. The message begins with the place: `channels[2].subscribers[0]: nobody has the key "bo"`. */
export class BadWorld extends Error {
  override readonly name = "BadWorld";
}

const wrong = (place: string, what: string): BadWorld => new BadWorld(`${place}: ${what}`);

const placeOf = (path: readonly { key: unknown }[]): string =>
  path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");

function distinct(kind: string, member: string, values: readonly string[]): void {
  const seen = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const folded = member === "key" || kind === "groups" ? value : foldChannelName(value);
    const first = seen.get(folded);
    if (first !== undefined) throw wrong(`${kind}[${index}].${member}`, `${kind}[${first}] has it already`);
    seen.set(folded, index);
  }
}

/** Every name used must be somebody's, and what a server would not make is refused. */
function crossCheck({ users, channels, groups, messages }: WorldFile): void {
  for (const member of ["key", "email"] as const)
    distinct(
      "users",
      member,
      users.map((each) => each[member]),
    );
  for (const [kind, all] of Object.entries({ channels, groups }))
    distinct(
      kind,
      "name",
      all.map(({ name }) => name),
    );
  const first = users[0]!;
  if (first.role !== 100 || first.bot || !first.active) {
    throw wrong("users[0]", "must be an active owner, who makes everything that names no creator");
  }
  const keys = new Set(users.map(({ key }) => key));
  const person = (key: string | undefined, place: string) => {
    if (key !== undefined && !keys.has(key)) throw wrong(place, `nobody has the key ${JSON.stringify(key)}`);
  };
  const people = (found: readonly string[], place: string) => {
    for (const [index, key] of found.entries()) person(key, `${place}[${index}]`);
  };
  for (const [index, each] of channels.entries()) {
    people(each.subscribers, `channels[${index}].subscribers`);
    person(each.creator, `channels[${index}].creator`);
    if (each.default && (each.privacy === "private" || each.privacy === "shared")) {
      throw wrong(`channels[${index}].default`, "a default channel cannot be private");
    }
  }
  const below = new Map(groups.map(({ name, subgroups }) => [name, subgroups]));
  const reaches = (from: string, to: string, met = new Set<string>()): boolean =>
    from === to || (!met.has(from) && (below.get(from) ?? []).some((next) => reaches(next, to, met.add(from))));
  for (const [index, each] of groups.entries()) {
    people(each.members, `groups[${index}].members`);
    person(each.creator, `groups[${index}].creator`);
    if (/^(?:@|role:|user:|stream:|channel:)/.test(each.name)) {
      throw wrong(`groups[${index}].name`, "must not begin like the name of a system group or a mention");
    }
    for (const [n, name] of each.subgroups.entries()) {
      const place = `groups[${index}].subgroups[${n}]`;
      if (!below.has(name) && !isSystemGroup(name)) throw wrong(place, `no group is called ${JSON.stringify(name)}`);
      if (reaches(name, each.name)) throw wrong(place, "the group would be below itself");
    }
  }
  for (const [index, each] of messages.entries()) {
    person(each.sender, `messages[${index}].sender`);
    if (!channels.some(({ name }) => name === each.channel)) {
      throw wrong(`messages[${index}].channel`, `no channel is called ${JSON.stringify(each.channel)}`);
    }
  }
}

/** Throws `BadWorld`. */
export function readWorld(text: string): WorldFile {
  let document: unknown;
  // JSON.parse does not always tell the place.
  try {
    document = parse(text, null, Number);
  } catch (error) {
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    const twice = /^Duplicate key '(.*)' encountered/.exec(message)?.[1];
    const before = text.slice(0, Number(at ?? text.length)).split("\n");
    throw wrong(
      `line ${before.length}, column ${before.at(-1)!.length + 1}`,
      twice === undefined ? "is not valid JSON" : `names ${JSON.stringify(twice)} twice`,
    );
  }
  // A list has members too, so the check below takes it for an object.
  if (Array.isArray(document)) throw wrong("the document", "must be an object");
  const { issues, output } = v.safeParse(worldFile, document, { abortEarly: true });
  if (issues) {
    const [{ path = [], message, type, expected }] = issues;
    const what =
      type === "strict_object"
        ? expected === "never"
          ? "is no member of this form"
          : expected === "Object"
            ? "must be an object"
            : "is missing"
        : message;
    throw wrong(placeOf(path as { key: unknown }[]) || "the document", what);
  }
  crossCheck(output);
  return output;
}

/** Makes everything in the order of the file; people and channels are deactivated last. */
export function build(world: WorldFile, making: Making): State {
  const state = emptyOrganization(making);
  const { organization } = state;
  organization.web_public = world.web_public;
  organization.settings.enable_spectator_access = world.web_public;
  if (world.name !== undefined) organization.settings.name = world.name;
  const ids = new Map<string, number>();
  const owner = world.users[0]!.key;
  const idOf = (key: string) => known(ids, key);
  for (const { key, full_name, email, role, bot, password } of world.users) {
    const kind = bot
      ? { bot_type: 1, bot_owner_id: idOf(owner) }
      : { password: password ?? randomText(making.random, 20) };
    ids.set(key, addUser(state, making, { delivery_email: email, full_name, role, ...kind }).user_id);
  }
  const channels = new Map<string, number>();
  for (const { name, description, privacy, subscribers, creator, ...each } of world.channels) {
    const channel = addChannel(state, making, {
      name,
      description,
      creator_id: idOf(creator ?? owner),
      invite_only: privacy === "private" || privacy === "shared",
      history_public_to_subscribers: privacy !== "private",
      is_web_public: privacy === "web",
      is_default: each.default,
      subscribers: new Set(subscribers.map(idOf)),
    });
    channels.set(name, channel.stream_id);
  }
  const groups = new Map<string, number>();
  for (const { name, description, members, creator } of world.groups) {
    const made = { name, description, members: members.map(idOf), creator_id: idOf(creator ?? owner) };
    groups.set(name, addGroup(state, making, made).id);
  }
  for (const { name, subgroups } of world.groups) {
    for (const below of subgroups) {
      const id = isSystemGroup(below) ? systemGroup(state, below) : known(groups, below);
      known(state.groups, known(groups, name)).subgroups.add(id);
    }
  }
  for (const { channel, topic, sender, content } of world.messages) {
    sendToChannel(state, {
      stream_id: known(channels, channel),
      topic,
      sender_id: idOf(sender),
      content,
      now: making.now,
    });
  }
  for (const { key, active } of world.users) known(state.users, idOf(key)).is_active = active;
  for (const { name, archived } of world.channels) {
    if (!archived) continue;
    const channel = known(state.channels, known(channels, name));
    channel.is_archived = true;
    // Archiving takes a channel out of the default ones.
    channel.is_default = false;
  }
  return state;
}
