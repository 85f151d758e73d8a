/** `reorder <thing>...`: those named come first, the others keep their order behind them. */
import { change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import type { Result } from "../output/form.ts";
import { baselinesOf } from "../run/baselines.ts";
import type { Context, Planned } from "../run/context.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";
import { plansWith } from "./coded.ts";
import type { Told, Verb } from "./verb.ts";
import type { Word } from "./word.ts";

interface ReorderSpec<O extends AnyOperation, R extends AnyOperation, T> extends Omit<Told, "operands" | "flags"> {
  /** `folder`, as messages call one. */
  readonly noun: string;
  readonly things: Word<T[]>;
  /** The read that gives all of them in their order. */
  readonly read: R;
  readonly readArgs: ArgsOf<R>;
  /** The member of its answer that holds the list. */
  readonly records: keyof AnswerOf<R> & string;
  /** The parameter that takes the ids of all. */
  readonly param: keyof ArgsOf<O> & string;
  /** The command that lists all of them. */
  readonly see: string;
}

const idOf = (thing: number | { id: number }): number => (typeof thing === "number" ? thing : thing.id);

/** Sends the ids of all of them, since the server takes no others. */
export function reorders<O extends AnyOperation, R extends AnyOperation, T extends number | { id: number }>(
  operation: O,
  spec: ReorderSpec<O, R, T>,
): Verb {
  const { noun, things, read, readArgs, records, param, see } = spec;
  const plan = async (context: Context, values: { things: T[] }): Promise<Planned | Result> => {
    const first = values.things.map(idOf);
    if (!first.length)
      return { kind: "change", sentence: `No ${noun} is named: the order stays as it is.`, answer: {}, ids: [] };
    const baselines = baselinesOf(context);
    const whole = `order of ${noun}s`;
    const all =
      baselines.earlier<number[]>(whole) ??
      ((await baselines.read(read, readArgs))[records] as { id: number }[]).map(({ id }) => id);
    const strange = first.filter((id) => !all.includes(id));
    if (strange.length)
      throw new Usage(`<${noun}>: there is no ${noun} ${strange.join(", ")}`, {
        hint: `See what there is: zulipctl ${see}`,
      });
    const order = [...first, ...all.filter((id) => !first.includes(id))];
    baselines.becomes(whole, order);
    return [
      change(operation, { [param]: order } as ArgsOf<O>, {
        target: `${noun}s`,
        done: `The order of the ${noun}s is now ${order.join(", ")}.`,
        verifyWith: `zulipctl ${see}`,
      }),
    ];
  };
  const { doc, note, examples } = spec;
  return plansWith({ doc, note, examples, operation, operands: { things } }, async () => plan as never);
}
