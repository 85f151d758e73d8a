import { acts } from "../cli/conversation.ts";
import { text, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { needed } from "../cli/word.ts";

export const org = noun("The organization as a file", {
  schema: acts(
    {
      doc: "The JSON Schema of the file, for editors and checks",
      flags: {},
      examples: ["zulipctl org schema > organization.schema.json"],
    },
    async () => (await import("./org/schema.ts")).schema,
  ),

  snapshot: acts(
    {
      doc: "Keep what the organization is now in a file, for audits and for --from",
      flags: {
        to: needed(text("where it goes; it names every person, so only its owner may read it", "file")),
        overwrite: toggle("replace a file that is there"),
      },
      note: "No keys are in it, and no links that let people in. Only administrators and owners can take one.",
      examples: ["zulipctl org snapshot --to organization.json"],
    },
    async () => (await import("./org/snapshot.ts")).snapshot,
  ),
});
