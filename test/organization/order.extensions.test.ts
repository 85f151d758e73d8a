/** The smallest plans in which one request must wait for another: whatever order their edges leave open, all goes well. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { Content } from "../../src/organization/place.ts";
import { addGroup, type State } from "../../src/sandbox/index.ts";
import { type Tried, troubles } from "./extensions.ts";

const making = { now: Date.UTC(2026, 0, 15, 12) };
const here = "organization: https://chat.example\n";

const groupNamed = (state: State, name: string) => [...state.groups.values()].find((each) => each.name === name)!;
const channelNamed = (state: State, name: string) => [...state.channels.values()].find((each) => each.name === name)!;
const personNamed = (state: State, name: string) =>
  [...state.users.values()].find(({ delivery_email }) => delivery_email.startsWith(`${name}@`))!;

/** An empty group that everybody who manages groups manages. */
const crew = (state: State) => {
  addGroup(state, making, { name: "crew", description: "", creator_id: 8, members: [] });
};

const crewTakesOut = (state: State) => {
  crew(state);
  channelNamed(state, "staff").settings.can_remove_subscribers_group = groupNamed(state, "crew").id;
};

const crewMentionsWriters = (state: State) => {
  crew(state);
  groupNamed(state, "writers").settings.can_mention_group = groupNamed(state, "crew").id;
};

const crewIsAway = (state: State) => {
  crew(state);
  groupNamed(state, "crew").deactivated = true;
};

const fullSummary = ({ profile_fields }: State) => {
  profile_fields.push({ ...profile_fields[0]!, id: 5, order: 5, name: "Team" });
  for (const field of profile_fields) field.display_in_profile_summary = ["Phone", "Team"].includes(field.name);
};

const restricted = (state: State) => {
  state.domains.push({ id: 1, domain: "a.example", allow_subdomains: false });
  state.organization.settings.emails_restricted_to_domains = true;
};

const noneForTheWeb = (state: State) => {
  channelNamed(state, "announcements").is_web_public = false;
  state.organization.settings.enable_spectator_access = false;
};

const rustByDefault = (state: State) => {
  state.playgrounds.push({
    id: 1,
    name: "Try",
    pygments_language: "Rust",
    url_template: "https://a.example/{code}",
  });
  state.organization.settings.default_code_block_language = "Rust";
};

const namesDiffer = ({ organization }: State) => {
  organization.settings.require_unique_names = true;
};

const staffWithoutIris = (state: State) => {
  channelNamed(state, "staff").subscribers.delete(8);
  channelNamed(state, "staff").settings.can_add_subscribers_group = groupNamed(state, "role:owners").id;
};

