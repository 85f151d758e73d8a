import { Argument, type Command } from "commander";
import { write } from "../output/gathering.ts";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

export function completion(program: Command, shell: Shell): void {
  program
    .command("completion")
    .description("Print the completion script of a shell")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      examples(
        "zulipctl completion bash > ~/.local/share/bash-completion/completions/zulipctl",
        "zulipctl completion zsh > ~/.zfunc/_zulipctl",
        "zulipctl completion fish > ~/.config/fish/completions/zulipctl.fish",
      ),
    )
    .action(async (name: "bash" | "zsh" | "fish") => {
      const { stubs } = await import("../reference/stubs.ts");
      await write(shell.world.stdout, stubs[name]);
    });
}
