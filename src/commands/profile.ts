import { acts } from "../cli/conversation.ts";
import { offered, text } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";

export const profile = noun("Saved accounts", {
  list: acts({
    doc: "List the profiles, and which is current",
    examples: ["zulipctl profile list"],
    run: async () => (await import("./profile/edit.ts")).list,
  }),

  use: acts({
    doc: "Switch to a profile",
    operands: { name: offered("profile", text("", "name")) },
    examples: ["zulipctl profile use work"],
    run: async () => (await import("./profile/edit.ts")).use,
  }),

  rename: acts({
    doc: "Rename a profile",
    operands: { old: offered("profile", text("", "old")), new: text("", "new") },
    examples: ["zulipctl profile rename chat.example.com chat"],
    run: async () => (await import("./profile/edit.ts")).rename,
  }),

  rm: acts({
    doc: "Remove a profile and its stored key",
    operands: { name: offered("profile", text("", "name")) },
    examples: ["zulipctl profile rm work"],
    run: async () => (await import("./profile/edit.ts")).rm,
  }),
});
