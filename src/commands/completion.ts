import { bare } from "../cli/conversation.ts";
import { choice } from "../cli/kinds.ts";
import { write } from "../output/buffered-writer.ts";

export const completion = bare(
  {
    doc: "Print the completion script of a shell",
    operands: { shell: choice(["bash", "zsh", "fish"], "which shell", "shell") },
    examples: [
      "zulipctl completion bash > ~/.local/share/bash-completion/completions/zulipctl",
      "zulipctl completion zsh > ~/.zfunc/_zulipctl",
      "zulipctl completion fish > ~/.config/fish/completions/zulipctl.fish",
    ],
  },
  async (shell) => {
    const { stubs } = await import("../cli/completion/stubs.ts");
    return (name: keyof typeof stubs) => write(shell.world.stdout, stubs[name]);
  },
);
