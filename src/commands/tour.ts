import { acts } from "../cli/conversation.ts";
import { toggle } from "../cli/kinds.ts";
import { setup } from "./sandbox.ts";

export const tour = acts({
  doc: "Run the eleven operations against a fresh embedded server, and show each command and its result",
  flags: { ...setup, day: toggle("a day of an administrator's work in their place") },
  examples: ["zulipctl tour", "zulipctl tour --day", "zulipctl tour --feature-level 371 -o json"],
  run: async (shell) => {
    const { guide } = await import("./tour/guide.ts");
    return (context, options) => guide(context, options, shell.rerun);
  },
});
