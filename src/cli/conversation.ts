/** Verbs with code of their own, loaded when they run. Their words are data all the same. */
import type { Conclusion, Reading } from "../run/conclusion.ts";
import type { Context, Planned } from "../run/context.ts";
import type { ActOptions } from "../run/perform.ts";
import type { Shell } from "../run/shell.ts";
import { withLooks } from "./kinds.ts";
import type { Registry } from "./program.ts";
import type { Verb, VerbDescription } from "./verb.ts";
import type { RawFlags, Words } from "./word.ts";

/** Takes the flags and then the operands as the parser gives them; both are the text that was typed, or a `Given`. */
type Work<F extends Words, R> = (context: Context, flags: RawFlags<F>, ...operands: never[]) => Promise<R>;
type Load<F extends Words, R> = (shell: Shell, every: () => Registry) => Promise<Work<F, R>>;

/** A verb that only reads. */
export const reads = <const P extends Words, const F extends Words>(
  told: VerbDescription<P, F>,
  load: Load<F, Conclusion>,
): Verb => ({
  ...told,
  action: (shell, every) => shell.reads(() => load(shell, every)),
});

/** A verb that gives changes to be made, or a result where there is nothing to change. */
export const plans = <const P extends Words, const F extends Words>(
  told: VerbDescription<P, F>,
  load: Load<F, Planned | Conclusion | Reading>,
): Verb => ({
  ...withLooks(told),
  action: (shell, every) => shell.changes(() => load(shell, every)),
});

/** A verb that concerns this machine alone, or needs a shape of its own. */
export const acts = <const P extends Words, const F extends Words>(
  told: VerbDescription<P, F>,
  load: Load<F, Conclusion | undefined>,
  options?: ActOptions,
): Verb => ({
  ...told,
  action: (shell, every) => shell.acts(() => load(shell, every), options),
});

/** A verb that takes its words and nothing else that commands are given. */
export const bare = <const P extends Words>(
  told: VerbDescription<P, Words>,
  load: (shell: Shell, every: () => Registry) => Promise<(...operands: never[]) => Promise<void>>,
): Verb => ({
  ...told,
  action:
    (shell, every) =>
    async (...all: never[]) =>
      (await load(shell, every))(...all),
});
