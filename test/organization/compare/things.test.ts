/** Attributes: from which level on they are known, what they are compared as, and what goes along. */
import { expect, test } from "vitest";
import { type Case, said } from "../compared.ts";

const levels: Case[] = [
  [
    "an attribute one level too early, told once, and others of its section",
    "channels: [{ name: design, folder: null, topics_policy: inherit }, { name: staff, topics_policy: inherit }]",
    [
      "refused channels design folder at channels.0.folder (389): folder requires feature level 389; this server has level 371",
      "refused channels design topics_policy at channels.0.topics_policy (392): topics_policy requires feature level 392; this server has level 371",
    ],
    { level: 371 },
  ],
  [
    "an attribute, and a value of it that is newer still",
    "channels: [{ name: design, topics_policy: inherit }, { name: staff, topics_policy: empty_topic_only }]",
    [
      "refused channels design topics_policy at channels.0.topics_policy (392): topics_policy requires feature level 392; this server has level 391",
      "refused channels staff topics_policy at channels.1.topics_policy (404): topics_policy requires feature level 404; this server has level 391",
    ],
    { level: 391 },
  ],
  [
    "on its own level",
    "channels: [{ name: design, topics_policy: disable_empty_topic }]",
    ['update channels design (1) topics_policy: "inherit" → "disable_empty_topic"'],
    { level: 392 },
  ],
  [
    "a channel brought back on the first level that does it",
    "channels: [{ name: attic, archived: false }]",
    ["unarchive channels attic (7)"],
    { level: 388 },
  ],
  [
    "and one before",
    "channels: [{ name: attic, archived: false }]",
    [
      "refused channels attic archived at channels.0 (388): cannot be restored before feature level 388; this server has level 387",
    ],
    { level: 387 },
  ],
  [
    "a group put away on the first level that does it",
    "groups: [{ name: makers, deactivated: true }]",
    ["deactivate groups makers (19)"],
    { level: 290 },
  ],
];

const attributes: Case[] = [
  [
    "history goes along with privacy, and nothing else with it",
    "channels: [{ name: design, description: x, history_public_to_subscribers: true }, { name: general, is_private: true, history_public_to_subscribers: true, is_web_public: false, description: Everyone }]",
    [
      'update channels design (1) description: "Sketches and **drafts**" → "x"',
      "update channels general (2) is_private: false → true; history_public_to_subscribers: true → true",
    ],
  ],
  [
    "a playground is made anew, and what it is goes along",
    "playgrounds: [{ name: Try, pygments_language: Rust, url_template: 'https://new.example/{code}' }, { name: Run, pygments_language: Rust, url_template: ' https://x.example/{code} ' }]",
    [
      'update playgrounds Try (Rust) (1) pygments_language: "Rust" → "Rust"; name: "Try" → "Try"; url_template: "https://x.example/{code}" → "https://new.example/{code}"',
    ],
    {
      given: ({ playgrounds }) => {
        const one = { pygments_language: "Rust", url_template: "https://x.example/{code}" };
        playgrounds.push({ id: 1, name: "Try", ...one }, { id: 2, name: "Run", ...one });
      },
    },
  ],
  [
    "texts in lists are trimmed too, and nothing is an empty text or list",
    "linkifiers: [{ pattern: '#(?P<id>[0-9]+)', alternative_url_templates: [' https://a.example/{id} '] }, { pattern: '(?P<repo>[a-z]+)@(?P<commit>[0-9a-f]{7,40})', example_input: '', alternative_url_templates: [] }]",
    [],
    {
      level: 478,
      given: ({ linkifiers }) =>
        void Object.assign(linkifiers[0]!, { alternative_url_templates: ["https://a.example/{id}"] }),
      told: ({ organization }) => {
        const [, second] = organization.realm_linkifiers!;
        Object.assign(second!, { example_input: null, alternative_url_templates: undefined });
      },
    },
  ],
  [
    "what is more than nothing",
    "linkifiers: [{ pattern: '#(?P<id>[0-9]+)', example_input: '#1', alternative_url_templates: ['https://a.example/{id}'] }]",
    [
      'update linkifiers #(?P<id>[0-9]+) (1) example_input: null → "#1"; alternative_url_templates: null → ["https://a.example/{id}"]',
    ],
    {
      level: 478,
      told: ({ organization }) =>
        void Object.assign(organization.realm_linkifiers![0]!, {
          example_input: null,
          alternative_url_templates: null,
        }),
    },
  ],
  [
    "a channel for announcements, and none",
    "settings: { new_stream_announcements_stream_id: null, signup_announcements_stream_id: staff }\nnew_users: { web_home_view: inbox }",
    ["update settings settings new_stream_announcements_stream_id: 2 → null; signup_announcements_stream_id: null → 4"],
    {
      given: ({ organization }) => void Object.assign(organization.settings, { new_stream_announcements_stream_id: 2 }),
    },
  ],
  [
    "nobody, whichever group that is",
    "channels: [{ name: design, can_send_message_group: nobody }, { name: general, can_send_message_group: { groups: ['role:nobody', writers] } }]",
    [
      'update channels design (1) can_send_message_group: {"users":[],"groups":[15]} → {"users":[],"groups":[]}',
      'update channels general (2) can_send_message_group: {"users":[],"groups":[15]} → {"users":[],"groups":[18]}',
    ],
    { told: ({ organization }) => void organization.realm_user_groups.reverse() },
  ],
  [
    "problems alone where there are any",
    "complete: [linkifiers]\nlinkifiers: [{ pattern: x }]\nchannels: [{ name: design, description: x }]",
    ['problem at linkifiers.0: missing "url_template": required for a new linkifier'],
  ],
  [
    "another organization's file",
    "organization: https://other.example\nchannels: [{ name: design, description: x }]",
    ["problem at organization: the file is for https://other.example, but this is https://chat.example"],
  ],
];

test.each([...levels, ...attributes])("%s", async (_, text, lines, beside) => {
  expect(await said(text, beside)).toEqual(lines);
});
