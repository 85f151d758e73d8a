/** The form of the catalogue. `docs/commands.schema.json` describes it for others. */
import type { CompletionKind } from "../../argv/commander-options.ts";
import type { ExitCode } from "../exit-codes.ts";

/** The version of this form of the document. */
export const catalogueFormat = 1;

/** The value of an argument or a flag. */
export interface CatalogueValue {
  /** A flag without a value is a `switch`. */
  readonly kind: Exclude<CompletionKind, "free"> | "text" | "choice" | "switch";
  /** The only words that it accepts. */
  readonly choices?: readonly string[];
  /** Words that completion offers. Others are accepted too. */
  readonly suggestions?: readonly string[];
  /** What applies if it is absent. */
  readonly default?: string;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Several values may be separated by commas. */
  readonly comma_separated?: true;
  /** The value may be `@file`. */
  readonly at_file?: true;
  /** The value may be `-`, for stdin. */
  readonly stdin?: true;
}

export interface CatalogueArgument extends CatalogueValue {
  readonly name: string;
  readonly doc: string;
}

export interface CatalogueFlag extends CatalogueValue {
  /** As typed: `--new-name`. */
  readonly name: string;
  readonly short?: string;
  /** The name of its value in help. */
  readonly value?: string;
  readonly doc: string;
  /** The same for flags that exclude each other: `--private` and `--no-private`. */
  readonly key: string;
}

export interface CatalogueOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly changes: boolean;
}

export interface CatalogueCommand {
  /** `channel update`. */
  readonly name: string;
  readonly noun: string;
  readonly verb: string | null;
  readonly doc: string;
  readonly usage: string;
  /** Other names of its last word. */
  readonly other_names: readonly string[];
  readonly hidden: boolean;
  /** It is another name of this command. */
  readonly alias_of: string | null;
  readonly note: string | null;
  readonly arguments: readonly CatalogueArgument[];
  readonly flags: readonly CatalogueFlag[];
  /** The first flag of each list cannot be combined with the others. */
  readonly conflicts: readonly (readonly string[])[];
  /** The first flag of each pair requires the second. */
  readonly requires: readonly (readonly string[])[];
  /** It can change the server, or profiles, keys and journals on this machine. */
  readonly changes: boolean;
  /** It can change the server. With `--read-only` these changes are refused. */
  readonly changes_server: boolean;
  /** Whether it asks for confirmation. Where nobody can be asked, it then requires `--yes`. */
  readonly confirmation: "always" | "sometimes" | "never";
  /** It can ask for confirmation. */
  readonly destructive: boolean;
  /** It runs other commands, or sends what is typed: it can call any operation. */
  readonly any_operation: boolean;
  readonly operations: readonly CatalogueOperation[];
  readonly in_batch: boolean;
  readonly in_each: boolean;
  readonly exit_codes: readonly ExitCode[];
  readonly examples: readonly string[];
}

export interface CatalogueNoun {
  readonly name: string;
  readonly doc: string;
  readonly other_names: readonly string[];
  /** The names of its commands. */
  readonly commands: readonly string[];
}

export interface Catalogue {
  readonly format: typeof catalogueFormat;
  readonly version: string;
  readonly doc: string;
  readonly usage: string;
  readonly global_flags: readonly CatalogueFlag[];
  readonly exit_codes: readonly ExitCode[];
  readonly nouns: readonly CatalogueNoun[];
  readonly commands: readonly CatalogueCommand[];
}
