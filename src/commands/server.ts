import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function server(program: Command, shell: Shell): void {
  program
    .command("server")
    .description("The server itself")
    .command("info")
    .description("Version, feature level, ways to log in, and what this server can do; needs no credentials")
    .addHelpText("after", examples("zulipctl server info --site https://chat.example.com"))
    .action(shell.reads(async () => (await import("./server/info.ts")).info));
}
