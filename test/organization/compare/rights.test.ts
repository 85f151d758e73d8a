/** What the caller would certainly be refused. */
import { expect, test } from "vitest";
import type { Snapshot } from "../../../src/organization/snapshot.ts";
import type { State } from "../../../src/sandbox/index.ts";
import { type Case, channel, group, said } from "../compared.ts";

const seen = ({ organization }: Snapshot, name: string) =>
  [...organization.subscriptions, ...organization.unsubscribed, ...organization.never_subscribed].find(
    (each) => each.name === name,
  )!;

const rights: Case[] = [
  [
    "a private channel that the caller is in",
    "channels: [{ name: staff, is_private: false }]",
    ["update channels staff (4) is_private: true → false"],
    { as: 200, level: 353 },
  ],
  [
    "a public one that they are not in",
    "channels: [{ name: design, is_private: true }]",
    ["update channels design (1) is_private: false → true"],
    { as: 200, level: 353 },
  ],
  [
    "a private one of which the server tells no subscribers",
    "channels: [{ name: council, is_private: false }]",
    ["update channels council (5) is_private: true → false"],
    {
      as: 200,
      level: 353,
      told: (snapshot) => void delete (seen(snapshot, "council") as { subscribers?: unknown }).subscribers,
    },
  ],
  [
    "a private one that they are not in",
    "channels: [{ name: council, is_private: false, description: ok, subscribers: { add: ['id:12'] } }, { name: design, description: x }]",
    [
      "refused channels council is_private at channels.0.is_private: is private, and this account is not subscribed: only people who can read it can change this",
      "refused channels council subscribers at channels.0.subscribers: is private, and this account is not subscribed: only people who can read it can change this",
      'update channels council (5) description: "Private, with its whole history" → "ok"',
      'update channels design (1) description: "Sketches and **drafts**" → "x"',
    ],
    { as: 200 },
  ],
  [
    "nor may they say there who adds others, or who comes in",
    "channels: [{ name: council, can_add_subscribers_group: role:owners, can_subscribe_group: role:owners, can_send_message_group: role:owners }]",
    [
      "refused channels council can_add_subscribers_group at channels.0.can_add_subscribers_group: is private, and this account is not subscribed: only people who can read it can change this",
      "refused channels council can_subscribe_group at channels.0.can_subscribe_group: is private, and this account is not subscribed: only people who can read it can change this",
      'update channels council (5) can_send_message_group: {"users":[],"groups":[15]} → {"users":[],"groups":[10]}',
    ],
    { as: 200 },
  ],
  ...([353, 354, 355] as const).map(
    (level): Case => [
      `whom a permission lets in on level ${level}`,
      "channels: [{ name: council, is_private: false }]",
      [
        level < 354
          ? "refused channels council is_private at channels.0.is_private: is private, and this account is not subscribed: only people who can read it can change this"
          : "update channels council (5) is_private: true → false",
      ],
      {
        as: 200,
        level,
        given: (state) =>
          void Object.assign(channel(state, "council").settings, {
            can_add_subscribers_group: group(state, "designers").id,
          }),
      },
    ],
  ),
  [
    "a permission that the level does not know lets nobody in",
    "channels: [{ name: council, is_private: false }]",
    [
      "refused channels council is_private at channels.0.is_private: is private, and this account is not subscribed: only people who can read it can change this",
    ],
    { as: 200, level: 356 },
  ],
  [
    "retention, which is the owners', but for what a new channel has anyway",
    "channels: [{ name: design, message_retention_days: realm_default }, { name: a, message_retention_days: realm_default }, { name: b, message_retention_days: 7 }, { name: staff, message_retention_days: realm_default }]",
    [
      "refused channels b message_retention_days at channels.2.message_retention_days: permission denied: only owners can change message_retention_days",
      "refused channels staff message_retention_days at channels.3.message_retention_days: permission denied: only owners can change message_retention_days",
      'create channels a {"name":"a","message_retention_days":"realm_default"}',
      'create channels b {"name":"b"}',
    ],
    { as: 200, given: (state) => void Object.assign(channel(state, "staff"), { message_retention_days: 7 }) },
  ],
  [
    "a kind of GIF rating that the server does not have",
    "settings: { giphy_rating: 5, description: x }",
    [
      "refused settings settings giphy_rating at settings.giphy_rating: invalid giphy_rating 5: must be 0 (disabled), 4 (r)",
      'update settings settings description: "" → "x"',
    ],
    {
      told: ({ organization }) =>
        void Object.assign(organization, { gif_rating_options: { disabled: { id: 0 }, r: { id: 4 } } }),
    },
  ],
  [
    "domains, which are the owners'",
    "domains: [{ domain: a.example, allow_subdomains: true }]",
    [
      "refused domains a.example domain at domains.0.domain: permission denied: only owners can change domain",
      "refused domains a.example allow_subdomains at domains.0.allow_subdomains: permission denied: only owners can change allow_subdomains",
    ],
    { as: 200 },
  ],
  [
    "a domain of an owner",
    "domains: [{ domain: A.example, allow_subdomains: false }]",
    ["update domains A.example allow_subdomains: true → false"],
    { given: ({ domains }) => void domains.push({ id: 1, domain: "a.example", allow_subdomains: true }) },
  ],
];

