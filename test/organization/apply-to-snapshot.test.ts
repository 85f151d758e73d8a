/** What a plan comes to is what the server has when all of it is done. */

import { expect, test } from "vitest";
import { parse } from "yaml";
import { applyTo } from "../../src/organization/apply-to-snapshot.ts";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import { Ids } from "../../src/organization/ids.ts";
import { playgrounds } from "../../src/organization/sections/playgrounds.ts";
import { channelsOf, type Snapshot } from "../../src/organization/snapshot.ts";
import { joinSystemGroups, type State, updateFullMembers } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { pairOf, reactivatedIn } from "./pairs.ts";
import { failures, Stand } from "./stand.ts";

/** What the ids in a member are ids of. */
const kindOf = (name: string): string =>
  /_groups?$|^direct_subgroup/.test(name)
    ? "group"
    : /_stream_id$|^realm_default_streams$/.test(name)
      ? "channel"
      : name.replace("folder_id", "folder");

type Told = Readonly<Record<string, unknown>>;

/** What servers make of other members, and what nobody asks an organization afterwards. */
const derived = new Set([
  ...["streams", "subscriptions", "unsubscribed", "never_subscribed", "taken", "jitsi_server_url", "order"],
  ...["rendered_description", "rendered_value", "subscriber_count", "stream_post_policy", "is_announcement_only"],
  ...["creator_id", "date_created", "first_message_id", "is_recently_active", "stream_weekly_traffic"],
  ...["audible_notifications", "color", "desktop_notifications", "email_notifications", "in_home_view", "is_muted"],
  ...["pin_to_top", "push_notifications", "wildcard_mentions_notify", "use_for_user_matching"],
  ...["realm_create_public_stream_policy", "realm_create_private_stream_policy", "realm_wildcard_mention_policy"],
]);

/** Where servers tell nothing in more than one way. */
const spelled = new Set(["example_input", "reverse_template", "display_in_profile_summary"]);

const keyed = (key: string, records: readonly object[]): Told =>
  Object.fromEntries(records.map((record) => [String((record as Told)[key]), record]));

/**
 * A snapshot, a line for each member, without what is derived, what is not set and the ids that only servers know. Lists of
 * people are sets, without those who come back: servers alone know where these were.
 */
function told(snapshot: Snapshot, returning: ReadonlySet<number>): string[] {
  const { organization, invites, channel_folders } = snapshot;
  const fields = new Map(organization.custom_profile_fields.map(({ id, name }) => [`${id}`, name]));
  const called = new Map<string, Map<unknown, string>>([
    ["group", new Map(organization.realm_user_groups.map(({ id, name }) => [id, name]))],
    ["channel", new Map(channelsOf(snapshot).map(({ stream_id, name }) => [stream_id, name]))],
    ["folder", new Map(channel_folders?.map(({ id, name }) => [id, name]))],
  ]);
  const found: string[] = [];
  const tell = (path: string, one: unknown, name: string) => {
    if (one === undefined || derived.has(name) || (spelled.has(name) && !one)) return;
    const names = called.get(kindOf(name));
    const word = (each: unknown) => names?.get(each) ?? JSON.stringify(each);
    if (typeof one !== "object" || one === null) found.push(`${path}: ${word(one)}`);
    else if (Array.isArray(one) && typeof one[0] !== "object") {
      const listed = names || path.startsWith("realm_user_groups.role:") ? one : one.filter((id) => !returning.has(id));
      found.push(`${path}: ${listed.map(word).sort().join(", ")}`);
    } else
      for (const [key, each] of Object.entries(one)) {
        if (name === "profile_data" && !fields.has(key)) continue;
        tell(`${path}.${name === "profile_data" ? fields.get(key) : key}`, each, key);
      }
  };
  const without = (records: readonly object[] | undefined | null) =>
    (records ?? []).map((record) => ({ ...record, id: undefined }));
  const sections = {
    read: { site: snapshot.site, email: snapshot.email, feature_level: snapshot.feature_level },
    ...Object.fromEntries(Object.entries(organization).filter(([name]) => !name.startsWith("can_"))),
    realm_users: keyed("user_id", organization.realm_users),
    realm_non_active_users: keyed("user_id", organization.realm_non_active_users),
    realm_user_groups: keyed("name", without(organization.realm_user_groups)),
    realm_linkifiers: without(organization.realm_linkifiers),
    realm_playgrounds: keyed("name", without(playgrounds.records(snapshot))),
    custom_profile_fields: without(organization.custom_profile_fields),
    channels: keyed(
      "name",
      channelsOf(snapshot).map((channel) => ({ ...channel, stream_id: undefined })),
    ),
    folders: without(channel_folders),
    invites: keyed(
      "email",
      invites.map(({ email, invited_as, is_multiuse }) => ({ email, invited_as, is_multiuse })),
    ),
  };
  for (const [name, value] of Object.entries(sections)) tell(name, value, name);
  return found.sort();
}

