import { acts, bare } from "../cli/conversation.ts";
import { noun } from "../cli/noun.ts";
import { write } from "../output/buffered-writer.ts";

const script = (shell: "bash" | "zsh" | "fish", example: string) =>
  bare({ doc: `Print the completion script of ${shell}`, examples: [example] }, async ({ world }) => {
    const { stubs } = await import("../cli/completion/stubs.ts");
    return () => write(world.stdout, stubs[shell]);
  });

export const completion = noun("Completion in shells, with the names of the organization", {
  bash: script("bash", "zulipctl completion bash > ~/.local/share/bash-completion/completions/zulipctl"),
  zsh: script("zsh", "zulipctl completion zsh > ~/.zfunc/_zulipctl"),
  fish: script("fish", "zulipctl completion fish > ~/.config/fish/completions/zulipctl.fish"),

  refresh: acts(
    {
      doc: "Read the names that completion offers: channels, groups, folders, people, linkifiers and more",
      note:
        "Commands that look names up keep them too; until then, or where much has changed, this does it. What nobody has\n" +
        "read for 90 days is forgotten.",
      examples: ["zulipctl completion refresh"],
    },
    async () => (await import("./completion/refresh.ts")).refresh,
  ),
});