const cases: [what: string, text: string, requests: number, way?: Tried][] = [
  [
    "a folder is made before a channel is put into it",
    "folders: [{ name: Work, description: x }]\nchannels: [{ name: staff, folder: Work }]",
    2,
  ],
  [
    "a folder is made before a channel is made in it",
    "folders: [{ name: Work, description: x }]\nchannels: [{ name: deck, folder: Work }]",
    2,
  ],
  [
    "a folder is brought back before a channel is put into it",
    "folders: [{ name: Past, archived: false }]\nchannels: [{ name: staff, folder: Past }]",
    2,
  ],
  [
    "a folder is archived when channels have left it",
    "folders: [{ name: Projects, archived: true }]\nchannels: [{ name: design, folder: null }]",
    2,
  ],
  [
    "a folder's name is free when it has another",
    "folders: [{ name: Work, was: Projects }, { name: New, description: x }]\n",
    2,
  ],
  [
    "a new folder takes the name that another gives up",
    `${here}folders: [{ id: 1, name: Work }, { name: Projects, description: x }]`,
    2,
  ],
  [
    "a new group takes the name that another gives up",
    `${here}groups: [{ id: 17, name: Work }, { name: designers, description: x, members: [] }]`,
    2,
  ],
  [
    "a new channel takes the name that another gives up",
    `${here}channels: [{ id: 1, name: work }, { name: design }]`,
    2,
  ],
  [
    "a new profile field takes the name that another gives up",
    `${here}profile_fields: [{ id: 1, name: Work }, { name: Phone, type: short_text }]`,
    2,
  ],
  [
    "a new linkifier takes the pattern that another gives up",
    `${here}linkifiers: [{ id: 1, pattern: 'X(?P<id>[0-9]+)' }, { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' }]`,
    2,
  ],
  [
    "somebody takes the name that another gives up, where names must differ",
    "people: [{ email: cora@sandbox.example, full_name: OTIS member }, { email: otis@sandbox.example, full_name: Otto }]",
    2,
    { given: namesDiffer },
  ],
  [
    "two people change names where these must differ",
    "people: [{ email: cora@sandbox.example, full_name: Otis Member, role: moderator }, { email: otis@sandbox.example, full_name: Cora Member }]",
    3,
    { given: namesDiffer },
  ],
  [
    "two people change names before these must differ",
    "people: [{ email: cora@sandbox.example, full_name: Otis Member }, { email: otis@sandbox.example, full_name: Cora Member }]\nsettings: { require_unique_names: true, inline_url_embed_preview: true }",
    3,
  ],
  [
    "somebody takes another's name when these need not differ any more",
    "people: [{ email: cora@sandbox.example, full_name: Otis Member }]\nsettings: { require_unique_names: false }",
    2,
    { given: namesDiffer },
  ],
  [
    "three folders change their names in a circle",
    `${here}folders: [{ id: 1, name: b }, { id: 3, name: c }, { id: 4, name: Projects }]`,
    4,
    {
      given: ({ folders }) => {
        for (const [id, name] of [
          [3, "b"],
          [4, "c"],
        ] as const)
          folders.set(id, { ...folders.get(1)!, id, name, order: id });
      },
    },
  ],
  [
    "three groups change their names in a circle",
    `${here}groups: [{ id: 17, name: writers }, { id: 18, name: makers }, { id: 19, name: designers }]`,
    4,
  ],
  [
    "two channels change their names, and a third takes a free one",
    `${here}channels: [{ id: 1, name: general }, { id: 2, name: design }, { name: sketches }]`,
    4,
  ],
  [
    "a group is deactivated when no group has it",
    "groups: [{ name: writers, deactivated: true }, { name: makers, subgroups: [designers] }]",
    2,
  ],
  [
    "a group is deactivated when no channel names it",
    "groups: [{ name: crew, deactivated: true }]\nchannels: [{ name: staff, can_remove_subscribers_group: 'role:owners' }]",
    2,
    {
      given: crewTakesOut,
    },
  ],
  [
    "a group is deactivated when no group names it",
    "groups: [{ name: crew, deactivated: true }, { name: writers, can_mention_group: 'role:owners' }]",
    2,
    {
      given: crewMentionsWriters,
    },
  ],
  [
    "a group is deactivated when no setting names it",
    "groups: [{ name: crew, deactivated: true }]\nsettings: { can_create_bots_group: 'role:owners' }",
    2,
    {
      given: (state) => {
        crew(state);
        state.organization.permissions.can_create_bots_group = groupNamed(state, "crew").id;
      },
    },
  ],
  [
    "groups are put away, those that name others first",
    "groups: [{ name: makers, deactivated: true }, { name: designers, deactivated: true }, { name: crew, deactivated: true }, { name: writers, deactivated: true }]",
    4,
    {
      given: crewMentionsWriters,
    },
  ],
  [
    "a channel is archived before the group that it names is deactivated",
    "channels: [{ name: staff, archived: true }]\ngroups: [{ name: crew, deactivated: true }]",
    2,
    {
      given: crewTakesOut,
    },
  ],
  [
    "a group is brought back before others name it",
    "groups: [{ name: crew, deactivated: false }, { name: makers, subgroups: { add: [crew] } }, { name: writers, can_mention_group: crew }]\nchannels: [{ name: staff, can_remove_subscribers_group: crew }, { name: deck, can_send_message_group: crew }]\nsettings: { can_create_bots_group: crew }",
    6,
    {
      given: crewIsAway,
    },
  ],
  [
    "a group is brought back before it gets members",
    "groups: [{ name: crew, deactivated: false, members: [otis@sandbox.example] }]",
    2,
    {
      given: crewIsAway,
    },
  ],
  [
    "a group is deactivated after it was changed",
    "groups: [{ name: writers, description: old, members: [], deactivated: true }, { name: makers, subgroups: [] }]",
    4,
  ],
  [
    "a group is deactivated with what it was left by",
    "groups: [{ name: crew, deactivated: true, description: x }, { name: other, members: [], subgroups: [makers] }]",
    3,
    { given: crew },
  ],
  [
    "subgroups turn round",
    "groups: [{ name: makers, subgroups: [] }, { name: writers, subgroups: [makers] }, { name: designers, subgroups: [writers] }]",
    3,
  ],
  [
    "a new group is named everywhere",
    "groups: [{ name: crew, description: x, members: [] }, { name: makers, subgroups: { add: [crew] } }, { name: inner, members: [], subgroups: [crew], can_mention_group: crew }]\nchannels: [{ name: staff, can_remove_subscribers_group: { users: [iris@sandbox.example], groups: [crew] } }, { name: deck, can_send_message_group: crew }]\nsettings: { can_create_bots_group: crew }",
    6,
  ],
  [
    "people come back before they are named",
    "people: [{ email: dora@sandbox.example, active: true, role: moderator, profile: { Phone: '1' } }, { email: otis@sandbox.example, profile: { Mentor: [dora@sandbox.example] } }]\ngroups: [{ name: inner, members: [dora@sandbox.example] }]\nchannels: [{ name: staff, subscribers: { add: [dora@sandbox.example] }, can_remove_subscribers_group: { users: [dora@sandbox.example] } }, { name: deck, subscribers: [dora@sandbox.example] }]\nsettings: { can_create_bots_group: { users: [dora@sandbox.example] } }",
    8,
  ],
  [
    "somebody goes when permissions are changed that named them",
    "people: [{ email: otis@sandbox.example, active: false, full_name: Otis }]\nchannels: [{ name: staff, can_remove_subscribers_group: { users: [cora@sandbox.example] }, subscribers: { remove: [otis@sandbox.example] } }]\ngroups: [{ name: writers, members: [] }, { name: designers, members: { remove: [otis@sandbox.example] }, can_mention_group: { users: [cora@sandbox.example] } }]",
    5,
    {
      given: (state) => {
        const [otis, cora] = [personNamed(state, "otis").user_id, personNamed(state, "cora").user_id];
        channelNamed(state, "staff").settings.can_remove_subscribers_group = {
          direct_members: [otis, cora],
          direct_subgroups: [],
        };
        groupNamed(state, "designers").settings.can_mention_group = {
          direct_members: [otis, cora],
          direct_subgroups: [],
        };
      },
    },
  ],
  [
    "the caller lets their own role go last",
    "people: [{ email: iris@sandbox.example, role: administrator }, { email: adam@sandbox.example, role: owner }]\nsettings: { waiting_period_threshold: 3 }",
    3,
  ],
  [
    "an option is there before somebody chooses it",
    "profile_fields: [{ name: Office, options: [Lisbon, Berlin, Oslo] }, { name: Team, type: options, options: [Red] }]\npeople: [{ email: otis@sandbox.example, profile: { Office: Oslo, Team: Red } }]",
    3,
  ],
  [
    "one profile field leaves the summary before another comes into it",
    "profile_fields: [{ name: Phone, display_in_profile_summary: false }, { name: Office, display_in_profile_summary: true }, { name: New, type: short_text, display_in_profile_summary: true }, { name: Team, display_in_profile_summary: false }]",
    5,
    {
      given: fullSummary,
    },
  ],
  [
    "a profile field goes from the summary before another comes into it",
    "complete: [profile_fields]\nprofile_fields: [{ name: Team }, { name: Office, display_in_profile_summary: true }, { name: Mentor }]",
    4,
    {
      given: fullSummary,
    },
  ],
  [
    "things are put in order when all have come and gone",
    "complete: [linkifiers, profile_fields]\nlinkifiers: [{ pattern: 'T(?P<n>[0-9]+)', url_template: 'https://t.example/{n}' }, { pattern: 'X(?P<n>[0-9]+)', url_template: 'https://x.example/{n}' }, { pattern: '#(?P<id>[0-9]+)' }]\nprofile_fields: [{ name: New, type: short_text }, { name: Mentor }, { name: Phone }]\nfolders: [{ name: New, description: x }, { name: Projects }]",
    10,
  ],
  [
    "domains are added before others go and before they restrict",
    "complete: [domains]\ndomains: [{ domain: b.example, allow_subdomains: true }]\nsettings: { emails_restricted_to_domains: true }",
    3,
    {
      given: (state) => {
        state.domains.push({ id: 1, domain: "a.example", allow_subdomains: false });
      },
    },
  ],
  [
    "domains restrict nobody when the last one goes",
    "complete: [domains]\ndomains: [{ domain: b.example, allow_subdomains: true }]",
    2,
    {
      given: restricted,
    },
  ],
  [
    "invitations go when their addresses may",
    "domains: [{ domain: b.example, allow_subdomains: false }]\npeople: [{ email: new@b.example, invite: true }]\ngroups: [{ name: crew, members: [new@b.example] }]\nchannels: [{ name: deck, subscribers: [new@b.example] }]",
    4,
    {
      given: restricted,
    },
  ],
  [
    "invitations go when domains restrict nobody any more",
    "settings: { emails_restricted_to_domains: false }\npeople: [{ email: new@b.example, invite: true }]",
    2,
    {
      given: restricted,
    },
  ],
  [
    "a domain lets subdomains in before somebody there is invited",
    "domains: [{ domain: a.example, allow_subdomains: true }]\npeople: [{ email: new@b.a.example, invite: true }]",
    2,
    {
      given: restricted,
    },
  ],
  [
    "a channel is private before it takes requests for moderation",
    "channels: [{ name: design, is_private: true }]\nsettings: { moderation_request_channel_id: design }",
    2,
  ],
  [
    "a channel takes no requests for moderation when it is made public",
    "channels: [{ name: moderation requests, is_private: false }]\nsettings: { moderation_request_channel_id: staff }",
    2,
  ],
  [
    "a channel is archived when no setting names it",
    "channels: [{ name: general, archived: true, description: Old }]\nsettings: { new_stream_announcements_stream_id: design, zulip_update_announcements_stream_id: null }",
    3,
  ],
  [
    "channels are web-public when that is allowed",
    "channels: [{ name: design, is_web_public: true }]\nsettings: { enable_spectator_access: true }",
    2,
    {
      given: noneForTheWeb,
    },
  ],
  [
    "the default language is put back when its playground is made anew",
    "playgrounds: [{ name: Try, pygments_language: Rust, url_template: 'https://b.example/{code}' }]",
    3,
    {
      given: rustByDefault,
    },
  ],
  [
    "the default language is another when the playground of the first one is gone",
    "complete: [playgrounds]\nplaygrounds: [{ name: Try, pygments_language: C, url_template: 'https://b.example/{code}' }]\nsettings: { default_code_block_language: C }",
    4,
    {
      given: rustByDefault,
    },
  ],
  [
    "a private channel is brought back with its new subscribers",
    "channels: [{ name: attic, archived: false, subscribers: { add: [otis@sandbox.example] } }]",
    2,
    {
      given: (state) => {
        Object.assign(channelNamed(state, "attic"), { invite_only: true, subscribers: new Set() });
        channelNamed(state, "attic").settings.can_add_subscribers_group = groupNamed(state, "role:owners").id;
      },
    },
  ],
  [
    "a channel is brought back before it is changed",
    "channels: [{ name: attic, archived: false, description: New, is_private: true, name: loft, id: 7 }]"
      .replace("name: attic, ", "")
      .replace("channels", `${here}channels`),
    4,
  ],
  [
    "a channel is opened, and closed, on the right side of what its members do",
    "channels: [{ name: staff, is_private: false, subscribers: { add: [otis@sandbox.example], remove: [iris@sandbox.example] }, can_add_subscribers_group: 'role:members' }, { name: design, is_private: true, subscribers: { remove: [iris@sandbox.example], add: [adam@sandbox.example] }, can_subscribe_group: 'role:moderators' }]",
    8,
  ],
  [
    "a private channel that the caller leaves is changed before",
    "channels: [{ name: staff, subscribers: { remove: [iris@sandbox.example], add: [otis@sandbox.example] }, can_add_subscribers_group: 'role:moderators', is_private: true }]",
    3,
  ],
  [
    "people are invited to a private channel before the caller leaves it",
    "people: [{ email: new@b.example, invite: true }]\nchannels: [{ name: staff, subscribers: { remove: [iris@sandbox.example], add: [new@b.example] } }]",
    2,
    {
      given: (state) => {
        channelNamed(state, "staff").invite_only = true;
        channelNamed(state, "staff").settings.can_add_subscribers_group = groupNamed(state, "role:nobody").id;
      },
    },
  ],
  [
    "a channel that shares its history may say who starts topics",
    "channels: [{ name: staff, history_public_to_subscribers: true, can_create_topic_group: 'role:moderators' }, { name: council, history_public_to_subscribers: false, can_create_topic_group: 'role:everyone' }]",
    4,
    {
      given: (state) => {
        channelNamed(state, "council").settings.can_create_topic_group = groupNamed(state, "role:moderators").id;
      },
    },
  ],
  [
    "a new channel is named by settings",
    "channels: [{ name: deck }]\nsettings: { new_stream_announcements_stream_id: deck, signup_announcements_stream_id: deck }",
    3,
  ],
  [
    "what the call that makes a channel does not keep comes after it",
    "channels: [{ name: deck, can_create_topic_group: 'role:moderators', can_delete_any_message_group: 'role:moderators', is_default_stream: true }]",
    3,
  ],
  [
    "on older servers a channel without subscribers is left when it is made",
    "channels: [{ name: deck, subscribers: [], description: x }]",
    2,
    { level: 416 },
  ],
  [
    "a public channel that the caller is not in is closed when its people are there",
    "channels: [{ name: design, is_private: true, subscribers: { add: [adam@sandbox.example] }, can_subscribe_group: 'role:moderators' }]",
    3,
    {
      given: (state) => {
        channelNamed(state, "design").subscribers.delete(8);
      },
    },
  ],
  [
    "a private channel that the caller is not in is opened before they lose their way into it",
    "channels: [{ name: staff, is_private: false, can_add_subscribers_group: nobody, subscribers: { add: [otis@sandbox.example] } }]",
    3,
    {
      given: staffWithoutIris,
    },
  ],
  [
    "people come into a private channel before the caller loses the way into it",
    "channels: [{ name: staff, can_add_subscribers_group: nobody, subscribers: { add: [otis@sandbox.example] } }]",
    2,
    {
      given: staffWithoutIris,
    },
  ],
  [
    "an archived channel is changed before",
    "channels: [{ name: design, archived: true, description: Old, is_private: true, folder: null, subscribers: { remove: [otis@sandbox.example] } }]",
    4,
    { level: 400 },
  ],
  [
    "a setting that is two things at once goes apart from others",
    "settings: { enable_spectator_access: false, description: x, invite_required: false, inline_url_embed_preview: true, emails_restricted_to_domains: true, authentication_methods: { Email: true } }\ndomains: [{ domain: a.example, allow_subdomains: true }]",
    6,
  ],
  [
    "channels are web-public before that is switched off for others",
    "channels: [{ name: design, is_web_public: true }, { name: deck, is_web_public: true }]\nsettings: { enable_spectator_access: false }",
    3,
  ],
  [
    "channels are made web-public when that is allowed",
    "channels: [{ name: deck, is_web_public: true }]\nsettings: { enable_spectator_access: true }",
    2,
    {
      given: noneForTheWeb,
    },
  ],
  [
    "a domain goes when domains restrict nobody",
    "complete: [domains]\ndomains: [{ domain: b.example, allow_subdomains: false }]\nsettings: { emails_restricted_to_domains: false }",
    3,
    {
      given: restricted,
    },
  ],
  [
    "a permission that names somebody who is back only then is changed before",
    "people: [{ email: dora@sandbox.example, active: true }]\nchannels: [{ name: staff, can_remove_subscribers_group: { users: [cora@sandbox.example] } }]",
    2,
    {
      given: (state) => {
        const [dora, otis] = [personNamed(state, "dora").user_id, personNamed(state, "otis").user_id];
        channelNamed(state, "staff").settings.can_remove_subscribers_group = {
          direct_members: [dora, otis],
          direct_subgroups: [],
        };
      },
    },
  ],
  [
    "somebody who was in a group before is in it again, or comes into it",
    "people: [{ email: dora@sandbox.example, active: true }]\ngroups: [{ name: designers, members: { add: [dora@sandbox.example, otis@sandbox.example] } }, { name: writers, members: { add: [dora@sandbox.example] } }]",
    4,
    {
      given: (state) => {
        groupNamed(state, "designers").members.add(personNamed(state, "dora").user_id);
      },
    },
  ],
];

const edges = new Map<string, readonly string[]>();

test.each(cases)("%s", async (what, text, requests, way) => {
  const found = await troubles(parse(text) as Content, way);
  edges.set(what, found.edges);
  expect(found.wrong.slice(0, 1).join("")).toBe("");
  expect(found.requests).toBe(requests);
});

test("requests wait for what they need, and for nothing besides", async () => {
  const all = cases.map(([what]) =>
    [what, ...(edges.get(what) ?? ["not tried"]).map((line) => `    ${line}`)].join("\n"),
  );
  await expect(`${all.join("\n\n")}\n`).toMatchFileSnapshot("order.edges.txt");
});
