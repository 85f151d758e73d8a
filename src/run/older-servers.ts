/** Servers below Zulip 10 support only the eleven operations of the first version. */
import type { AnyOperation } from "../wire/operation.ts";

const operations = [
  "channel.update",
  "messages.match",
  "folder.create",
  "drafts.add",
  "users.list",
  "apns.register",
  "group.members",
  "linkifier.add",
  "attachment.rm",
  "export.create",
];

/** Commands that check the level themselves: a batch reads its rows first. */
const checking = ["doctor", "batch"];

const commands = new Set([...operations.map((name) => name.replace(".", " ")), ...checking]);

/** Returns whether a command supports older servers. */
export const runsOnOlder = (command: string): boolean => commands.has(command);

/** Returns whether an operation supports older servers. */
export const isForOlder = ({ name }: AnyOperation): boolean => operations.includes(name);
