/** Commands that can stand in a row of a batch: those that say what they would change before anything is sent. */
import { Command } from "commander";

type Action = (...all: never[]) => unknown;

const fit = new WeakSet<Action>();

/** Marks what a command does as fit for rows. */
export function forRows<A extends Action>(action: A): A {
  fit.add(action);
  return action;
}

/** A command that knows what its action is fit for. */
export class RowCommand extends Command {
  inRows = false;

  override createCommand(name?: string): RowCommand {
    return new RowCommand(name);
  }

  override action(act: Parameters<Command["action"]>[0]): this {
    this.inRows = fit.has(act as Action);
    return super.action(act);
  }
}

/** True for a command that can stand in a row, and for one with such a command below it. */
export const standsInRows = (command: Command): boolean =>
  command.commands.length > 0
    ? command.commands.some(standsInRows)
    : command instanceof RowCommand && command.inRows && command.name() !== "help";
