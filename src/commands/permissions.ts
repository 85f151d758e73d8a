import { noun } from "../cli/noun.ts";
import { optionalOperand } from "../cli/parameter.ts";
import { channelParameter, groupParameter, userParameter } from "../cli/thing-parameters.ts";
import { choice, offered, oneOrMore, path, privateSavingFlags, text, texts, toggle } from "../cli/value-parameters.ts";
import { rawCustomVerb, rawReadingVerb } from "../cli/verbs-with-code.ts";
import { snapshotReads } from "../organization/section-names.ts";
import { findingKinds, findingNames } from "../permissions/findings/finding-kinds.ts";

const permission = offered("permission", text("a setting's name, with or without _group, or an act", "permission"));
const target = {
  channel: channelParameter("of this channel: name or id"),
  group: groupParameter("of this group: name or id"),
};
const note =
  "Acts: of a channel see, read, history, post, subscribe, administer, change_privacy; of a group deactivate;\n" +
  "of the organization administer_organization, own_organization.\n" +
  "Without an administrator's account, answers cover only the visible part of the organization.";
const from = { from: path("read this snapshot instead of the server") };

const findingsText = findingNames
  .map((name) => `  ${name} (${findingKinds[name].severity})\n    ${findingKinds[name].title}`)
  .join("\n");

export const permissionsNoun = noun("Who may do what, and why", {
  list: rawReadingVerb({
    doc: "List permissions: who has them, and how many people that is",
    operations: snapshotReads,
    flags: {
      scope: choice(["organization", "channel", "group"], "only permissions of this kind", "scope"),
      channel: channelParameter("only permissions of this channel: name or id"),
      group: groupParameter("only permissions of this group: name or id"),
      permission,
      grantedTo: groupParameter("only settings that name this group, or a group that contains it"),
      ...from,
    },
    note,
    examples: [
      "zulipctl permissions list --channel design",
      "zulipctl permissions list --granted-to designers",
      "zulipctl permissions list -o csv > review.csv",
    ],
    run: async () => (await import("./permissions/permission-queries.ts")).listPermissions,
  }),

  who: rawReadingVerb({
    sortable: true,
    doc: "List people and bots who can do something, and through what",
    operations: snapshotReads,
    operands: { permission },
    flags: {
      ...target,
      allChannels: toggle("in every channel: a line for each channel and person"),
      ...from,
    },
    note,
    examples: [
      "zulipctl permissions who read --channel staff",
      "zulipctl permissions who read --all-channels -o csv",
      "zulipctl permissions who can-manage-all-groups",
      "zulipctl permissions who deactivate --group designers -o ids",
    ],
    run: async () => (await import("./permissions/permission-queries.ts")).listHolders,
  }),

  check: rawReadingVerb({
    doc: "Check whether somebody can do something, and why: exit code 0 for yes, 8 for no or partly, 1 if unknown",
    operations: snapshotReads,
    exits: [8],
    operands: { user: userParameter(), permission },
    flags: { ...target, ...from },
    note,
    examples: [
      "zulipctl permissions check cora@sandbox.example post --channel general",
      "zulipctl permissions check me own-organization",
    ],
    run: async () => (await import("./permissions/permission-queries.ts")).explainPermission,
  }),

  of: rawReadingVerb({
    sortable: true,
    doc: "List everything that somebody can do, and through what",
    operations: snapshotReads,
    operands: { user: userParameter() },
    flags: {
      onlyExtra: toggle("only what others of the same role cannot do"),
      live: toggle("without archived channels and deactivated groups"),
      ...from,
    },
    examples: [
      "zulipctl permissions of cora@sandbox.example --only-extra",
      "zulipctl permissions of otis@sandbox.example --live -o csv",
    ],
    run: async () => (await import("./permissions/permission-queries.ts")).listAllowed,
  }),

  diff: rawReadingVerb({
    doc: "Show who gains and loses permissions by an organization file, or since a snapshot",
    operations: snapshotReads,
    operands: {
      files: optionalOperand(
        offered("file", texts("the desired state: YAML or JSON, as for org plan; - for stdin", "file|folder")),
      ),
    },
    flags: {
      against: path("compare with this earlier snapshot"),
      ...from,
    },
    note: "Nothing is changed. To compare two snapshots, --against names the earlier one, --from the later one.",
    examples: [
      "zulipctl permissions diff organization.yaml",
      "zulipctl permissions diff --against before.json",
      "zulipctl permissions diff --against before.json -o csv",
    ],
    run: async () => (await import("./permissions/diff.ts")).diffPermissions,
  }),

  findings: rawReadingVerb({
    doc: "Find what is too open, unused or lost, with the command that fixes it",
    operations: snapshotReads,
    flags: {
      only: oneOrMore(findingNames, "only these findings, separated by commas", "finding"),
      accept: path("leave out the findings that this YAML file lists"),
      exitCode: toggle("exit with 8 if there is a finding"),
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
    run: async () => (await import("./permissions/findings.ts")).listFindings,
  }),

  report: rawCustomVerb({
    doc: "Write one HTML page with findings, a matrix of channels, groups and people",
    operations: snapshotReads,
    flags: {
      ...privateSavingFlags("file.html"),
      ...from,
    },
    note: "The page is one HTML file. It needs no network and no other file.",
    examples: ["zulipctl permissions report --to permissions.html"],
    run: async () => (await import("./permissions/report.ts")).saveReport,
  }),
});
