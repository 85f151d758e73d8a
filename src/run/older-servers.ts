/** Servers below Zulip 10 support only the eleven operations of the first version. */
import type { AnyOperation } from "../wire/operation.ts";

export const coreOperations: readonly string[] = [
  "channel.update",
  "messages.match",
  "fetch-key",
  "folder.create",
  "drafts.add",
  "users.list",
  "apns.register",
  "group.members",
  "linkifier.add",
  "attachment.rm",
  "export.create",
];

/** Returns whether a command supports older servers, or checks the level itself: a batch reads its rows first. */
export const runsOnOlder = (command: string): boolean =>
  ["doctor", "batch"].includes(command) || coreOperations.includes(command.replace(" ", "."));

/** Returns whether an operation supports older servers. */
export const isForOlder = ({ name }: AnyOperation): boolean => coreOperations.includes(name);
