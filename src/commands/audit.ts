import { marksRun } from "../argv/commander-options.ts";
import { noun } from "../cli/noun.ts";
import { withDefault } from "../cli/parameter.ts";
import { path, savingFlags } from "../cli/value-parameters.ts";
import { rawChangingVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { loggedKinds } from "../model/change-words.ts";
import { auditFlags } from "./audit/flags.ts";

const note = "Nothing is sent. A public export holds no messages of private channels and no direct messages.";

const fetch = rawChangingVerb({
  doc: "Make a public export, wait for it, and keep its file",
  operations: ["export.create", "export.list", "export.file"],
  flags: {
    ...savingFlags,
    to: withDefault("the state directory", path("where to save it", "file|directory|-")),
  },
  note: "A server makes five exports a week. Without --to the newest two are kept.",
  examples: ["zulipctl audit fetch", "zulipctl audit fetch --to export.tar.gz"],
  run: async () => (await import("./audit/fetch.ts")).fetchPublicExport,
});

export const auditNoun = noun("Who changed what, when: from the log in an export", {
  // One export answers all questions, and a batch would exceed the weekly limit.
  fetch: {
    ...fetch,
    action: (shell, every, name) => {
      const action = fetch.action(shell, every, name);
      return marksRun((...all) => action(...all));
    },
  },

  log: readingVerb({
    doc: "List the changes of the organization, the newest first",
    flags: auditFlags.log,
    note: `Kinds: ${loggedKinds.join(", ")}.\n${note}`,
    examples: [
      "zulipctl audit log --target design",
      "zulipctl audit log --by ada@example.com --since 7d",
      "zulipctl audit log --destructive --since 30d -o csv",
    ],
    run: async () => (await import("./audit/log.ts")).auditLog,
  }),

  people: readingVerb({
    sortable: true,
    doc: "List people and bots with their last activity, the longest inactive first",
    flags: auditFlags.people,
    conflicts: [["bots", "humans"]],
    note,
    examples: ["zulipctl audit people --inactive-for 180d", "zulipctl audit people --humans -o csv"],
    run: async () => (await import("./audit/activity.ts")).peopleActivity,
  }),

  channels: readingVerb({
    sortable: true,
    doc: "List channels with their last message, the longest silent first",
    flags: auditFlags.channels,
    note,
    examples: ["zulipctl audit channels --inactive-for 365d"],
    run: async () => (await import("./audit/activity.ts")).channelActivity,
  }),

  uploads: readingVerb({
    sortable: true,
    doc: "List uploads with owner, size and date, the largest first",
    flags: auditFlags.uploads,
    note,
    examples: ["zulipctl audit uploads --larger-than 10MB"],
    run: async () => (await import("./audit/activity.ts")).listUploads,
  }),
});