/** What the plan comes to and what the server has, as far as they are not the same. */
async function unlike(stand: Stand, content: Content): Promise<string[] | undefined> {
  const snapshot = async () => ({ ...(await stand.snapshot()), taken: new Date(moment).toISOString() });
  const now = await snapshot();
  const { differences, refused, problems } = compare(now, content, { prune: true });
  expect(problems.map(({ says }) => says)).toEqual([]);
  expect(differences).not.toEqual([]);
  const steps = await stand.steps(differences);
  if (refused.length) return undefined;
  const failed = failures(await stand.send(steps));
  if (failed.some((each) => each.includes("Insufficient permission"))) return undefined;
  expect(failed).toEqual([]);
  const returning = reactivatedIn(differences);
  const expected = told(applyTo(now, differences), returning);
  const there = told(await snapshot(), returning);
  return [
    ...expected.filter((line) => !there.includes(line)).map((line) => `planned: ${line}`),
    ...there.filter((line) => !expected.includes(line)).map((line) => `there: ${line}`),
  ];
}

const moment = Date.UTC(2026, 0, 15, 12);

const here = "organization: https://chat.example\n";

const groupOf = (state: State, name: string) => [...state.groups.values()].find((each) => each.name === name)!;

const personOf = (state: State, name: string) =>
  [...state.users.values()].find(({ delivery_email }) => delivery_email === `${name}@sandbox.example`)!;

/** Cora came yesterday, and members are full ones after ten days. */
const newcomer = (state: State) => {
  personOf(state, "cora").date_joined = moment - 86_400_000;
  state.organization.settings.waiting_period_threshold = 10;
  updateFullMembers(state, moment);
};

/** Adam has a bot of his own. */
const botOfAdam = (state: State) => {
  for (const user of state.users.values())
    if (user.bot_type !== null) user.bot_owner_id = personOf(state, "adam").user_id;
};

const adamEverywhere = (state: State) => {
  botOfAdam(state);
  const adam = personOf(state, "adam").user_id;
  const [beep] = [...state.users.values()].filter(({ bot_type }) => bot_type !== null);
  groupOf(state, "writers").settings.can_manage_group = {
    direct_members: [adam, beep!.user_id],
    direct_subgroups: [17],
  };
  groupOf(state, "writers").settings.can_mention_group = { direct_members: [8], direct_subgroups: [] };
  state.organization.permissions.can_create_groups = { direct_members: [8, adam], direct_subgroups: [] };
};

const invitedBefore = ({ invitations }: State) => {
  const asked = { key: "", invited_by_user_id: 8, invited: moment, expiry_date: null, revoked: false };
  const once = { invited_as: 400, notify_referrer_on_join: true };
  invitations.push({ id: 1, email: "before@sandbox.example", ...asked, ...once });
};

