import type { Command } from "commander";
import type { Shell } from "../shell/shell.ts";

/** What the completion scripts ask. It runs at every press of the key, so it loads as little as can be. */
export function complete(program: Command, shell: Shell): void {
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      const { candidates } = await import("../reference/complete.ts");
      const { Program } = await import("../shell/program.ts");
      const { repeats } = await import("../shell/strict.ts");
      const { planted } = await import("./nouns.ts");
      const profiles = async () => {
        const { listProfiles } = await import("../shell/profiles.ts");
        // A configuration that cannot be read is told by the commands that need it.
        const known = await listProfiles(shell.world).catch(() => []);
        return known.map(({ name }) => name);
      };
      // This tree has only the commands that the words name.
      const { root } = new Program(shell.world.version, planted(shell));
      const lines = (await candidates(root, words, { profiles, repeats })).map((line) => `${line}\n`);
      await shell.world.stdout.write(lines.join(""));
    });
}
