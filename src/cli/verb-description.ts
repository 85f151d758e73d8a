import type { CommandParameters } from "./parameter.ts";
import type { Preview } from "./preview-flags.ts";

/** The parts of a verb for help, completion and the catalogue. */
export interface VerbDescription<
  P extends CommandParameters = CommandParameters,
  F extends CommandParameters = CommandParameters,
> {
  readonly doc: string;
  /** The operands, in order. */
  readonly operands?: P;
  /** Flags by name: `newName` is `--new-name`. */
  readonly flags?: F;
  /** Example commands. They use names of the sandbox, and a test runs each. */
  readonly examples: readonly string[];
  /** A paragraph before the examples. */
  readonly note?: string;
  /** The usage line, if the operands do not say enough. */
  readonly usage?: string;
  readonly hidden?: true;
  /** It prints a list under another name, so it can be sorted and limited. */
  readonly sortable?: true;
  /** Further operations that it can call, by name. "any": it sends what is typed, or runs other commands. */
  readonly operations?: readonly string[] | "any";
  /** Whether it asks for confirmation. By default always with `confirm`, and never without. */
  readonly asks?: "always" | "sometimes";
  /** It changes profiles, keys or journals on this machine. */
  readonly local?: true;
  /** Exit codes that its operations and flags do not imply. */
  readonly exits?: readonly number[] | "any";
  /** Its changes can be previewed: it has the flags `--diff` and `--if-changed`, or only `--diff`. */
  readonly preview?: Preview | undefined;
}
