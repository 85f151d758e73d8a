/** Commands whose arguments and flags are added when a line names them. */
import type { Command } from "commander";

const lacking = new WeakMap<Command, () => void>();

export function completeLater(command: Command, add: () => void): void {
  lacking.set(command, add);
}

/** Adds what a command lacks yet. */
export function complete(command: Command): void {
  const add = lacking.get(command);
  lacking.delete(command);
  add?.();
}
