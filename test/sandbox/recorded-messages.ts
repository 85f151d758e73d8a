/** The organization in which recorded answers about messages are asked. */
import type { Recorded } from "./recorded.ts";

type Given = NonNullable<Recorded["given"]>;

const many = [8, 9, 10, 11, 12, 13, 21, 22, 23, 24, 31, 32, 33, 34, 35, 41, 106, 113];
const hidden = { invite_only: true, history_public_to_subscribers: false };
/** System groups, by their ids. */
const [nobody, administrators] = [9, 11];

const world: Given = {
  users: {
    106: { full_name: "Amy_Able", delivery_email: "mema@zulip.example.com" },
    107: { full_name: "Ben_Bell", delivery_email: "memb@zulip.example.com" },
    108: { full_name: "Cyn_Cole", delivery_email: "memc@zulip.example.com" },
    109: { delivery_email: "gone@zulip.example.com" },
    125: { delivery_email: "memd@zulip.example.com" },
  },
  channels: {
    92: { name: "design", subscribers: [106, 107, 113, 115] },
    93: { name: "quiet", subscribers: [] },
    94: { name: "secret", ...hidden, subscribers: [106, 107] },
    95: { name: "shared", invite_only: true, subscribers: [106, 107] },
    96: { name: "attic", is_archived: true, subscribers: [106, 107] },
    97: { name: "vault", is_archived: true, invite_only: true, subscribers: [106, 107] },
    98: { name: "announce", subscribers: [106, 113], settings: { can_send_message_group: administrators } },
    99: { name: "target", subscribers: [107] },
    100: { name: "hidden", ...hidden, subscribers: [8] },
    103: { name: "crowd", subscribers: many },
    112: { name: "fresh", subscribers: [106] },
    119: { name: "short lived", subscribers: [106] },
    120: { name: "empty", subscribers: [106] },
  },
  groups: { 300: { name: "quiet crew", settings: { can_mention_group: nobody } } },
};

/** The organization, and what a case says of it besides. */
export const inWorld = ({ channels = {}, users = {}, ...given }: Given = {}): Given => ({
  ...world,
  ...given,
  users: { ...world.users, ...users },
  channels: Object.fromEntries(
    Object.entries({ ...world.channels, ...channels }).map(([id, each]) => [id, { ...world.channels?.[id], ...each }]),
  ),
});

/** Cases that are not asked, and why. */
export const leftOut: readonly [why: string, cases: RegExp][] = [
  ["a call that the sandbox does not have", /^summary/],
  ["counts messages that the recording does not hold", /^flags of a narrow: (?:all of|again|more than)/],
  ["Markdown that is not rendered here", /^render: (?:Markdown|list, quote|table|private channel|10001)/],

  ["events of queues that were made before, and what they are about", /^(?:events|register)/],
  ["numbers that were put into the server by hand", /^activity/],
  ["takes the server more time than there is", /ran out of its 50 seconds/],
  ["the recording cut the text", /10001 characters \(only its last/],
  ["names people of whom the recording tells nothing", /^send direct: 11 recipients/],
];
