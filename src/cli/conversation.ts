/** Verbs with code of their own, which is loaded when they run. Their words are data all the same. */
import { forRows } from "../argv/options.ts";
import type { Conclusion, Context, Plan, Planned, Reading } from "../run/context.ts";
import type { Shell } from "../run/shell.ts";
import type { AnyOperation } from "../wire/operation.ts";
import { withPreview } from "./kinds.ts";
import type { Registry } from "./program.ts";
import {
  type BindTable,
  checksFor,
  type RawOptions,
  reading,
  spelling,
  type Verb,
  type VerbDescription,
} from "./verb.ts";
import type { RawFlags, Values, Words } from "./word.ts";

/** The code takes the flags and then the operands as the parser gives them: the text that was typed, or a `Given`. */
interface Raw<P extends Words, F extends Words, R> extends VerbDescription<P, F> {
  readonly run: (
    shell: Shell,
    every: () => Registry,
  ) => Promise<(context: Context, flags: RawFlags<F>, ...operands: never[]) => Promise<R>>;
}

/** A verb that only reads. */
export const reads = <const P extends Words, const F extends Words>({ run, ...verb }: Raw<P, F, Conclusion>): Verb => ({
  ...verb,
  action: (shell, every) => shell.reads(() => run(shell, every)),
});

/** A verb that gives changes to be made, or a result where there is nothing to change. */
export const plans = <const P extends Words, const F extends Words>({
  run,
  ...verb
}: Raw<P, F, Planned | Conclusion | Reading>): Verb => ({
  ...withPreview(verb),
  action: (shell, every) => shell.changes(() => run(shell, every)),
});

/** A verb that concerns this machine alone, or needs a shape of its own. */
export const acts = <const P extends Words, const F extends Words>({
  run,
  many,
  organizations,
  markdown,
  ...verb
}: Raw<P, F, Conclusion | undefined> & { many?: boolean; organizations?: true; markdown?: true }): Verb => ({
  ...verb,
  action: (shell, every) => shell.acts(() => run(shell, every), { many, organizations, markdown }),
});

interface Bare<P extends Words> extends VerbDescription<P, Words> {
  readonly run: (shell: Shell, every: () => Registry) => Promise<(...operands: never[]) => Promise<void>>;
}

/** A verb that takes its words and nothing else that commands are given. */
export const bare = <const P extends Words>({ run, ...verb }: Bare<P>): Verb => ({
  ...verb,
  action:
    (shell, every) =>
    async (...all) =>
      (await run(shell, every))(...(all as never[])),
});

/** The code takes what the words stand for, by name. */
interface Valued<P extends Words, F extends Words, R> extends VerbDescription<P, F> {
  readonly run: () => Promise<(context: Context, values: Values<P, F>) => Promise<R>>;
  /** It, and flags of it, are refused before names are looked up where the server does not know them. */
  readonly operation?: AnyOperation;
  /** Flags that are not named as their parameter is. */
  readonly binds?: BindTable;
  /** Judges flags as they were typed, before anything is read. Throws `Usage`. */
  readonly check?: (typed: RawOptions) => void;
}

/** A verb that reads something, of the things that its words name. */
export const readsWith = <const P extends Words, const F extends Words>({
  operation,
  binds,
  check,
  run,
  ...verb
}: Valued<P, F, Conclusion>): Verb => ({
  ...verb,
  action: (shell, _, name) => {
    const supported = operation && checksFor(operation, { binds, flags: verb.flags })(name);
    return shell.reads(async () => reading<P, F, Conclusion>(verb, await run(), { check, supported }));
  },
});

/** A verb that needs a shape of its own, of the things that its words name. It does not stand in a batch. */
export const actsWith = <const P extends Words, const F extends Words>({
  run,
  ...verb
}: Pick<Valued<P, F, Conclusion>, "run"> & VerbDescription<P, F>): Verb => ({
  ...verb,
  action: (shell) => shell.acts(async () => reading<P, F, Conclusion>(verb, await run())),
});

interface Planning<P extends Words, F extends Words> extends Valued<P, F, Planned | Conclusion> {
  readonly operation: AnyOperation;
  /** Without any flag of a parameter it asks for nothing. */
  readonly someFlag?: true;
}

/** Changes that do not say which flags stand for their parameters get those that were typed. */
function spelled(planned: Planned | Conclusion, flagsOf: (made: AnyOperation) => Record<string, string>) {
  if ("kind" in planned) return planned;
  const plan: Plan = Array.isArray(planned) ? { changes: planned } : planned;
  return { ...plan, changes: plan.changes.map((each) => ({ ...each, flags: each.flags ?? flagsOf(each.operation) })) };
}

/** A verb that changes something, of the things that its words name. */
export const plansWith = <const P extends Words, const F extends Words>({
  operation,
  binds,
  someFlag,
  check,
  run,
  ...verb
}: Planning<P, F>): Verb => ({
  ...withPreview({ ...verb, preview: verb.preview ?? (operation.before && true) }),
  action: (shell, _, name) => {
    const supported = checksFor(operation, { binds, someFlag, flags: verb.flags })(name);
    return shell.changes(async () => {
      const plan = await run();
      const work = async (context: Context, values: Values<P, F>, typed: RawOptions) =>
        spelled(await plan(context, values), (made) => spelling(made, { flags: verb.flags }, binds ?? {}, typed));
      return reading<P, F, Planned | Conclusion>(verb, work, { check, supported });
    });
  },
});

interface Bulk<P extends Words, F extends Words> extends VerbDescription<P, F> {
  readonly check?: (typed: RawOptions) => void;
  /** Its changes, in a row of a batch. */
  readonly row: () => Promise<(context: Context, values: Values<P, F>) => Promise<Planned>>;
  /** By itself it finds what to change, asks once, and keeps a journal. */
  readonly run: (shell: Shell) => Promise<(context: Context, values: Values<P, F>) => Promise<Conclusion>>;
}

/** A verb that makes the same change to everything that it finds. */
export const bulk = <const P extends Words, const F extends Words>({ check, row, run, ...verb }: Bulk<P, F>): Verb => ({
  ...verb,
  action: (shell) => {
    const inRow = shell.changes(async () => reading<P, F, Planned>(verb, await row(), { check }));
    const alone = shell.acts(async () => reading<P, F, Conclusion>(verb, await run(shell), { check }), { many: true });
    return forRows((...all) => (shell.isCollecting ? inRow : alone)(...all));
  },
});
