import { bare } from "../cli/conversation.ts";
import { texts } from "../cli/kinds.ts";
import { maybe } from "../cli/word.ts";
import { write } from "../output/buffered-writer.ts";

/** What the completion scripts ask. The launcher knows most answers itself; those about this machine are given here. */
export const complete = bare(
  { doc: "", operands: { words: maybe(texts("", "words")) }, examples: [], hidden: true },
  async (shell, every) => {
    const { candidates } = await import("../cli/completion/complete.ts");
    const { listProfiles } = await import("../credentials/profiles.ts");
    const { treeFor } = await import("../cli/completion/written.ts");
    const tree = await treeFor(every());
    // A configuration that cannot be read is told by the commands that need it.
    const profiles = async () => (await listProfiles(shell.world).catch(() => [])).map(({ name }) => name);
    const { asTyped } = await import("../cli/completion/shells.ts");
    return async (raw: string[]) => {
      const { words, answer } = asTyped(raw, shell.world.env);
      const lines = candidates(tree, words) ?? candidates(tree, words, { profiles: await profiles() }) ?? [];
      await write(shell.world.stdout, answer(lines));
    };
  },
);
