import { reads } from "../cli/conversation.ts";
import { noun } from "../cli/noun.ts";

export const server = noun("The server itself", {
  info: reads(
    {
      doc: "Version, feature level, ways to log in, and what this server can do; needs no credentials",
      examples: ["zulipctl server info --site https://chat.example.com"],
    },
    async () => (await import("./server/info.ts")).info,
  ),
});
