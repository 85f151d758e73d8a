import { roleNames } from "../api/users.ts";
import { actionNames } from "../audit/actions.ts";
import { kinds } from "../audit/words.ts";
import { plans, readsWith } from "../cli/conversation.ts";
import {
  ago,
  choice,
  fileSize,
  id,
  moment,
  number,
  offered,
  oneOrMore,
  path,
  savingFlags,
  text,
  toggle,
} from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import type { Values } from "../cli/word.ts";

const from = path(
  "read this export, packed or unpacked, instead of the newest fetched one; - for stdin",
  "file|folder",
);

const flags = {
  log: {
    since: moment("from this moment on: 7d, 12h, or ISO 8601"),
    until: moment("before this moment"),
    after: id("free", "entries whose id is greater"),
    by: text("changes by this account: any name or address it has had, or its id", "user"),
    target: text("changes of this: any name it has had, or its id", "name"),
    kind: oneOrMore(kinds, "changes of these kinds, separated by commas", "kind"),
    action: offered(actionNames, text("such as channel.archived", "action")),
    destructive: toggle("changes that cannot be undone, or that took something from people"),
    limit: number("at most so many"),
    reverse: toggle("the oldest first"),
    from,
  },
  people: {
    inactiveFor: ago("not active for this long: 180d, 12h"),
    role: choice(roleNames, "accounts with this role", "role"),
    bots: toggle("bots only"),
    humans: toggle("people only"),
    deactivated: toggle("deactivated accounts only"),
    from,
  },
  channels: {
    inactiveFor: ago("no message for this long: 365d"),
    archived: toggle("archived channels only"),
    from,
  },
  uploads: {
    largerThan: fileSize("larger than this: 10MB"),
    by: text("of this account: name, address or id", "user"),
    olderThan: moment("older than this: 365d, or ISO 8601"),
    from,
  },
};
export type Flags = { readonly [V in keyof typeof flags]: Values<Record<never, never>, (typeof flags)[V]> };

const note = "Nothing is sent. A public export holds no messages of private channels and no direct messages.";

const fetch = plans({
  doc: "Make a public export, wait for it, and keep its file",
  flags: {
    ...savingFlags,
    to: path("where to save it instead of the state directory, which keeps the newest two", "file|directory|-"),
  },
  note: "A server makes five exports a week. Without --to the newest two are kept.",
  examples: ["zulipctl audit fetch", "zulipctl audit fetch --to export.tar.gz"],
  run: async () => (await import("./audit/fetch.ts")).fetch,
});

export const audit = noun("Who changed what, when: from the log in an export", {
  // One export answers all questions, and a batch would exceed the weekly limit.
  fetch: {
    ...fetch,
    action:
      (shell, every, name) =>
      (...all) =>
        fetch.action(shell, every, name)(...all),
  },

  log: readsWith({
    doc: "List the changes of the organization, the newest first",
    flags: flags.log,
    note,
    examples: [
      "zulipctl audit log --target design",
      "zulipctl audit log --by ada@example.com --since 7d",
      "zulipctl audit log --destructive --since 30d -o csv",
    ],
    run: async () => (await import("./audit/log.ts")).log,
  }),

  people: readsWith({
    sortable: true,
    doc: "List people and bots with their last activity, the longest inactive first",
    flags: flags.people,
    conflicts: [["bots", "humans"]],
    note,
    examples: ["zulipctl audit people --inactive-for 180d", "zulipctl audit people --humans -o csv"],
    run: async () => (await import("./audit/activity.ts")).people,
  }),

  channels: readsWith({
    sortable: true,
    doc: "List channels with their last message, the longest silent first",
    flags: flags.channels,
    note,
    examples: ["zulipctl audit channels --inactive-for 365d"],
    run: async () => (await import("./audit/activity.ts")).channels,
  }),

  uploads: readsWith({
    sortable: true,
    doc: "List uploads with owner, size and date, the largest first",
    flags: flags.uploads,
    note,
    examples: ["zulipctl audit uploads --larger-than 10MB"],
    run: async () => (await import("./audit/activity.ts")).uploads,
  }),
});
