/** A day's work as command lines for the organization at hand. Later ones find what earlier ones made. */

import { createFolder, reorderFolders } from "../../api/folders.ts";
import { getLinkifiers } from "../../api/linkifiers.ts";
import { roles } from "../../api/users.ts";
import type { SandboxInfo } from "../../embedded.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import { owner } from "../sandbox/owner.ts";
import { named, type Step } from "./steps.ts";

const folder = "Make a folder";

/** An organization from a file may lack what a step is about, and an older server what it calls. */
export function day(line: SandboxInfo): Step[] {
  const { channels, users, groups, attachments, feature_level: level } = line;
  const self = owner(line);
  const channel = channels.find(({ is_archived, is_private }) => !is_archived && !is_private);
  const group = groups.find((each) => !each.is_system_group);
  const person = users.find(
    ({ role, is_active, is_bot, user_id }) =>
      role === roles.member && is_active && !is_bot && !group?.members.includes(user_id),
  );
  const upload = attachments.find(({ owner_id }) => owner_id === self.user_id);
  const lacks = (what: unknown, words: string) => (what === undefined ? { lacks: words } : {});
  const since = ({ since: needs = 0 }: AnyOperation) =>
    level < needs ? { lacks: `it needs feature level ${needs}` } : {};
  const noChannel = lacks(channel, "there is no public channel");
  return [
    { title: "See who the guests are", argv: ["users", "list", "--role", "guest", "--active"] },
    {
      title: folder,
      argv: ["folder", "create", "Teams", "--description", "One channel a team"],
      ...since(createFolder),
    },
    {
      title: "Move a channel into it",
      argv: ["channel", "update", named(channel?.name ?? ""), "--folder", "Teams"],
      after: folder,
      ...noChannel,
      ...since(createFolder),
    },
    {
      title: "Put it before the others",
      argv: ["folder", "reorder", "Teams"],
      after: folder,
      ...since(reorderFolders),
    },
    {
      title: "Add somebody to a group",
      argv: ["group", "members", named(group?.name ?? ""), "--add", person?.email ?? ""],
      ...lacks(group && person, "there is no group that lacks a member of the organization"),
    },
    {
      title: "Try the linkifiers on a text",
      argv: ["linkifier", "test", "see #7 and #12"],
      ...since(getLinkifiers),
    },
    { title: "See what was uploaded", argv: ["attachment", "list"] },
    {
      title: "Delete an upload",
      argv: ["attachment", "rm", String(upload?.id), "--yes"],
      ...lacks(upload, "the owner has uploaded nothing"),
    },
  ];
}
