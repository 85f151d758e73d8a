/** Random organizations from a seed, and files that describe them. */

import type { GroupSetting } from "../../src/model/permission.ts";
import { personalSettings } from "../../src/model/personal.ts";
import type { Content, FileEntry } from "../../src/organization/content.ts";
import { exportContent } from "../../src/organization/export.ts";
import { sections } from "../../src/organization/section-registry.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import {
  addChannel,
  addGroup,
  joinSystemGroups,
  nextId,
  type SandboxState,
  type StoredGroup,
} from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import type { Chance } from "../simulation/chance.ts";

const moment = Date.UTC(2026, 0, 15, 12);
const words = ["alpha", "Beta", "gamma ray", "delta", "épsilon", "zeta"] as const;
type Names = readonly (typeof words)[number][];
const texts = ["", "A text", "with: a colon # and more", "two  blanks ", "日本", "a\tb"] as const;

const sample = <T>(chance: Chance, all: readonly T[], share = 0.5): T[] => all.filter(() => chance.hits(share));

export const shuffled = <T>(chance: Chance, all: readonly T[]): T[] =>
  all
    .map((each) => ({ each, at: chance.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);

const peopleIn = ({ users }: SandboxState) => [...users.values()].filter(({ bot_type }) => bot_type === null);

/** Changes roles, profiles and who is active. The owner stays. */
function varyPeople(state: SandboxState, chance: Chance, names: Names): void {
  for (const user of peopleIn(state)) {
    if (user.role === 100) continue;
    user.role = chance.of([200, 300, 400, 400, 600]);
    user.is_active = chance.hits(0.8);
    if (chance.hits(0.2)) user.full_name = `${user.full_name.split(" ")[0]} ${chance.of(names)}`;
    joinSystemGroups(state, user, moment);
  }
}

function varyFields(state: SandboxState, chance: Chance, names: Names): void {
  const kinds = { alpha: 1, Beta: 2, "gamma ray": 3, delta: 4, épsilon: 6, zeta: 3 } as const;
  const wanted = shuffled(chance, sample(chance, names, 0.7));
  for (const name of wanted) {
    const options = shuffled(chance, sample(chance, ["Red", "Green", "Blue", "Grey"], 0.6));
    if (!options.length) options.push("Red");
    const field_data =
      kinds[name] === 3
        ? JSON.stringify(
            Object.fromEntries(
              options.map((text, n) => [chance.hits(0.5) ? `${n}` : `k${n}`, { text, order: `${n + 1}` }]),
            ),
          )
        : "";
    const id = nextId(state, "field");
    state.profile_fields.push({
      id,
      name,
      type: kinds[name],
      hint: chance.of(texts),
      field_data,
      order: id,
      required: chance.hits(0.3),
      editable_by_user: chance.hits(0.7),
      display_in_profile_summary: false,
      use_for_user_matching: false,
    });
    for (const user of sample(chance, peopleIn(state), 0.5)) {
      const keys = kinds[name] === 3 ? Object.keys(JSON.parse(field_data)) : [];
      const value =
        kinds[name] === 3
          ? chance.of(keys)
          : kinds[name] === 6
            ? JSON.stringify(
                sample(
                  chance,
                  peopleIn(state).filter(({ is_active }) => is_active),
                  0.3,
                ).map(({ user_id }) => user_id),
              )
            : kinds[name] === 4
              ? "2020-02-02"
              : chance.of(["one", "two"]);
      user.profile.set(id, value);
    }
  }
  state.profile_fields = shuffled(chance, state.profile_fields);
  for (const [n, field] of state.profile_fields.entries()) field.order = n;
}

/** Returns a permission that every setting allows. */
function who(state: SandboxState, chance: Chance): GroupSetting {
  const live = [...state.groups.values()].filter(
    ({ deactivated, name }) => !deactivated && !/internet|everyone|retired/.test(name),
  );
  if (chance.hits(0.5)) return chance.of(live).id;
  const people = sample(
    chance,
    peopleIn(state).filter(({ is_active }) => is_active),
    0.2,
  ).map(({ user_id }) => user_id);
  const groups = sample(
    chance,
    live.filter(({ name }) => name !== "role:nobody"),
    0.15,
  ).map(({ id }) => id);
  if (!people.length && groups.length < 2) return groups[0] ?? live.find(({ name }) => name === "role:nobody")!.id;
  return { direct_members: people, direct_subgroups: groups };
}

function varyGroups(state: SandboxState, chance: Chance, names: Names): void {
  const active = peopleIn(state).filter(({ is_active }) => is_active);
  const owner = active.find(({ role }) => role === 100)!.user_id;
  const made: StoredGroup[] = [];
  for (const name of shuffled(chance, sample(chance, names, 0.7)))
    made.push(
      addGroup(
        state,
        { now: moment },
        {
          name,
          description: chance.of(texts),
          creator_id: owner,
          members: sample(chance, active, 0.3).map(({ user_id }) => user_id),
        },
      ),
    );
  const retired = addGroup(
    state,
    { now: moment },
    { name: "retired", description: "", creator_id: owner, members: [] },
  );
  retired.deactivated = chance.hits(0.5);
  const groups = [...state.groups.values()].filter(
    ({ is_system_group, deactivated }) => !is_system_group && !deactivated,
  );
  // The order of names decides which group contains which, so that two organizations never form a cycle.
  for (const group of groups)
    group.subgroups = new Set(
      sample(
        chance,
        groups.filter(({ name }) => name > group.name && name !== "retired"),
        0.2,
      ).map(({ id }) => id),
    );
  for (const group of groups)
    for (const name of Object.keys(group.settings) as (keyof StoredGroup["settings"])[])
      if (chance.hits(0.4)) group.settings[name] = who(state, chance);
}

function varyChannels(state: SandboxState, chance: Chance, names: Names): void {
  const active = peopleIn(state).filter(({ is_active }) => is_active);
  const owner = active.find(({ role }) => role === 100)!.user_id;
  for (const name of shuffled(chance, sample(chance, names, 0.5))) {
    const id = nextId(state, "folder");
    state.folders.set(id, {
      id,
      name,
      description: chance.of(texts),
      date_created: moment,
      creator_id: owner,
      is_archived: false,
      order: id,
    });
  }
  const order = shuffled(chance, [...state.folders.values()]);
  for (const [n, folder] of order.entries()) folder.order = n;
  for (const name of shuffled(chance, sample(chance, names, 0.7)))
    addChannel(state, { now: moment }, { name, description: "", creator_id: owner } as never);
  const folders = [...state.folders.values()].filter(({ is_archived }) => !is_archived);
  for (const channel of state.channels.values()) {
    if (channel.is_archived || channel.name === "moderation requests") continue;
    if (chance.hits(0.3) && channel.name !== "staff") continue;
    const isPrivate = chance.hits(0.3);
    Object.assign(channel, {
      description: chance.of(texts),
      invite_only: isPrivate,
      is_web_public: false,
      history_public_to_subscribers: !isPrivate || chance.hits(0.5),
      is_default: !isPrivate && chance.hits(0.3),
      is_archived: names.includes(channel.name as never) && chance.hits(0.15),
      message_retention_days: chance.of([null, -1, 30]),
      folder_id: chance.hits(0.5) && folders.length ? chance.of(folders).id : null,
      topics_policy: chance.of(["inherit", "disable_empty_topic", "allow_empty_topic"]),
      subscribers: new Set([owner, ...sample(chance, active, 0.4).map(({ user_id }) => user_id)]),
    });
    channel.is_default &&= !channel.is_archived;
    // In a channel with protected history, everyone may start topics.
    for (const setting of Object.keys(channel.settings) as (keyof typeof channel.settings)[])
      if (setting !== "can_create_topic_group" && chance.hits(0.3)) channel.settings[setting] = who(state, chance);
  }
}

function varySettings(state: SandboxState, chance: Chance): void {
  const { settings, permissions, defaults } = state.organization;
  const values = settings as Record<string, unknown>;
  for (const [name, value] of Object.entries(settings))
    if (typeof value === "boolean" && name !== "emails_restricted_to_domains" && chance.hits(0.2))
      values[name] = !value;
  settings.description = chance.of(texts);
  settings.message_content_edit_limit_seconds = chance.of([null, 60, 600]);
  settings.message_retention_days = chance.of([-1, -1, 365]);
  settings.jitsi_server_url = chance.of([null, "https://meet.example.com"]);
  const live = [...state.channels.values()].filter(({ is_archived }) => !is_archived);
  settings.new_stream_announcements_stream_id = chance.hits(0.3) ? -1 : chance.of(live).stream_id;
  const fixed = new Set(["can_access_all_users_group", "can_create_web_public_channel_group"]);
  for (const name of Object.keys(permissions) as (keyof typeof permissions)[])
    if (!fixed.has(name) && chance.hits(0.3)) permissions[name] = who(state, chance);
  for (const [name, { kind }] of Object.entries(personalSettings))
    if (kind === "boolean" && Object.hasOwn(defaults, name) && chance.hits(0.2)) defaults[name] = !defaults[name];
  if (settings.jitsi_server_url) defaults.web_home_view = chance.of(["inbox", "recent"]);
}

function varyCollections(state: SandboxState, chance: Chance): void {
  const one = <K extends "linkifier" | "domain" | "playground">(kind: K) => nextId(state, kind);
  for (const name of shuffled(chance, sample(chance, ["T", "X", "Y", "Z"], 0.6)))
    state.linkifiers.push({
      id: one("linkifier"),
      pattern: `${name}(?P<n>[0-9]+)`,
      url_template: chance.of(["https://a.example/{n}", "https://b.example/{n}"]),
      example_input: chance.of([null, `${name}1`]),
      reverse_template: null,
      alternative_url_templates: [],
    });
  state.linkifiers = shuffled(chance, state.linkifiers);
  for (const name of sample(chance, ["a.example", "b.example", "c.example"]))
    state.domains.push({ id: one("domain"), domain: name, allow_subdomains: chance.hits(0.5) });
  for (const name of sample(chance, ["Try", "Run", "See"]))
    state.playgrounds.push({
      id: one("playground"),
      name,
      pygments_language: chance.of(["Rust", "Python"]),
      url_template: chance.of(["https://p.example/{code}", "https://q.example/{code}"]),
    });
}

/** Creates a random organization with the same people. `kinds`: the number of names to choose from. */
export function randomOrganization(
  chance: Chance,
  { level = 478, people = 6, kinds = words.length as number } = {},
): ReturnType<typeof fresh> {
  const names = words.slice(0, kinds);
  const sandbox = fresh({ level, users: people });
  const { state } = sandbox;
  // New things of two organizations have different ids.
  for (const kind of ["channel", "group", "folder", "field", "linkifier"] as const)
    state.counters[kind] = (state.counters[kind] ?? 0) + chance.whole(0, 5);
  varyPeople(state, chance, names);
  varyFields(state, chance, names);
  varyGroups(state, chance, names);
  varyChannels(state, chance, names);
  varySettings(state, chance);
  varyCollections(state, chance);
  return sandbox;
}

/** Returns a file that states everything in a snapshot, also what is not archived and not filled in. */
export function fileOf(snapshot: Snapshot): Content {
  const { value } = exportContent(snapshot, { subscribers: true });
  const content = JSON.parse(JSON.stringify(value)) as Record<string, FileEntry[]>;
  for (const [name, section] of Object.entries(sections))
    if ("archiving" in section && section.archiving) {
      const { member, archived } = section.archiving;
      content[name] = (content[name] ?? []).map((entry) => ({ [member]: !archived, ...entry }));
    }
  if (snapshot.feature_level >= 471)
    content.linkifiers = (content.linkifiers ?? []).map((entry) => ({ example_input: "", ...entry }));
  const fields = Object.fromEntries((content.profile_fields ?? []).map(({ name }) => [name as string, null]));
  content.people = content.people!.map((entry) =>
    entry.active ? { ...entry, profile: { ...fields, ...(entry.profile as object) } } : entry,
  );
  return content as Content;
}
