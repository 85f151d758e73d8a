/** Organizations that a transcript names with `% given NAME`. */
import type { SandboxState } from "../../src/sandbox/index.ts";

const only = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] as number[] });

function addInvitations({ invitations }: SandboxState, inviters: readonly number[]): void {
  const invitation = { key: "", invited: 0, expiry_date: null, invited_as: 400, notify_referrer_on_join: false };
  for (const [n, invited_by_user_id] of inviters.entries())
    invitations.push({
      ...invitation,
      id: n + 1,
      email: `guest${n + 1}@example.com`,
      invited_by_user_id,
      revoked: false,
    });
}

const day = 86_400_000;

/** Sets the age of all channels, and of the newest messages. Channels without an age lose their messages. */
function setAges({ channels, messages }: SandboxState, created: number, ages: Readonly<Record<string, number>>): void {
  const now = Date.UTC(2026, 0, 15, 12);
  for (const channel of channels.values()) channel.date_created = now - created * day;
  for (const [id, message] of messages) {
    const age = ages[channels.get(message.stream_id ?? 0)?.name ?? ""];
    if (age === undefined) messages.delete(id);
    else message.date_sent = now - age * day;
  }
}

const addChannel = ({ channels }: SandboxState, name: string, ...subscribers: number[]): void =>
  void channels.set(8, { ...channels.get(1)!, stream_id: 8, name, subscribers: new Set(subscribers) });

/** Adds messages of Otis in #design, one a minute. */
export function addMessages({ messages }: SandboxState, count: number): void {
  const message = messages.get(3)!;
  for (let n = 0; n < count; n++) {
    const [id, topic] = [100 + n, n % 2 ? "buy" : "sell"];
    const date_sent = message.date_sent + n * 60_000;
    messages.set(id, { ...message, id, topic, content: `spam ${n}`, date_sent });
  }
}

export const setups: Readonly<Record<string, (state: SandboxState) => void>> = {
  "an emoji shipit": ({ emoji }) =>
    void emoji.set(1, { name: "shipit", source_url: "/1.png", still_url: null, deactivated: false, author_id: 8 }),

  "spam from Otis": (state) => addMessages(state, 4),
  "20 messages from Otis": (state) => addMessages(state, 20),
  "150 messages from Otis": (state) => addMessages(state, 150),
  "attachment 1 in messages 3 and 4": ({ attachments }) => {
    attachments.get(1)!.message_ids = [3, 4];
  },
  "no message 2": ({ messages }) => void messages.delete(2),

  /** Channels are 400 days old. The newest messages are in #design (3 days old) and #general (40 days old). */
  "old channels": (state) => setAges(state, 400, { design: 3, general: 40 }),
  "young channels": (state) => setAges(state, 2, {}),

  "another ev-secret": (state) => addChannel(state, "ev-secret", 9),
  "another ev-ſecret": (state) => addChannel(state, "ev-ſecret", 8),

  /** The first is deactivated. */
  "30 designers": ({ users, groups }) => {
    const example = users.get(12);
    if (!example) throw new Error("no account 12");
    for (let id = 101; id <= 130; id++)
      users.set(id, { ...example, user_id: id, delivery_email: `d${id}@sandbox.example`, full_name: `D${id}` });
    groups.set(17, { ...groups.get(17)!, members: new Set(Array.from({ length: 30 }, (_, n) => 101 + n)) });
  },
  "groups EV-G1 and ev-g1": ({ groups }) => {
    const group = groups.get(19)!;
    groups.set(30, { ...group, id: 30, name: "EV-G1", deactivated: true }).set(31, { ...group, id: 31, name: "ev-g1" });
  },

  /** Cora has permissions of all kinds, a channel without other people, a group, a bot and an invitation. */
  "Cora with responsibilities": (state) => {
    const { users, channels, groups, organization } = state;
    users.get(14)!.bot_owner_id = 11;
    addInvitations(state, [11]);
    organization.permissions.can_create_groups = only(9, 11);
    const general = channels.get(2)!;
    general.settings.can_administer_channel_group = only(11);
    general.subscribers = new Set([11, 14]);
    groups.get(18)!.settings.can_manage_group = only(11);
  },

  /** Iris reads the channel too. */
  "Cora with a bot, an invitation and a private channel": (state) => {
    state.users.get(14)!.bot_owner_id = 11;
    state.users.get(14)!.api_key = "KeyThatCoraKnowsKeyThatCoraKnows";
    state.users.get(11)!.api_key = "KeyOfCoraKeyOfCoraKeyOfCoraKeyOf";
    addInvitations(state, [11]);
    const staff = state.channels.get(4)!;
    Object.assign(staff, { name: "handover", subscribers: new Set([8, 11]) });
  },

  "a private channel that only Cora reads": ({ channels }) => {
    channels.get(4)!.subscribers = new Set([11]);
    channels.get(4)!.settings.can_administer_channel_group = only(11);
  },

  "a private channel that Cora and Mona read": ({ channels }) => {
    channels.get(4)!.subscribers = new Set([10, 11]);
    channels.get(4)!.settings.can_add_subscribers_group = only(11);
    channels.get(4)!.settings.can_administer_channel_group = only(11);
  },

  /** Cora has two active bots, a deactivated one, and three invitations. Otis has an invitation. */
  "Cora with bots and invitations": (state) => {
    const beep = state.users.get(14)!;
    beep.bot_owner_id = 11;
    const boop = { ...beep, user_id: 16, full_name: "Boop Bot", delivery_email: "boop@sandbox.example" };
    const away = { full_name: "Gone Bot", delivery_email: "gone@sandbox.example", is_active: false };
    state.users.set(16, boop).set(17, { ...beep, user_id: 17, ...away });
    addInvitations(state, [11, 11, 11, 12]);
  },

  /** Export 1 was made before the organization moved. */
  "exports 1 and 2": ({ exports }) => {
    const one = { acting_user_id: 8, export_time: 0, ready_time: 0, deleted_time: null, secret: "x" };
    exports.set(1, { ...one, id: 1, export_type: "full_with_consent", from_prior_server: true });
    exports.set(2, { ...one, id: 2, export_type: "public" });
  },

  "people who can create users": ({ users }) => {
    for (const user of users.values()) user.can_create_users = true;
  },

  "no playgrounds": ({ playgrounds }) => {
    playgrounds.length = 0;
  },

  "Adam is away for a year": ({ users, messages }) => {
    users.get(9)!.date_joined -= 365 * 86_400_000;
    for (const [id, { sender_id }] of messages) if (sender_id === 9) messages.delete(id);
  },
  "Cora and Otis have been away for half a year": ({ users, messages }) => {
    messages.clear();
    const now = Date.UTC(2026, 0, 15, 12);
    users.get(11)!.date_joined = now - 181 * 86_400_000;
    users.get(12)!.date_joined = now - 180 * 86_400_000;
  },
  /** As in a new organization: `email` is `user12@…` for everybody but administrators. */
  "hidden addresses": ({ users }) => {
    for (const user of users.values()) if (user.bot_type === null) user.email_address_visibility = 3;
  },
  "a second Beep Bot with a role": ({ users }) => {
    users.set(16, { ...users.get(14)!, user_id: 16, delivery_email: "evil-bot@sandbox.example", role: 300 });
  },
};
