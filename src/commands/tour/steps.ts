/** The eleven operations, each as a command line for the organization at hand. */
import type { SandboxInfo } from "../../embedded.ts";
import { owner } from "../sandbox/owner.ts";
import { abilities } from "../server/abilities.ts";

export interface Step {
  title: string;
  argv: string[];
  /** What stdin gives, and how that is shown. */
  input?: { text: string; shown: string };
  /** The title of an earlier step, without which this one finds nothing. */
  after?: string;
  /** Why there is nothing to try the operation on. */
  lacks?: string;
}

/** A name as it is typed; one that reads like something else is marked. */
export const named = (name: string): string => (/^(\d+$|id:|name:|[#@-])/.test(name) ? `name:${name}` : name);

/** The name where it needs no quotes and cannot be taken for an id. */
const operand = ({ name, stream_id }: SandboxInfo["channels"][number]): string =>
  /^[\w.-]*[A-Za-z][\w.-]*$/.test(name) ? name : String(stream_id);

/** A word that a search can find. */
function longestWord(text: string): string {
  const words = text.replaceAll(/https?:\/\/\S+/g, "").match(/[A-Za-z]+/g) ?? ["hello"];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
}

/** In the order of the contract. An organization from a file may lack what a step is about. */
export function steps(line: SandboxInfo): Step[] {
  const able = abilities(line.feature_level, {});
  return of(line).map((step, n) => {
    const [lack] = able[n]?.available ? [] : (able[n]?.without ?? []);
    return lack ? { ...step, lacks: `it requires feature level ${lack.needs}` } : step;
  });
}

function of(line: SandboxInfo): Step[] {
  const { channels, groups, users, messages, attachments, site } = line;
  const self = owner(line);
  const channel = channels.find(
    (each) => !each.is_private && !each.is_archived && each.subscribers.includes(self.user_id),
  );
  const group = groups.find((each) => !each.is_system_group);
  const newcomer = users.find(
    ({ user_id, is_active, is_bot }) => is_active && !is_bot && !group?.members.includes(user_id),
  );
  const uploads = attachments.filter(({ owner_id }) => owner_id === self.user_id);
  const ids = messages.slice(0, 6).map(({ id }) => id);
  const [first] = messages;
  const talk = channels.find(({ stream_id }) => stream_id === first?.stream_id);
  const narrow = `channel:${talk ? operand(talk) : ""} ${longestWord(first?.content ?? "")}`;
  const lacks = (what: unknown, words: string) => (what === undefined ? { lacks: words } : {});
  const policy = line.feature_level < 392 ? [] : ["--topics-policy", "disable_empty_topic"];
  const room = named(channel?.name ?? "");
  return [
    {
      title: "Update a channel",
      argv: ["channel", "update", room, "--description", "Shown to *everybody*", ...policy],
      ...lacks(channel, "there is no public channel with its owner"),
    },
    {
      title: "Match messages against a narrow",
      argv: ["messages", "match", "--ids", ids.join(","), "--narrow", narrow],
      ...lacks(ids[0], "there are no messages"),
    },
    {
      title: "Fetch an API key",
      argv: ["fetch-key", "--site", site, "--username", self.email, "--password-stdin", "--print"],
      input: { text: `${self.password}\n`, shown: `echo ${self.password}` },
    },
    { title: "Create a channel folder", argv: ["folder", "create", "Tour", "--description", "Made by zulipctl tour"] },
    {
      title: "Create drafts",
      argv: ["drafts", "add", "--channel", room, "--topic", "tour", "--content", "To be finished"],
      ...lacks(channel, "there is no public channel with its owner"),
    },
    { title: "List users", argv: ["users", "list", "--active", "--humans"] },
    {
      title: "Add an APNs device token",
      argv: ["apns", "register", "--token-stdin", "--appid", "org.zulip.Zulip"],
      input: { text: `${"c0ffee00".repeat(8)}\n`, shown: `echo ${"c0ffee00".repeat(8)}` },
    },
    {
      title: "Update the members of a user group",
      argv: ["group", "members", named(group?.name ?? ""), "--add", newcomer?.email ?? ""],
      ...lacks(group && newcomer, "every group has all members already"),
    },
    {
      title: "Add a linkifier",
      argv: [
        "linkifier",
        "add",
        "RFC(?P<id>[0-9]+)",
        "https://www.rfc-editor.org/rfc/rfc{id}",
        "--sample",
        "see RFC6570",
      ],
    },
    {
      title: "Delete an attachment",
      argv: ["attachment", "rm", String(uploads.at(-1)?.id), "--yes"],
      ...lacks(uploads[0], "the owner has uploaded nothing"),
    },
    {
      title: "Create a data export",
      argv: ["export", "create", ...(line.feature_level < 304 ? [] : ["--type", "public"])],
    },
  ];
}
