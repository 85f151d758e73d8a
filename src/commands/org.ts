import { noun } from "../cli/noun.ts";
import { optionalOperand, withDefault } from "../cli/parameter.ts";
import {
  journalFlag,
  negatedOnly,
  offered,
  oneOrMore,
  path,
  planDetails,
  privatePath,
  privateSavingFlags,
  removalLimit,
  savingFlags,
  text,
  texts,
  toggle,
} from "../cli/value-parameters.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import { applyOperations, sectionNames, snapshotReads } from "../organization/section-names.ts";

const sources = offered(
  "file",
  texts("YAML or JSON; of a folder all *.yaml, *.yml and *.json; - for stdin", "file|folder"),
);

const side = (name: string, doc: string) => offered("file", text(`profile, file or folder: ${doc}`, name));

/** The flags that guards name. */
const guardFlags = {
  allowEmpty: toggle("allow lists with several entries to become empty"),
  allowLockout: toggle("allow the account to lose rights that it cannot restore"),
  maxRemovals: withDefault(
    "10, and a tenth of long lists",
    removalLimit("the largest number of removals in the run, or part of each list"),
  ),
};

export const orgNoun = noun("The organization as a file", {
  export: rawCustomVerb({
    doc: "Write the organization as YAML or JSON; the same organization gives the same bytes",
    operations: snapshotReads,
    flags: {
      only: oneOrMore(sectionNames, "these sections only", "section"),
      without: oneOrMore(
        ["members", "people", "subscribers"],
        "leave these out: members (of groups), people, subscribers",
        "what",
      ),
      with: oneOrMore(
        ["subscribers"],
        "subscribers: also those of channels that people can join by themselves",
        "what",
      ),
      complete: toggle("name the sections that are written whole in `complete`, so that plans report new things too"),
      from: path("read this snapshot instead of the server"),
      to: privatePath("write it to this file;"),
      overwrite: savingFlags.overwrite,
    },
    note:
      `Sections: ${sectionNames.join(", ")}.\n` +
      "Only administrators and owners can do this: others do not see every private channel.",
    examples: [
      "zulipctl org export > organization.yaml",
      "zulipctl org export --complete > organization.yaml",
      "zulipctl org export --only channels,folders",
      "zulipctl org export --without people,members -o json",
    ],
    run: async () => (await import("./org/export.ts")).exportFile,
  }),

  plan: rawCustomVerb({
    doc: "Show what apply would change so that the organization matches files",
    operations: snapshotReads,
    operands: { files: sources },
    flags: {
      prune: toggle("also archive, deactivate or remove what sections in `complete` do not name"),
      out: privatePath("keep the plan in this file, for org apply;"),
      exitCode: toggle("exit with 8 if anything differs"),
      details: planDetails,
      base: offered(
        "file",
        texts("the files as they were before: also name what these set and the new ones do not mention", "file|folder"),
      ),
      from: path("compare with this snapshot instead of the server"),
      ...guardFlags,
    },
    note:
      "Nothing is changed. ✗ marks changes that a guard stops, with the flag that allows them. ! marks what takes something " +
      "from people or lets more people in, !! what cannot be undone. " +
      "Only administrators and owners can plan.",
    examples: [
      "zulipctl org plan organization.yaml",
      "zulipctl org plan organization.yaml --prune --exit-code",
      "zulipctl org plan organization.yaml --base before.yaml",
      "zulipctl org plan organization.yaml --out plan.json",
      "zulipctl org plan organization.yaml -o markdown > comment.md",
    ],
    run: async () => (await import("./org/plan.ts")).planOrganization,
    organizations: true,
    markdown: true,
  }),

  diff: rawCustomVerb({
    doc: "Compare two organizations: profiles, snapshots or files",
    operations: snapshotReads,
    operands: {
      a: side("a", "what would change"),
      b: side("b", "what it is compared with"),
      more: optionalOperand(offered("file", texts("more sides, with --summary", "side"))),
    },
    flags: {
      summary: toggle("show sections and settings side by side, and things that not all sides have"),
      only: oneOrMore(sectionNames, "these sections only", "section"),
      exitCode: toggle("exit with 8 if anything differs"),
      details: planDetails,
    },
    note:
      "A file is a snapshot, or an organization file as for org plan. A file with the name of a profile counts as a file. " +
      "Nothing is changed. People are compared by address, everything else by name. Subscribers of channels that people " +
      "can join by themselves are compared only within one organization. An organization file is compared as if it were " +
      "applied to the other side, or to the account's organization if both sides are files. With --summary, a file is " +
      "compared as if it were applied to the first side that is an organization.",
    examples: [
      "zulipctl org diff before.json work",
      "zulipctl org diff chat.example.com work --only channels,groups --exit-code",
      "zulipctl org diff organization.yaml work",
      "zulipctl org diff work chat.example.com before.json --summary",
    ],
    run: async () => (await import("./org/diff.ts")).diffOrganizations,
    markdown: true,
  }),

  apply: rawCustomVerb({
    doc: "Make the organization as files say: plan, confirm, send, and read again",
    operations: applyOperations,
    asks: "always",
    exits: [6],
    operands: {
      files: optionalOperand({ ...sources, doc: `${sources.doc}; or a plan saved by org plan --out` }),
    },
    flags: {
      prune: toggle("archive, deactivate or remove what sections in `complete` do not name"),
      journal: journalFlag,
      details: planDetails,
      ...guardFlags,
      verify: negatedOnly("do not verify the result"),
    },
    note: "zulipctl prints the plan and asks once, even for small changes; --yes answers. It refuses a plan file if the organization has changed since. Only administrators and owners can do this: others do not see every private channel.",
    examples: [
      "printf 'folders: [{name: Work}]' | zulipctl org apply - --dry-run",
      "printf 'folders: [{name: Work}]' | zulipctl org apply - --yes",
    ],
    run: async (shell) => (await import("./org/apply.ts")).applyFiles(shell),
    many: true,
    records: "run",
    organizations: true,
  }),

  schema: rawCustomVerb({
    doc: "Print the JSON Schema of the file, for editors and checks",
    flags: {},
    examples: ["zulipctl org schema > organization.schema.json"],
    run: async () => (await import("./org/export.ts")).printSchema,
  }),

  snapshot: rawCustomVerb({
    doc: "Save the current organization in a file, for audits and for --from",
    operations: snapshotReads,
    flags: privateSavingFlags(),
    note: "It has no keys and no invitation links. Only administrators and owners can take a snapshot.",
    examples: ["zulipctl org snapshot --to organization.json"],
    run: async () => (await import("./org/snapshot.ts")).saveSnapshot,
  }),
});
