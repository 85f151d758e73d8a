import { acts } from "../cli/conversation.ts";
import { not, number, offered, oneOrMore, path, text, texts, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { maybe, needed } from "../cli/word.ts";
import { sectionWords } from "../organization/words.ts";

const sources = offered(
  "file",
  texts("YAML or JSON; of a folder all *.yaml, *.yml and *.json; - for stdin", "file|folder"),
);

const side = (name: string, doc: string) => offered("file", text(`profile, file or folder: ${doc}`, name));

/** The flags that guards name. */
const lifting = {
  allowEmpty: toggle("lists of more than one may be emptied"),
  allowLockout: toggle("the account may lose rights that it could not give itself back"),
  maxRemovals: number("how many removals there may be, in place of the limits", "n"),
};

export const org = noun("The organization as a file", {
  export: acts({
    doc: "Write the organization as YAML or JSON: the same bytes as long as it is the same",
    flags: {
      only: oneOrMore(sectionWords, "these sections only", "section"),
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
      from: path("read this snapshot instead of the server"),
    },
    note:
      `Sections: ${sectionWords.join(", ")}.\n` +
      "Only administrators and owners can do this: others do not see every private channel.",
    examples: [
      "zulipctl org export > organization.yaml",
      "zulipctl org export --only channels,folders",
      "zulipctl org export --without people,members -o json",
    ],
    run: async () => (await import("./org/export.ts")).exportFile,
  }),

  plan: acts({
    doc: "Show what apply would change so that the organization matches files",
    operands: { files: sources },
    flags: {
      prune: toggle("also archive, deactivate or remove what sections in `complete` do not name"),
      out: path(
        "keep the plan in this file, for org apply; only its owner may read it (on Windows who may read the folder)",
      ),
      exitCode: toggle("end with 8 where anything differs"),
      from: path("compare with this snapshot instead of the server"),
      ...lifting,
    },
    note:
      "Nothing is changed. What a guard would stop is marked ✗, with the flag that lifts it; what cannot simply be\n" +
      "undone is marked !. Only administrators and owners can plan.",
    examples: [
      "zulipctl org plan organization.yaml",
      "zulipctl org plan organization.yaml --prune --exit-code",
      "zulipctl org plan organization.yaml --out plan.json",
      "zulipctl org plan organization.yaml -o markdown > comment.md",
    ],
    run: async () => (await import("./org/plan.ts")).plan,
    organizations: true,
    markdown: true,
  }),

  diff: acts({
    doc: "Compare two organizations: profiles, snapshots or files",
    operands: { a: side("a", "what would change"), b: side("b", "what it is compared with") },
    flags: {
      only: oneOrMore(sectionWords, "these sections only", "section"),
      exitCode: toggle("end with 8 where anything differs"),
    },
    note:
      "A file is a snapshot of org snapshot, or says what should be, as for org plan; a file of the name of a profile is " +
      "a file. Nothing is changed. People are told apart by their addresses, everything else by its name. Subscribers of " +
      "channels that people can join by themselves are compared only within one organization. Files are compared as they " +
      "would leave the other organization, or the account's where both are files.",
    examples: [
      "zulipctl org diff before.json work",
      "zulipctl org diff chat.example.com work --only channels,groups --exit-code",
      "zulipctl org diff organization.yaml work",
    ],
    run: async () => (await import("./org/diff.ts")).diff,
    markdown: true,
  }),

  apply: acts({
    doc: "Make the organization as files say: plan, confirm, send, and read again",
    operands: {
      files: maybe({ ...sources, doc: `${sources.doc}; or a plan that org plan --out has kept` }),
    },
    flags: {
      prune: toggle("archive, deactivate or remove what sections in `complete` do not name"),
      journal: path("record the requests in this new file"),
      ...lifting,
      verify: not("do not verify the result"),
    },
    note: "The whole plan is printed and one question asked, whatever it changes; --yes answers it. A plan file is refused where the organization has changed since. Only administrators and owners can do this: others do not see every private channel.",
    examples: [
      "printf 'folders: [{name: Work}]' | zulipctl org apply - --dry-run",
      "printf 'folders: [{name: Work}]' | zulipctl org apply - --yes",
    ],
    run: async (shell) => (await import("./org/apply.ts")).applyFiles(shell),
    many: true,
    organizations: true,
  }),

  schema: acts({
    doc: "Print the JSON Schema of the file, for editors and checks",
    flags: {},
    examples: ["zulipctl org schema > organization.schema.json"],
    run: async () => (await import("./org/export.ts")).schema,
  }),

  snapshot: acts({
    doc: "Save the current organization in a file, for audits and for --from",
    flags: {
      to: needed(
        path(
          "where it goes; it names every person, so only its owner may read it (on Windows who may read the folder)",
        ),
      ),
      overwrite: toggle("overwrite an existing file"),
    },
    note: "No keys are in it, and no links that let people in. Only administrators and owners can take one.",
    examples: ["zulipctl org snapshot --to organization.json"],
    run: async () => (await import("./org/snapshot.ts")).snapshot,
  }),
});
