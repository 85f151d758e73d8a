import { acts } from "../cli/conversation.ts";
import { setup } from "./sandbox.ts";

export const tour = acts(
  {
    doc: "Run the eleven operations against a fresh embedded server, and show each command and its result",
    flags: setup,
    examples: ["zulipctl tour", "zulipctl tour --feature-level 371 -o json"],
  },
  async (shell) => {
    const { guide } = await import("./tour/guide.ts");
    return (context, options) => guide(context, options, shell.rerun);
  },
);
