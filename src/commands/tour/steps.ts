/** The command lines of the tour, for the organization at hand. */
import { roles } from "../../api/users.ts";
import type { SandboxInfo } from "../../world/embedded.ts";
import { owner } from "../sandbox.ts";

export interface Step {
  title: string;
  /** A word is undefined if the organization has nothing of the kind. */
  argv: (string | undefined)[];
  input?: string;
  /** The title of an earlier step that this one needs. */
  after?: string;
}

/** A name as people type it, with `name:` if it could be read as something else. */
const typedName = (thing: { name: string } | undefined): string | undefined =>
  thing && (/^(\d+$|id:|name:|[#@-])/.test(thing.name) ? `name:${thing.name}` : thing.name);

/** A word that a search can find. */
function longestWord(text: string): string {
  const words = text.replaceAll(/https?:\/\/\S+/g, "").match(/[A-Za-z]+/g) ?? ["hello"];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
}

/** The eleven operations, in the order of their documentation. */
export function steps(info: SandboxInfo): Step[] {
  const { channels, groups, users, messages, attachments, site, feature_level: level } = info;
  const self = owner(info);
  const channel = typedName(
    channels.find((each) => !each.is_private && !each.is_archived && each.subscribers.includes(self.user_id)),
  );
  const group = groups.find((each) => !each.is_system_group);
  const newcomer = users.find(
    ({ user_id, is_active, is_bot }) => is_active && !is_bot && !group?.members.includes(user_id),
  );
  const upload = attachments.filter(({ owner_id }) => owner_id === self.user_id).at(-1);
  const ids = messages.slice(0, 6).map(({ id }) => id);
  const [first] = messages;
  const channelOfFirst = channels.find(({ stream_id }) => stream_id === first?.stream_id);
  const operand =
    channelOfFirst &&
    (/^[\w.-]*[A-Za-z][\w.-]*$/.test(channelOfFirst.name) ? channelOfFirst.name : channelOfFirst.stream_id);
  const policy = level < 392 ? [] : ["--topics-policy", "disable_empty_topic"];
  const pattern = ["RFC(?P<id>[0-9]+)", "https://www.rfc-editor.org/rfc/rfc{id}"];
  return [
    {
      title: "Update a channel",
      argv: ["channel", "update", channel, "--description", "Shown to *everybody*", ...policy],
    },
    {
      title: "Match messages against a narrow",
      argv: [
        ...["messages", "match", "--ids", ids.join(",")],
        ...["--narrow", first && `channel:${operand} ${longestWord(first.content)}`],
      ],
    },
    {
      title: "Fetch an API key",
      argv: ["fetch-key", "--site", site, "--username", self.email, "--password-stdin", "--print"],
      input: self.password,
    },
    { title: "Create a channel folder", argv: ["folder", "create", "Tour", "--description", "Made by zulipctl tour"] },
    {
      title: "Create drafts",
      argv: ["drafts", "add", "--channel", channel, "--topic", "tour", "--content", "To be finished"],
    },
    { title: "List users", argv: ["users", "list", "--active", "--humans"] },
    {
      title: "Add an APNs device token",
      argv: ["apns", "register", "--token-stdin", "--appid", "org.zulip.Zulip"],
      input: "c0ffee00".repeat(8),
    },
    {
      title: "Update the members of a user group",
      argv: ["group", "members", typedName(group), "--add", newcomer?.email],
    },
    { title: "Add a linkifier", argv: ["linkifier", "add", ...pattern, "--sample", "see RFC6570"] },
    { title: "Delete an attachment", argv: ["attachment", "rm", upload && String(upload.id), "--yes"] },
    { title: "Create a data export", argv: ["export", "create", "--type", "public"] },
  ];
}

const folder = "Make a folder";
const channel = "Open a channel for a team";

/** Returns a name that is not in use. */
const freeName = (name: string, existing: readonly { name: string }[]): string =>
  existing.some((each) => each.name.toLowerCase() === name) ? freeName(`${name}-2`, existing) : name;

/** A day's work. Later steps use things that earlier steps made. */
export function day(info: SandboxInfo): Step[] {
  const { channels, users, groups, attachments } = info;
  const self = owner(info);
  const members = users.filter(({ role, is_active, is_bot }) => role === roles.member && is_active && !is_bot);
  const group = groups.find((each) => !each.is_system_group);
  const joiner = members.find(({ user_id }) => !group?.members.includes(user_id));
  const leaver = members.at(-1)?.email;
  const moved = typedName(channels.find(({ is_archived, is_private }) => !is_archived && !is_private));
  const upload = attachments.find(({ owner_id }) => owner_id === self.user_id);
  const team = freeName("sales", channels);
  return [
    { title: "See who the guests are", argv: ["users", "list", "--role", "guest", "--active"] },
    { title: folder, argv: ["folder", "create", "Teams", "--description", "One channel a team"] },
    { title: "Move a channel into it", argv: ["channel", "update", moved, "--folder", "Teams"], after: folder },
    {
      title: channel,
      argv: ["channel", "create", team, "--description", "Offers and orders", "--subscribe", "me"],
    },
    { title: "Let somebody in", argv: ["channel", "subscribers", team, "--add", members[0]?.email], after: channel },
    { title: "Add somebody to a group", argv: ["group", "members", typedName(group), "--add", joiner?.email] },
    { title: "Try the linkifiers on a text", argv: ["linkifier", "test", "see #7 and #12"] },
    { title: "See what no message refers to", argv: ["attachment", "list", "--unused"] },
    { title: "Delete an upload", argv: ["attachment", "rm", upload && String(upload.id), "--yes"] },
    { title: "See what channels somebody is in who leaves", argv: ["users", "channels", leaver] },
    { title: "Look at their account", argv: ["users", "show", leaver] },
    { title: "See what groups they are in", argv: ["users", "groups", leaver] },
    { title: "Deactivate them", argv: ["users", "deactivate", leaver, "--yes"] },
    { title: "Archive the channel again", argv: ["channel", "archive", team, "--yes"], after: channel },
  ];
}
