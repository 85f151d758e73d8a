import { bare } from "../cli/conversation.ts";
import { texts } from "../cli/kinds.ts";
import { maybe } from "../cli/word.ts";
import { write } from "../output/buffered-writer.ts";

/** What the completion scripts ask. The launcher answers them; here is what the program knows without it, and no more. */
export const complete = bare(
  { doc: "", operands: { words: maybe(texts("", "words")) }, examples: [], hidden: true },
  async (shell, every) => {
    const { candidates } = await import("../cli/completion/complete.ts");
    const { asTyped } = await import("../cli/completion/shells.ts");
    const { treeFor, writtenVocabulary } = await import("../cli/completion/written.ts");
    const [tree, vocabulary] = [await treeFor(every()), await writtenVocabulary()];
    return async (raw: string[]) => {
      const { words, answer } = asTyped(raw, shell.world.env, () => []);
      await write(shell.world.stdout, answer(candidates(tree, words, { vocabulary: () => vocabulary })));
    };
  },
);
