import { noun } from "../cli/noun.ts";
import { emptyAllowed, optionalOperand } from "../cli/parameter.ts";
import { texts } from "../cli/value-parameters.ts";
import { plainVerb, rawCustomVerb } from "../cli/verbs-with-code.ts";
import { write } from "../output/buffered-writer.ts";
import { nameLists } from "../resolve/name-lists.ts";

/** Commands of the completion scripts. The launcher answers most without loading the program. */
export const completeVerb = plainVerb({
  doc: "",
  operands: { words: emptyAllowed(optionalOperand(texts("", "words"))) },
  examples: [],
  hidden: true,
  run: async (shell, every) => {
    const { candidates } = await import("../cli/completion/complete.ts");
    const { shellRequest } = await import("../cli/completion/shells.ts");
    const { wholeTree } = await import("../cli/completion/tree.ts");
    const { vocabulary } = await import("../cli/completion/vocabulary.ts");
    const tree = await wholeTree(every(shell));
    return async (raw: string[]) => {
      const { words, answer } = shellRequest(raw, shell.world.env, () => []);
      await write(shell.world.stdout, answer(candidates(tree, words, { vocabulary: () => vocabulary })));
    };
  },
});

const script = (shell: "bash" | "zsh" | "fish", example: string, note?: string) =>
  plainVerb({
    doc: `Print the completion script of ${shell}`,
    note,
    examples: [example],
    run: async ({ world }) => {
      const { completionScripts } = await import("../cli/completion/scripts.ts");
      return () => write(world.stdout, completionScripts[shell]);
    },
  });

export const completionNoun = noun("Completion in shells, with the names of the organization", {
  bash: script(
    "bash",
    "zulipctl completion bash > ~/.local/share/bash-completion/completions/zulipctl",
    "The example requires the package bash-completion. Without it, add this to ~/.bashrc: source <(zulipctl completion bash)",
  ),
  zsh: script("zsh", "zulipctl completion zsh > ~/.zfunc/_zulipctl"),
  fish: script("fish", "zulipctl completion fish > ~/.config/fish/completions/zulipctl.fish"),

  refresh: rawCustomVerb({
    doc: "Read the names that completion offers: channels, groups, folders, people, linkifiers and more",
    operations: nameLists.map(({ kind }) => kind.read.operation).sort(),
    note: "Other commands also save the names that they read. Names that no command has read for 90 days are removed.",
    examples: ["zulipctl completion refresh"],
    run: async () => (await import("./completion/refresh.ts")).refreshNames,
  }),
});
