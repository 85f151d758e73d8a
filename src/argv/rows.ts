/** Commands that can stand in a row of a batch: those that say what they would change before anything is sent. */
import type { Command } from "commander";

type Action = (...all: unknown[]) => Promise<void>;

const fitActions = new WeakSet<Action>();
const fitCommands = new WeakSet<Command>();

/** Marks what a command does as fit for rows. */
export function forRows(action: Action): Action {
  fitActions.add(action);
  return action;
}

export function setAction(command: Command, action: Action): void {
  command.action(action);
  if (fitActions.has(action)) fitCommands.add(command);
}

/** True for a command that can stand in a row, and for one with such a command below it. */
export const standsInRows = (command: Command): boolean =>
  command.commands.length > 0 ? command.commands.some(standsInRows) : fitCommands.has(command);
