/** A day's work as command lines for the organization at hand. Later ones find what earlier ones made. */
import { createFolder } from "../../api/folders.ts";
import { roles } from "../../api/users.ts";
import type { SandboxInfo } from "../../embedded.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import { owner } from "../sandbox/owner.ts";
import { named, type Step } from "./steps.ts";

const folder = "Make a folder";
const channel = "Open a channel for a team";

/** A name that nothing has yet. */
const free = (name: string, taken: readonly { name: string }[]): string =>
  taken.some((each) => each.name.toLowerCase() === name) ? free(`${name}-2`, taken) : name;

/** An organization from a file may lack what a step is about, and an older server what it calls. */
export function day(line: SandboxInfo): Step[] {
  const { channels, users, groups, attachments, feature_level: level } = line;
  const self = owner(line);
  const members = users.filter(({ role, is_active, is_bot }) => role === roles.member && is_active && !is_bot);
  const [first] = members;
  const leaver = members.at(-1);
  const [moved] = channels.filter(({ is_archived, is_private }) => !is_archived && !is_private);
  const group = groups.find((each) => !each.is_system_group);
  const joiner = members.find(({ user_id }) => !group?.members.includes(user_id));
  const upload = attachments.find(({ owner_id }) => owner_id === self.user_id);
  const team = free("sales", channels);
  const lacks = (what: unknown, words: string) => (what === undefined ? { lacks: words } : {});
  const since = ({ since: needs = 0 }: AnyOperation) =>
    level < needs ? { lacks: `it requires feature level ${needs}` } : {};
  const nobody = lacks(leaver, "the organization has no members");
  return [
    { title: "See who the guests are", argv: ["users", "list", "--role", "guest", "--active"] },
    {
      title: folder,
      argv: ["folder", "create", "Teams", "--description", "One channel a team"],
      ...since(createFolder),
    },
    {
      title: "Move a channel into it",
      argv: ["channel", "update", named(moved?.name ?? ""), "--folder", "Teams"],
      after: folder,
      ...lacks(moved, "there is no public channel"),
      ...since(createFolder),
    },
    {
      title: channel,
      argv: ["channel", "create", team, "--description", "Offers and orders", "--subscribe", "me"],
    },
    {
      title: "Let somebody in",
      argv: ["channel", "subscribers", team, "--add", first?.email ?? ""],
      after: channel,
      ...lacks(first, "the organization has no members"),
    },
    {
      title: "Add somebody to a group",
      argv: ["group", "members", named(group?.name ?? ""), "--add", joiner?.email ?? ""],
      ...lacks(group && joiner, "every group has all members already"),
    },
    { title: "Try the linkifiers on a text", argv: ["linkifier", "test", "see #7 and #12"] },
    { title: "See what no message refers to", argv: ["attachment", "list", "--unused"] },
    {
      title: "Delete an upload",
      argv: ["attachment", "rm", String(upload?.id), "--yes"],
      ...lacks(upload, "the owner has uploaded nothing"),
    },
    {
      title: "See what channels somebody is in who leaves",
      argv: ["users", "channels", leaver?.email ?? ""],
      ...nobody,
    },
    { title: "Look at their account", argv: ["users", "show", leaver?.email ?? ""], ...nobody },
    {
      title: "See what groups they are in",
      argv: ["users", "groups", leaver?.email ?? ""],
      ...nobody,
    },
    { title: "Deactivate them", argv: ["users", "deactivate", leaver?.email ?? "", "--yes"], ...nobody },
    { title: "Archive the channel again", argv: ["channel", "archive", team, "--yes"], after: channel },
  ];
}
