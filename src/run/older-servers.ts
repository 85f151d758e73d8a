/** Servers below Zulip 10: only the eleven operations of the first version are for them. */
import type { AnyOperation } from "../wire/operation.ts";

const operations = [
  "channel.update",
  "messages.match",
  "folder.create",
  "drafts.add",
  "users.list",
  "apns.register",
].concat(["group.members", "linkifier.add", "attachment.rm", "export.create"]);

/** Commands that check the level themselves: a batch reads its rows first. */
const checking = ["doctor", "batch"];

const commands = new Set([...operations.map((name) => name.replace(".", " ")), ...checking]);

/** Whether a command runs on servers that are older. */
export const runsOnOlder = (command: string): boolean => commands.has(command);

/** Whether an operation is for servers that are older. */
export const isForOlder = ({ name }: AnyOperation): boolean => operations.includes(name);
