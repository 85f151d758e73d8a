/** Verbs with their own code, which is loaded when they run. Their parameters are data. */
import type { Conclusion, Context, Plan, Planned, ReadInstead } from "../run/context.ts";
import type { CustomOptions, Shell } from "../run/shell.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { FlagRules, RawOptions } from "./flag-rules.ts";
import { withGuards } from "./guard-flags.ts";
import { withOrUpdate } from "./or-update.ts";
import type { CommandParameters, RawFlags, Values } from "./parameter.ts";
import { withPreview } from "./preview-flags.ts";
import type { Registry } from "./registry.ts";
import type { Verb } from "./verb.ts";
import type { VerbDescription } from "./verb-description.ts";
import { type BindTable, flagNames, readingParameters, supportCheck } from "./verb-parameters.ts";

/** The code receives flags, then operands, as parsed: typed text, or a `TextInput`. */
interface RawVerb<P extends CommandParameters, F extends CommandParameters, R> extends VerbDescription<P, F> {
  readonly run: (
    shell: Shell,
    every: (shell: Shell) => Registry,
  ) => Promise<(context: Context, flags: RawFlags<F>, ...operands: never[]) => Promise<R>>;
}

/** A verb that only reads. Raw verbs receive what was typed, in place of values. */
export const rawReadingVerb = <const P extends CommandParameters, const F extends CommandParameters>(
  verb: RawVerb<P, F, Conclusion>,
): Verb => ({
  ...verb,
  action: (shell, every) => shell.reads(() => verb.run(shell, every)),
});

/** A verb that returns changes, or a result if there is nothing to change. */
export const rawChangingVerb = <const P extends CommandParameters, const F extends CommandParameters>(
  verb: RawVerb<P, F, Planned | Conclusion | ReadInstead>,
): Verb => ({
  ...withGuards(withPreview(verb)),
  action: (shell, every) => shell.changes(() => verb.run(shell, every)),
});

/** A verb whose code also asks, sends and reports: for this machine, or with a special form. */
export const rawCustomVerb = <const P extends CommandParameters, const F extends CommandParameters>(
  verb: RawVerb<P, F, Conclusion | undefined> & CustomOptions,
): Verb => ({ ...verb, action: (shell, every) => shell.custom(() => verb.run(shell, every), verb) });

interface PlainVerb<P extends CommandParameters> extends VerbDescription<P, CommandParameters> {
  readonly run: (shell: Shell, every: (shell: Shell) => Registry) => Promise<(...operands: never[]) => Promise<void>>;
}

/** A verb that needs only its parameters. */
export const plainVerb = <const P extends CommandParameters>(verb: PlainVerb<P>): Verb => ({
  ...verb,
  action:
    (shell, every) =>
    async (...all) =>
      (await verb.run(shell, every))(...(all as never[])),
});

/** The code receives the values of parameters, by name. */
interface ValueVerb<P extends CommandParameters, F extends CommandParameters, R>
  extends VerbDescription<P, F>,
    FlagRules<F> {
  readonly run: () => Promise<(context: Context, values: Values<P, F>) => Promise<R>>;
  /** The operation. The server's level is checked before names are looked up. */
  readonly operation?: AnyOperation;
  /** Flags whose names differ from their parameters. */
  readonly binds?: BindTable;
}

/** A verb that reads things named by its parameters. */
export const readingVerb = <const P extends CommandParameters, const F extends CommandParameters>(
  verb: ValueVerb<P, F, Conclusion>,
): Verb => ({
  ...verb,
  action: (shell, _, name) => {
    const supported = verb.operation && supportCheck(verb.operation, verb, name);
    return shell.reads(async () => readingParameters<P, F, Conclusion>(verb, await verb.run(), supported));
  },
});

/** A verb with a special form for things named by its parameters. It cannot be in a batch. */
export const customVerb = <const P extends CommandParameters, const F extends CommandParameters>(
  verb: Omit<ValueVerb<P, F, Conclusion>, "operation" | "binds"> & CustomOptions,
): Verb => ({
  ...verb,
  action: (shell) => shell.custom(async () => readingParameters<P, F, Conclusion>(verb, await verb.run()), verb),
});

interface ChangingVerb<P extends CommandParameters, F extends CommandParameters>
  extends ValueVerb<P, F, Planned | Conclusion> {
  readonly operation: AnyOperation;
  /** Throws if no flag of a parameter is given. */
  readonly someFlag?: true;
  /** It creates a thing that may exist already. */
  readonly makes?: true;
}

/** Adds the typed flags to changes that do not have them. */
function withTypedFlags(planned: Planned | Conclusion, flagsOf: (made: AnyOperation) => Record<string, string>) {
  if ("kind" in planned) return planned;
  const plan: Plan = Array.isArray(planned) ? { changes: planned } : planned;
  return { ...plan, changes: plan.changes.map((each) => ({ ...each, flags: each.flags ?? flagsOf(each.operation) })) };
}

/** A verb that changes things named by its parameters. */
export const changingVerb = <const P extends CommandParameters, const F extends CommandParameters>(
  stated: ChangingVerb<P, F>,
): Verb => {
  const verb = stated.makes ? withOrUpdate(stated.operation, stated) : stated;
  const { operation, binds = {}, flags, run } = verb;
  const action: Verb["action"] = (shell, _, name) => {
    return shell.changes(async () => {
      const plan = await run();
      const work = async (context: Context, values: Values<P, F>, typed: RawOptions) =>
        withTypedFlags(await plan(context, values), (made) => flagNames(made, { flags }, binds, typed));
      return readingParameters<P, F, Planned | Conclusion>(verb, work, supportCheck(operation, verb, name));
    });
  };
  return { ...withGuards(withPreview({ ...verb, preview: verb.preview ?? (operation.before && true) })), action };
};

interface BulkVerb<P extends CommandParameters, F extends CommandParameters>
  extends VerbDescription<P, F>,
    FlagRules<F> {
  readonly run: () => Promise<{
    /** Returns the changes of a row of a batch. */
    row(context: Context, values: Values<P, F>): Promise<Planned>;
    /** A single command finds what to change, asks once, and keeps a journal. */
    all(shell: Shell): (context: Context, values: Values<P, F>) => Promise<Conclusion>;
  }>;
}

/** A verb that makes the same change to everything it finds. */
export const bulkVerb = <const P extends CommandParameters, const F extends CommandParameters>(
  verb: BulkVerb<P, F>,
): Verb => ({
  ...withGuards(verb),
  action: (shell) =>
    shell.changesMany(
      async () => readingParameters<P, F, Planned>(verb, (await verb.run()).row),
      async () => readingParameters<P, F, Conclusion>(verb, (await verb.run()).all(shell)),
    ),
});
