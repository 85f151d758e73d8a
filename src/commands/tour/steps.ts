/** The command lines of the tour, for the organization at hand. */
import type { SandboxInfo } from "../../world/embedded.ts";
import { sandboxOwner } from "../sandbox.ts";

export interface TourStep {
  title: string;
  /** A word is undefined if the organization has nothing of the kind. */
  argv: (string | undefined)[];
  input?: string;
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
export function tourSteps(info: SandboxInfo): TourStep[] {
  const { channels, groups, users, messages, attachments, site, feature_level: level } = info;
  const self = sandboxOwner(info);
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
        "messages",
        "match",
        "--ids",
        ids.join(","),
        "--narrow",
        first && `channel:${operand} ${longestWord(first.content)}`,
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
      title: "Register an iOS device for push notifications",
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
