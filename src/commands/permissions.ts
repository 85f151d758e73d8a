import { acts, reads } from "../cli/conversation.ts";
import { channel, choice, group, offered, oneOrMore, path, text, texts, toggle, user } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { maybe, needed } from "../cli/word.ts";
import { findingKinds, findingNames } from "../permissions/findings/kinds.ts";

const permission = offered("permission", text("a setting's name, with or without _group, or an act", "permission"));
const target = { channel: channel("of this channel: name or id"), group: group("of this group: name or id") };
const note =
  "Acts: of a channel see, read, history, post, subscribe, administer, change_privacy; of a group deactivate;\n" +
  "of the organization administer_organization, own_organization.\n" +
  "Accounts that are no administrators see a part of the organization, and get answers about that part.";
const from = { from: path("read this snapshot instead of the server") };

const findingsText = findingNames
  .map((name) => `  ${name} (${findingKinds[name].severity})\n    ${findingKinds[name].title}`)
  .join("\n");

export const permissions = noun("Who may do what, and why", {
  list: reads({
    doc: "List permissions: who has them, and how many people that is",
    flags: {
      scope: choice(["organization", "channel", "group"], "those of this kind alone", "scope"),
      channel: channel("those of this channel: name or id"),
      group: group("those of this group: name or id"),
      permission,
      grantedTo: group("those whose setting names this group, or one that it is in"),
      ...from,
    },
    note,
    examples: [
      "zulipctl permissions list --channel design",
      "zulipctl permissions list --granted-to designers",
      "zulipctl permissions list -o csv > review.csv",
    ],
    run: async () => (await import("./permissions/look.ts")).list,
  }),

  who: reads({
    doc: "List people and bots who can do something, and through what",
    operands: { permission },
    flags: { ...target, ...from },
    note,
    examples: [
      "zulipctl permissions who read --channel staff",
      "zulipctl permissions who can-manage-all-groups",
      "zulipctl permissions who deactivate --group designers -o ids",
    ],
    run: async () => (await import("./permissions/look.ts")).who,
  }),

  check: reads({
    doc: "Check whether somebody can do something, and why: exit code 0 for yes, 8 for no or partly, 1 if unknown",
    operands: { user: user(), permission },
    flags: { ...target, ...from },
    note,
    examples: [
      "zulipctl permissions check cora@sandbox.example post --channel general",
      "zulipctl permissions check me own-organization",
    ],
    run: async () => (await import("./permissions/look.ts")).check,
  }),

  of: reads({
    doc: "List everything that somebody can do, and through what",
    operands: { user: user() },
    flags: {
      onlyExtra: toggle("what somebody of that role without groups or subscriptions of their own could not do"),
      live: toggle("no archived channels, and no deactivated groups"),
      ...from,
    },
    examples: [
      "zulipctl permissions of cora@sandbox.example --only-extra",
      "zulipctl permissions of otis@sandbox.example --live -o csv",
    ],
    run: async () => (await import("./permissions/look.ts")).of,
  }),

  diff: reads({
    doc: "Show who gains and loses permissions by an organization file, or since a snapshot",
    operands: {
      files: maybe(
        offered("file", texts("what would be: YAML or JSON, as org plan takes it; - for stdin", "file|folder")),
      ),
    },
    flags: {
      against: path("what was: the snapshot in this file"),
      ...from,
    },
    note: "Nothing is changed. Two kept snapshots: --against names the earlier one, --from the later one.",
    examples: [
      "zulipctl permissions diff organization.yaml",
      "zulipctl permissions diff --against before.json",
      "zulipctl permissions diff --against before.json -o csv",
    ],
    run: async () => (await import("./permissions/diff.ts")).diff,
  }),

  findings: reads({
    doc: "Find what is too open, unused or lost, with the command that fixes it",
    flags: {
      only: oneOrMore(findingNames, "only these findings, separated by commas", "finding"),
      accept: path("leave out the findings that this YAML file lists"),
      exitCode: toggle("end with 8 if there is a finding"),
      ...from,
    },
    note:
      `Findings, the most severe first:\n${findingsText}\n\n` +
      "The file for --accept is a list. until is optional: after that day the finding counts again.\n" +
      "  - finding: web_public_channel\n    target: channel news\n    why: It is our blog.\n    until: 2027-06-30",
    examples: [
      "zulipctl permissions findings",
      "zulipctl permissions findings --only web_public_channel,open_organization",
      "zulipctl permissions findings --accept accepted.yaml --exit-code",
    ],
    run: async () => (await import("./permissions/findings.ts")).findings,
  }),

  report: acts({
    doc: "Write all of it as one page to look at and keep: findings, matrix of channels, groups, people",
    flags: {
      to: needed(
        path(
          "where it goes; it names every person, so only its owner may read it (on Windows who may read the folder)",
          "file.html",
        ),
      ),
      overwrite: toggle("overwrite an existing file"),
      ...from,
    },
    note: "The page is one HTML file that needs nothing else: no network, no other file.",
    examples: ["zulipctl permissions report --to permissions.html"],
    run: async () => (await import("./permissions/report.ts")).report,
  }),
});