const web =
  "channels: [{ name: design, is_web_public: true, description: x }, { name: announcements, is_web_public: true }, { name: staff, is_web_public: false }, { name: new, is_web_public: true }]";
const description = 'description: "Sketches and **drafts**" → "x"';
const off = "cannot be web-public: enable_spectator_access is off";
const none = "cannot be web-public: this server has web-public channels switched off";
const spectators = (enable_spectator_access: boolean) => (state: State) =>
  void Object.assign(state.organization.settings, { enable_spectator_access });
const shown = (n: number, name: string, says: string) =>
  `refused channels ${name} is_web_public at channels.${n}.is_web_public: ${says}`;

const openly: Case[] = [
  [
    "where the organization shows channels to the web",
    web,
    [
      `update channels design (1) ${description}; is_web_public: false → true`,
      'create channels new {"name":"new","is_web_public":true}',
    ],
    { given: spectators(true) },
  ],
  [
    "where it does not",
    web,
    [
      shown(0, "design", off),
      shown(3, "new", off),
      `update channels design (1) ${description}`,
      'create channels new {"name":"new"}',
    ],
    { given: spectators(false) },
  ],
  [
    "where the file lets it",
    `settings: { enable_spectator_access: true }\n${web}`,
    [
      "update settings settings enable_spectator_access: false → true",
      `update channels design (1) ${description}; is_web_public: false → true`,
      'create channels new {"name":"new","is_web_public":true}',
    ],
    { given: spectators(false) },
  ],
  [
    "where the file ends it, which is done last",
    `settings: { enable_spectator_access: false }\n${web}`,
    [
      "update settings settings enable_spectator_access: true → false",
      `update channels design (1) ${description}; is_web_public: false → true`,
      'create channels new {"name":"new","is_web_public":true}',
    ],
    { given: spectators(true) },
  ],
  [
    "what is no longer so, and what is not about the web",
    "channels: [{ name: announcements, is_web_public: false, is_default_stream: true }, { name: staff, is_private: false }]",
    [
      "update channels announcements (3) is_web_public: true → false; is_default_stream: false → true",
      "update channels staff (4) is_private: true → false",
    ],
    { given: spectators(false) },
  ],
  [
    "where the server tells nothing of it",
    web,
    [
      `update channels design (1) ${description}; is_web_public: false → true`,
      'create channels new {"name":"new","is_web_public":true}',
    ],
    {
      told: ({ organization }) =>
        void delete (organization as { realm_enable_spectator_access?: unknown }).realm_enable_spectator_access,
    },
  ],
  [
    "where the plan has no such channels",
    "channels: [{ name: design, is_web_public: true }]",
    [shown(0, "design", none)],
    { given: spectators(true), told: ({ organization }) => void Object.assign(organization, { realm_plan_type: 2 }) },
  ],
  [
    "where another plan has",
    "channels: [{ name: design, is_web_public: true }]",
    ["update channels design (1) is_web_public: false → true"],
    { given: spectators(true), told: ({ organization }) => void Object.assign(organization, { realm_plan_type: 1 }) },
  ],
  [
    "where the server has none",
    "channels: [{ name: design, is_web_public: true }]",
    [shown(0, "design", none)],
    { given: (state) => void Object.assign(state.organization, { web_public: false }) },
  ],
];

test.each([...rights, ...openly])("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});
