/** Makes `reorder <thing>...`: the named things come first, then the others in their order. */
import { numbersIn } from "../common/object-members.ts";
import { change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import { changed, type Result } from "../output/form.ts";
import { currentValuesOf } from "../resolve/current-values.ts";
import type { Context, Planned } from "../run/context.ts";
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";
import type { CommandParameter } from "./parameter.ts";
import type { Verb } from "./verb.ts";
import type { VerbDescription } from "./verb-description.ts";
import { changingVerb } from "./verbs-with-code.ts";

interface ReorderSpec<O extends AnyOperation, T> extends Omit<VerbDescription, "operands" | "flags"> {
  /** The singular in messages: `folder`. */
  readonly noun: string;
  readonly things: CommandParameter<T[]>;
  /** The parameter with all ids. */
  readonly param: keyof ArgsOf<O> & string;
  /** The command that lists all things. */
  readonly checkCommand: string;
}

const idOf = (thing: number | { id: number }): number => (typeof thing === "number" ? thing : thing.id);

/** Sends all ids, since servers require them. */
export function reorders<O extends AnyOperation, T extends number | { id: number }>(
  operation: O,
  spec: ReorderSpec<O, T>,
): Verb {
  const { noun, things, param, checkCommand } = spec;
  const plan = async (context: Context, values: { things: T[] }): Promise<Planned | Result> => {
    const first = values.things.map(idOf);
    if (!first.length) return changed(`No ${noun} is named: the order stays as it is.`, {});
    const all = numbersIn((await currentValuesOf(context).of(operation, {}))?.values[param]);
    const strange = first.filter((id) => !all.includes(id));
    if (strange.length)
      throw new Usage(`<${noun}>: ${noun} ${strange.join(", ")} not found`, {
        hint: `List them with: zulipctl ${checkCommand}`,
      });
    const order = [...first, ...all.filter((id) => !first.includes(id))];
    return [
      change(operation, { [param]: order } as ArgsOf<O>, {
        target: `${noun}s`,
        done: `The order of the ${noun}s is now ${order.join(", ")}.`,
        verifyWith: `zulipctl ${checkCommand}`,
      }),
    ];
  };
  const { doc, note, examples } = spec;
  return changingVerb({ doc, note, examples, operation, operands: { things }, run: async () => plan });
}
