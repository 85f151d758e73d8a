import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { withSetup } from "./sandbox.ts";

export function tour(program: Command, shell: Shell): void {
  withSetup(program.command("tour"))
    .description("Run the eleven operations against a fresh embedded server, and show each command and its result")
    .addHelpText("after", examples("zulipctl tour", "zulipctl tour --feature-level 371 -o json"))
    .action(
      shell.acts(async () => {
        const { guide } = await import("./tour/guide.ts");
        return (context: Parameters<typeof guide>[0], options: Parameters<typeof guide>[1]) =>
          guide(context, options, shell.rerun);
      }),
    );
}
