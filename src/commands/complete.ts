import type { Command } from "commander";
import { write } from "../output/gathering.ts";
import type { Plants } from "../shell/program.ts";
import type { Shell } from "../shell/shell.ts";

/** What the completion scripts ask. The launcher knows most answers itself; those about this machine are given here. */
export function complete(program: Command, shell: Shell, every: () => Plants): void {
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      const { candidates } = await import("../reference/complete.ts");
      const { listProfiles } = await import("../shell/profiles.ts");
      const { wholeTree } = await import("./tree.ts");
      const tree = await wholeTree(every());
      // A configuration that cannot be read is told by the commands that need it.
      const profiles = async () => (await listProfiles(shell.world).catch(() => [])).map(({ name }) => name);
      const lines = candidates(tree, words) ?? candidates(tree, words, await profiles()) ?? [];
      await write(shell.world.stdout, lines.map((line) => `${line}\n`).join(""));
    });
}
