/** Sections that are exhaustive: what goes, and what is used. */
import { expect, test } from "vitest";
import type { State } from "../../../src/sandbox/index.ts";
import { type Case, channel, compared, group, said } from "../compared.ts";

const makersEmpty = (state: State) => group(state, "makers").subgroups.clear();
const domains =
  (...names: string[]) =>
  (state: State) => {
    for (const [n, domain] of names.entries()) state.domains.push({ id: n + 1, domain, allow_subdomains: true });
  };
const playground = (state: State) =>
  void state.playgrounds.push({
    id: 1,
    name: "Try",
    pygments_language: "Rust",
    url_template: "https://x.example/{code}",
  });

const cases: Case[] = [
  [
    "an archived channel is used by a setting of the organization, and the file archives it all the same",
    "channels: [{ name: moderation requests, archived: true }]",
    ["archive channels moderation requests (6)"],
  ],
  [
    "a group that the file takes out of where it is used",
    "groups: [{ name: writers, deactivated: true, description: Gone }, { name: makers, subgroups: [] }]",
    [
      'deactivate groups writers (18) description: "Who writes" → "Gone"',
      "update groups makers (19) subgroups: [17,18] → []",
    ],
  ],
  [
    "two groups put away, one of them used, each told where it stands",
    "groups: [{ name: poets }, { name: makers, deactivated: true }, { name: designers, deactivated: true }]",
    [
      "refused groups designers at groups.2: is still used by channel general (can_send_message_group), settings (can_create_groups)",
      'create groups poets {"name":"poets"}',
      "deactivate groups makers (19)",
    ],
    {
      given: (state) => {
        channel(state, "general").settings.can_send_message_group = { direct_members: [8], direct_subgroups: [17, 18] };
        state.organization.permissions.can_create_groups = 17;
      },
    },
  ],
  [
    "groups put away that name each other",
    "groups: [{ name: designers, deactivated: true }, { name: writers, deactivated: true }]",
    [
      "refused groups designers at groups.0: is still used by group writers (can_manage_group)",
      "refused groups writers at groups.1: is still used by group designers (can_mention_group)",
    ],
    {
      given: (state) => {
        makersEmpty(state);
        group(state, "writers").settings.can_manage_group = 17;
        group(state, "designers").settings.can_mention_group = 18;
      },
    },
  ],
  [
    "a group put away that is used, and one that it lets go all the same",
    "groups: [{ name: makers, deactivated: true, subgroups: [] }, { name: writers, deactivated: true }]",
    [
      "refused groups makers at groups.0: is still used by channel design (can_send_message_group)",
      "deactivate groups writers (18)",
    ],
    { given: (state) => void Object.assign(channel(state, "design").settings, { can_send_message_group: 19 }) },
  ],
  ...([true, false] as const).map(
    (prune): Case => [
      `groups that only one that is archived uses, ${prune ? "" : "not "}pruned`,
      "complete: [groups]\ngroups: [{ name: makers, deactivated: true }]",
      ["makers (19)", "designers (17)", "writers (18)"].map(
        (name, n) => `${n && !prune ? "withheld " : ""}deactivate groups ${name}`,
      ),
      { prune },
    ],
  ),
  [
    "groups that go with what uses them",
    "complete: [groups, channels]\ngroups: [{ name: makers }]\nchannels: [{ name: design }, { name: moderation requests }]",
    [
      "deactivate groups designers (17)",
      "archive channels general (2)",
      "archive channels announcements (3)",
      "archive channels staff (4)",
      "archive channels council (5)",
      "used groups writers (18): channel design (can_send_message_group)",
    ],
    {
      prune: true,
      given: (state) => {
        makersEmpty(state);
        channel(state, "general").settings.can_send_message_group = 17;
        channel(state, "attic").settings.can_send_message_group = 17;
        channel(state, "design").settings.can_send_message_group = 18;
      },
    },
  ],
  [
    "groups that name each other go one after the other, and stay where they go round",
    "complete: [groups]\ngroups: [{ name: makers }]",
    [
      "withheld deactivate groups poets (20)",
      "used groups designers (17): group writers (can_manage_group)",
      "used groups writers (18): group designers (can_mention_group)",
    ],
    {
      given: (state) => {
        makersEmpty(state);
        group(state, "writers").settings.can_manage_group = 17;
        group(state, "designers").settings.can_mention_group = { direct_members: [8, 9], direct_subgroups: [18] };
        const poets = structuredClone(group(state, "designers"));
        Object.assign(poets, { id: 20, name: "poets" });
        Object.assign(poets.settings, { can_mention_group: 15, can_manage_group: 18 });
        state.groups.set(20, poets);
      },
    },
  ],
  [
    "a group that names only itself",
    "complete: [groups]\ngroups: [{ name: designers }, { name: makers }]",
    ["used groups writers (18): group writers (can_manage_group)"],
    {
      prune: true,
      given: (state) => {
        makersEmpty(state);
        group(state, "writers").settings.can_manage_group = 18;
      },
    },
  ],
  [
    "folders that a channel leaves, and one that it stays in",
    "complete: [folders]\nfolders: [{ name: Other }]\nchannels: [{ name: design, folder: null }]",
    [
      'create folders Other {"name":"Other"}',
      "update channels design (1) folder: 1 → null",
      "archive folders Projects (1)",
    ],
    { prune: true },
  ],
  [
    "channels that settings name",
    "complete: [channels]\nchannels: [{ name: design }, { name: council }]",
    [
      "withheld archive channels announcements (3)",
      "withheld archive channels staff (4)",
      "used channels general (2): settings (new_stream_announcements_stream_id), settings (zulip_update_announcements_stream_id)",
      "used channels moderation requests (6): settings (moderation_request_channel_id)",
    ],
    {
      given: ({ organization }) => {
        organization.settings.new_stream_announcements_stream_id = 2;
        organization.settings.zulip_update_announcements_stream_id = 2;
      },
    },
  ],
  [
    "domains, of which an administrator removes none",
    "complete: [domains, linkifiers]\ndomains: [{ domain: B.example, allow_subdomains: true }]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]",
    [
      "refused domains a.example at complete: permission denied: only owners can remove domains",
      'remove linkifiers (?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40}) (2) {"pattern":"(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})","url_template":"https://code.example/{repo}/commit/{commit}"}',
    ],
    { as: 200, prune: true, given: domains("a.example", "b.example") },
  ],
  [
    "domains, which an owner removes",
    "complete: [domains]\ndomains: [{ domain: b.example, allow_subdomains: true }]",
    ['remove domains a.example {"domain":"a.example","allow_subdomains":true}'],
    { prune: true, given: domains("a.example", "b.example") },
  ],
  [
    "and an administrator is only told of",
    "complete: [domains]\ndomains: [{ domain: b.example, allow_subdomains: true }]",
    ['withheld remove domains a.example {"domain":"a.example","allow_subdomains":true}'],
    { as: 200, given: domains("a.example", "b.example") },
  ],
  [
    "what is pruned, and what it leaves in order",
    "complete: [playgrounds, linkifiers, profile_fields]\nplaygrounds: []\nlinkifiers: [{ pattern: 'N(?P<n>[0-9]+)', url_template: 'https://n.example/{n}' }, { pattern: '(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})', url_template: 'https://x.example/{repo}/{commit}' }]\nprofile_fields: [{ name: Mentor }, { name: Phone, hint: x }]",
    [
      'update profile_fields Phone (1) hint: "" → "x"',
      'create linkifiers N(?P<n>[0-9]+) {"pattern":"N(?P<n>[0-9]+)","url_template":"https://n.example/{n}"}',
      'update linkifiers (?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40}) (2) url_template: "https://code.example/{repo}/commit/{commit}" → "https://x.example/{repo}/{commit}"',
      'remove playgrounds Try (Rust) (1) {"name":"Try","pygments_language":"Rust","url_template":"https://x.example/{code}"}',
      'remove linkifiers #(?P<id>[0-9]+) (1) {"pattern":"#(?P<id>[0-9]+)","url_template":"https://tracker.example/issues/{id}"}',
      'remove profile_fields About me (2) {"name":"About me","type":"long_text","hint":"Markdown","required":false,"display_in_profile_summary":false,"editable_by_user":true}',
      'remove profile_fields Office (3) {"name":"Office","type":"options","hint":"","required":false,"display_in_profile_summary":false,"editable_by_user":true,"options":[{"key":"0","text":"Berlin"},{"key":"1","text":"Lisbon"}]}',
      "reorder profile_fields profile fields [1,4] → [4,1]",
      'reorder linkifiers linkifiers [2,{"new":"N(?P<n>[0-9]+)"}] → [{"new":"N(?P<n>[0-9]+)"},2]',
      'notice at linkifiers.0: a new linkifier "N(?P<n>[0-9]+)"; there is "#(?P<id>[0-9]+)": did you mean it? Then add "was: \'#(?P<id>[0-9]+)\'"',
    ],
    { prune: true, given: playground },
  ],
];

test.each(cases)("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});

test("nothing is counted where the file is wrong", async () => {
  expect((await compared("linkifiers: [{ pattern: x }]")).unmanaged).toEqual({});
});

test("what the file leaves alone is counted, without what is archived, spoken of or pruned", async () => {
  const text = "complete: [groups]\ngroups: [{ name: makers }]\nlinkifiers: [{ pattern: '#(?P<id>[0-9]+)' }]";
  const given = (state: State) => {
    makersEmpty(state);
    domains("a.example")(state);
    playground(state);
    channel(state, "general").settings.can_send_message_group = 18;
  };
  const rest = { profile_fields: 4, people: 6, folders: 1, channels: 6, linkifiers: 1, domains: 1, playgrounds: 1 };
  const counts = async (prune: boolean) => (await compared(text, { given, prune })).unmanaged;
  expect([await counts(true), await counts(false)]).toEqual([
    { ...rest, groups: 1 },
    { ...rest, groups: 2 },
  ]);
});