const cases: [what: string, text: string, way?: { level?: number; given?: (state: State) => void }][] = [
  ["a new channel", "channels: [{ name: deck, description: x }]"],
  ["new channels before folders and topics", "channels: [{ name: deck, description: x }]", { level: 388 }],
  ["a new channel with folders and without topics", "channels: [{ name: deck, description: x }]", { level: 389 }],
  ["a new channel with topics", "channels: [{ name: deck, description: x }]", { level: 392 }],
  ["a new channel of the latest servers", "channels: [{ name: deck, description: x }]", { level: 478 }],
  [
    "a new private channel, in a new folder, with people and a new group",
    "folders: [{ name: Work, description: x }]\ngroups: [{ name: crew, description: x, members: [cora@sandbox.example] }]\nchannels: [{ name: deck, description: x, is_private: true, folder: Work, subscribers: [iris@sandbox.example, cora@sandbox.example], can_send_message_group: crew, can_add_subscribers_group: { users: [iris@sandbox.example], groups: [crew] } }]",
  ],
  [
    "new default channels",
    "channels: [{ name: deck, description: x, is_default_stream: true }, { name: hall, description: x }]",
  ],
  [
    "default channels that are others",
    "channels: [{ name: general, is_default_stream: false }, { name: design, is_default_stream: true }]",
  ],
  [
    "a channel put away, which was a default one and the one of a setting",
    "settings: { new_stream_announcements_stream_id: general }\nchannels: [{ name: general, description: x }]",
  ],
  [
    "a channel that is archived where it is named",
    "channels: [{ name: general, archived: true, description: x }]",
    {
      given: ({ organization }) => {
        organization.settings.new_stream_announcements_stream_id = 2;
        organization.settings.signup_announcements_stream_id = 1;
      },
    },
  ],
  ["a channel that comes back", `${here}channels: [{ name: attic, archived: false }]`],
  ["a channel that becomes private", "channels: [{ name: design, is_private: true }]"],
  ["a private channel that becomes public", "channels: [{ name: staff, is_private: false }]"],
  ["a private channel that shows its history", "channels: [{ name: staff, history_public_to_subscribers: true }]"],
  ["a channel for the web", "channels: [{ name: design, is_web_public: true, message_retention_days: 30 }]"],
  [
    "channels that keep messages",
    "channels: [{ name: design, message_retention_days: unlimited }, { name: general, message_retention_days: 10 }]",
  ],
  [
    "a channel that keeps them as others do",
    "channels: [{ name: design, message_retention_days: realm_default }]",
    {
      given: (state) => {
        state.channels.get(1)!.message_retention_days = 7;
      },
    },
  ],
  ["a channel out of its folder", "channels: [{ name: design, folder: null }, { name: general, folder: Projects }]"],
  ["a channel that is called otherwise", "channels: [{ name: sketches, was: design }]"],
  [
    "what is archived is changed",
    `${here}groups: [{ name: writers, deactivated: true, description: x }]\nchannels: [{ name: attic, archived: true, description: x }]\nfolders: [{ name: Past, archived: true, description: x }]`,
    {
      level: 478,
      given: (state) => {
        groupOf(state, "writers").deactivated = true;
      },
    },
  ],
  ["what is new has no description", "groups: [{ name: crew }]\nchannels: [{ name: deck }]\nfolders: [{ name: Work }]"],
  ["a new group", "groups: [{ name: crew, description: x }]"],
  [
    "new groups in each other",
    "groups: [{ name: crew, description: x, subgroups: [mates], can_mention_group: mates }, { name: mates, description: x, members: [otis@sandbox.example], can_manage_group: { users: [iris@sandbox.example], groups: [crew] } }]",
  ],
  [
    "a group of nobody's",
    "groups: [{ name: writers, can_mention_group: nobody, can_leave_group: { groups: [designers] }, can_join_group: { users: [] } }]",
  ],
  [
    "a group put away, and changed",
    "groups: [{ name: writers, deactivated: true, description: x }]",
    { given: (state) => groupOf(state, "makers").subgroups.clear() },
  ],
  [
    "a group that comes back",
    "groups: [{ name: writers, deactivated: false }]",
    {
      given: (state) => {
        groupOf(state, "writers").deactivated = true;
      },
    },
  ],
  ["subgroups", "groups: [{ name: makers, subgroups: [designers], members: [mona@sandbox.example] }]"],
  [
    "a folder put away",
    "channels: [{ name: design, folder: null }]\nfolders: [{ name: Projects, archived: true }]",
    {
      given: (state) => {
        for (const channel of state.channels.values()) channel.folder_id = null;
        state.channels.get(1)!.folder_id = 1;
      },
    },
  ],
  [
    "a folder that comes back",
    `${here}folders: [{ name: Past, archived: false, description: y }, { name: Projects, description: z }]`,
  ],
  ["a new folder before others", "folders: [{ name: Work }, { name: Projects }]", { level: 478 }],
  ["no folders yet", "settings: { description: x }", { level: 388 }],
  [
    "settings",
    "settings: { description: x, message_content_edit_limit_seconds: unlimited, message_retention_days: unlimited, can_create_groups: designers, can_manage_all_groups: { users: [iris@sandbox.example], groups: [writers] } }",
    {
      given: ({ organization }) => {
        organization.settings.message_retention_days = 10;
      },
    },
  ],
  [
    "settings of channels",
    "settings: { new_stream_announcements_stream_id: null, signup_announcements_stream_id: deck }\nchannels: [{ name: deck, description: x }]",
    {
      given: ({ organization }) => {
        organization.settings.new_stream_announcements_stream_id = 1;
        organization.settings.signup_announcements_stream_id = 2;
      },
    },
  ],
  [
    "a place to call from",
    "settings: { jitsi_server_url: default, message_retention_days: 7, message_content_edit_limit_seconds: 60 }",
    {
      given: ({ organization }) => {
        organization.settings.jitsi_server_url = "https://meet.example";
      },
    },
  ],
  ["texts that are words elsewhere", "settings: { description: unlimited, name: default }"],
  [
    "a channel that the account has left",
    "channels: [{ name: design, description: x }]",
    {
      given: ({ channels }) => {
        channels.get(1)!.subscribers.delete(8);
        channels.get(1)!.unsubscribed.add(8);
      },
    },
  ],
  ["a private channel that is described otherwise", "channels: [{ name: staff, description: x }]"],
  [
    "a channel that the account was never in",
    "channels: [{ name: design, description: x }]",
    { given: ({ channels }) => void channels.get(1)!.subscribers.delete(8) },
  ],
  [
    "another place to call from, and a right of one person",
    "settings: { jitsi_server_url: 'https://meet.example', can_create_groups: { users: [iris@sandbox.example] } }",
  ],
  ["an old server", "settings: { description: x }", { level: 20 }],
  ["defaults of new people", "new_users: { twenty_four_hour_time: true, web_home_view: inbox }"],
  [
    "roles of everybody",
    "people: [{ email: adam@sandbox.example, role: member }, { email: mona@sandbox.example, role: administrator }, { email: cora@sandbox.example, role: moderator }, { email: otis@sandbox.example, role: guest }, { email: gwen@sandbox.example, role: owner }]",
  ],
  ["one becomes a member", "people: [{ email: gwen@sandbox.example, role: member, full_name: Gwen Member }]"],
  [
    "newcomers are full members later",
    "people: [{ email: gwen@sandbox.example, role: member }, { email: cora@sandbox.example, role: moderator }]",
    { given: newcomer },
  ],
  [
    "one who is no full member yet comes from above",
    "people: [{ email: cora@sandbox.example, role: member }, { email: otis@sandbox.example, role: moderator }]",
    {
      given: (state) => {
        newcomer(state);
        const cora = personOf(state, "cora");
        cora.role = 300;
        joinSystemGroups(state, cora, moment);
      },
    },
  ],
  ["fewer days to wait", "settings: { waiting_period_threshold: 1 }", { given: newcomer }],
  [
    "more days to wait",
    "settings: { waiting_period_threshold: 20 }\npeople: [{ email: mona@sandbox.example, role: member }]",
  ],
  [
    "another role of somebody who is away",
    "people: [{ email: dora@sandbox.example, active: false, role: administrator }]",
  ],
  ["somebody comes back as another", "people: [{ email: dora@sandbox.example, active: true, role: moderator }]"],
  ["somebody comes back", "people: [{ email: dora@sandbox.example, active: true }]"],
  [
    "an administrator leaves, with a bot, from everywhere",
    "people: [{ email: adam@sandbox.example, active: false, full_name: Adam Away }]",
    { given: adamEverywhere },
  ],
  ["an administrator leaves where others do not", "people: [{ email: adam@sandbox.example, active: false }]"],
  [
    "people are invited",
    "people: [{ email: new@sandbox.example, invite: true }, { email: two@sandbox.example, invite: true, role: moderator }]",
    { given: invitedBefore },
  ],
  [
    "profiles",
    "people: [{ email: cora@sandbox.example, profile: { Phone: '1', Mentor: [otis@sandbox.example], Office: null } }, { email: otis@sandbox.example, profile: { Phone: null, About me: x } }]",
    {
      given: (state) => {
        personOf(state, "otis").profile.set(1, "2");
      },
    },
  ],
  [
    "a new profile field, and values of it",
    "profile_fields: [{ name: Team, type: options, options: [A, B] }]\npeople: [{ email: cora@sandbox.example, profile: { Team: B } }]",
  ],
  [
    "profile fields",
    "profile_fields: [{ name: Phone, hint: x, required: true, editable_by_user: false }, { name: GitHub username, type: account, field_data: { subtype: github } }]",
  ],
  [
    "profile fields, first and last, and gone",
    "complete: [profile_fields]\nprofile_fields: [{ name: Office, options: [Else, Berlin, Lisbon] }, { name: New, type: short_text }, { name: Phone }]",
  ],
  [
    "linkifiers, in another order, with a new one, and one gone",
    "complete: [linkifiers]\nlinkifiers: [{ pattern: 'T(?P<n>[0-9]+)', url_template: 'https://a.example/{n}' }, { pattern: 'U(?P<n>[0-9]+)', url_template: 'https://b.example/{n}' }]",
  ],
  ["linkifiers", "linkifiers: [{ pattern: '#(?P<id>[0-9]+)', url_template: 'https://other.example/{id}' }]"],
  [
    "playgrounds",
    "complete: [playgrounds]\nplaygrounds: [{ name: Try, pygments_language: Rust, url_template: 'https://play.example/?code={code}' }]",
    {
      given: (state) => {
        state.playgrounds.push({
          id: 4,
          name: "Old",
          pygments_language: "Rust",
          url_template: "https://a.example/{code}",
        });
        state.counters.playground = 4;
      },
    },
  ],
  [
    "domains",
    "complete: [domains]\ndomains: [{ domain: a.example, allow_subdomains: true }, { domain: c.example, allow_subdomains: true }, { domain: d.example, allow_subdomains: true }]",
    {
      given: ({ domains }) => {
        domains.push(
          { id: 1, domain: "a.example", allow_subdomains: false },
          { id: 2, domain: "b.example", allow_subdomains: false },
          { id: 3, domain: "c.example", allow_subdomains: true },
        );
      },
    },
  ],
  [
    "a domain more",
    "domains: [{ domain: b.example, allow_subdomains: false }]",
    {
      given: ({ domains }) => {
        domains.push({ id: 1, domain: "a.example", allow_subdomains: true });
      },
    },
  ],
];

