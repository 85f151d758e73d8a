import type { Command } from "commander";

/** Adds a noun with its verbs. */
type RegisterNoun = (root: Command) => void | Promise<void>;
/** Nouns by name, in the order of help. */
export type Registry = Readonly<Record<string, RegisterNoun>>;
