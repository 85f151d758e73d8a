/** Verbs whose words are read as they are stated, and which go on with code of their own, loaded when they run. */
import type { Change } from "../engine/change.ts";
import type { Conclusion } from "../run/conclusion.ts";
import type { Context, Planned } from "../run/context.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { type BindTable, spelling } from "./binding.ts";
import { withLooks } from "./kinds.ts";
import { foreseeing, type RawOptions, reading, type Verb, type VerbDescription } from "./verb.ts";
import type { Values, Words } from "./word.ts";

type Load<P extends Words, F extends Words, R> = () => Promise<(context: Context, values: Values<P, F>) => Promise<R>>;

interface Coded<P extends Words, F extends Words> extends VerbDescription<P, F> {
  /** It, and flags of it, are refused before names are looked up where the server does not know them. */
  readonly operation: AnyOperation;
  /** Flags that are not named as their parameter is. */
  readonly binds?: BindTable;
  /** Without any flag of a parameter it asks for nothing. */
  readonly someFlag?: true;
  /** Judges flags as they were typed, before anything is looked up. Throws `Usage`. */
  readonly check?: (typed: RawOptions) => void;
}

/** A verb that reads something. */
export const readsWith = <const P extends Words, const F extends Words>(
  told: VerbDescription<P, F>,
  load: Load<P, F, Conclusion>,
): Verb => ({
  ...told,
  action: (shell) => shell.reads(async () => reading<P, F, Conclusion>(told, await load())),
});

/** Changes that do not say which flags stand for their parameters get those that were typed. */
function spelled(planned: Planned | Conclusion, flagsOf: (made: AnyOperation) => Record<string, string>) {
  if ("kind" in planned) return planned;
  const each = (changes: readonly Change[]) =>
    changes.map((change) => ({ ...change, flags: change.flags ?? flagsOf(change.operation) }));
  return "several" in planned ? { ...planned, several: each(planned.several) } : each(planned);
}

/** A verb that changes something. */
export const plansWith = <const P extends Words, const F extends Words>(
  { operation, binds, someFlag, check, ...told }: Coded<P, F>,
  load: Load<P, F, Planned | Conclusion>,
): Verb => ({
  ...withLooks({ ...told, looks: told.looks ?? (operation.before && true) }),
  action: (shell, _, name) => {
    const supported = foreseeing(operation, { flags: told.flags, binds, someFlag })(name);
    const foresee = async (context: Context, typed: RawOptions) => {
      check?.(typed);
      await supported(context, typed);
    };
    return shell.changes(async () => {
      const plan = await load();
      const work = async (context: Context, values: Values<P, F>, typed: RawOptions) =>
        spelled(await plan(context, values), (made) => spelling(made, { flags: told.flags }, binds ?? {}, typed));
      return reading<P, F, Planned | Conclusion>(told, work, foresee);
    });
  },
});