test.each(cases)("%s", async (_, text, { level = 442, given } = {}) => {
  const sandbox = fresh({ level });
  given?.(sandbox.state);
  expect(await unlike(new Stand({ level, sandbox }), parse(text) as Content)).toEqual([]);
});

test.each(Array.from({ length: 10 }, (_, seed) => seed))("seed %i", async (seed) => {
  const { one, content } = await pairOf(seed, { people: 0, kinds: 3 });
  const found = await unlike(one, content);
  if (found) expect(found).toEqual([]);
});

test.each<[what: string, untold: (snapshot: Snapshot) => object]>([
  [
    "since when people are here",
    ({ organization }) => ({
      ...organization,
      realm_users: organization.realm_users.map((person) => ({ ...person, date_joined: undefined })),
    }),
  ],
  ["how many days to wait", ({ organization }) => ({ ...organization, realm_waiting_period_threshold: undefined })],
])("where servers do not tell %s, members are full ones", async (_, untold) => {
  const sandbox = fresh({ level: 442 });
  newcomer(sandbox.state);
  const snapshot = await new Stand({ sandbox }).snapshot();
  const told = { ...snapshot, organization: untold(snapshot) } as Snapshot;
  const { differences } = compare(told, { people: [{ email: "gwen@sandbox.example", role: "member" }] } as Content);
  const full = applyTo(told, differences).organization.realm_user_groups.find(
    ({ name }) => name === "role:fullmembers",
  );
  expect(full!.members).toContain(personOf(sandbox.state, "gwen").user_id);
});

test("nobody is the group of that role, where there is one", async () => {
  const { organization, ...snapshot } = await new Stand({ level: 442 }).snapshot();
  const groups = organization.realm_user_groups.toReversed();
  const nobody = groups.find(({ name }) => name === "role:nobody")!;
  const whom = (realm_user_groups: typeof groups) =>
    new Ids({ ...snapshot, organization: { ...organization, realm_user_groups } }, []).who({ users: [], groups: [] });
  expect(whom(groups)).toBe(nobody.id);
  expect(whom(groups.filter((group) => group !== nobody))).toEqual({ direct_members: [], direct_subgroups: [] });
});
