/** Verbs as data: their parameters, the operation they call, and how they report results. */

import type { CommandAction } from "../argv/commander-options.ts";
import type { Question } from "../common/question.ts";
import { type ChangeHandling, change } from "../engine/change.ts";
import type { Listing } from "../output/form.ts";
import type { Context, Plan, Planned } from "../run/context.ts";
import type { Shell } from "../run/shell.ts";
import type { AnswerOf, AnyOperation, ArgsOf } from "../wire/operation.ts";
import { type Columns, columnsOf } from "./columns.ts";
import { type DestructiveVerb, describedQuestion, destructiveQuestion, typedOf } from "./destructive-question.ts";
import { fieldsOfEmpty } from "./empty-list.ts";
import type { FlagRules, RawOptions } from "./flag-rules.ts";
import { withGuards } from "./guard-flags.ts";
import { withOrUpdate } from "./or-update.ts";
import { type CommandParameter, type CommandParameters, changedOf, type Values } from "./parameter.ts";
import { withPreview } from "./preview-flags.ts";
import type { Registry } from "./registry.ts";
import type { VerbDescription } from "./verb-description.ts";
import {
  type Binds,
  flagNames,
  noParameters,
  readingParameters,
  supportCheck,
  typedParameters,
} from "./verb-parameters.ts";

export interface Verb extends VerbDescription, FlagRules {
  /** The operation that it calls. */
  readonly operation?: AnyOperation;
  readonly confirm?: unknown;
  readonly run?: unknown;
  /**
   * Makes commander's action. `every`: returns all nouns, for verbs that run or describe others. `name`: the noun and the
   * verb, `folder update`.
   */
  action(shell: Shell, every: (shell: Shell) => Registry, name: string): CommandAction;
}

type AnswerMember<O extends AnyOperation> = keyof AnswerOf<O> & string;

type Filter<R> = (record: R) => boolean;

interface ListSpec<O extends AnyOperation, P extends CommandParameters, F extends CommandParameters, R>
  extends VerbDescription<P, F> {
  readonly args?: (values: Values<P, F>) => ArgsOf<O>;
  readonly binds?: Binds<O, P, F>;
  /** Returns the records of the answer. */
  readonly records: (answer: AnswerOf<O>) => readonly R[];
  /** A filter that servers do not have. */
  readonly only?: (values: Values<P, F>, context: Context) => Filter<R> | Promise<Filter<R>>;
  /** The member with the id, or a function that returns it. */
  readonly id: (keyof R & string) | ((record: R) => unknown);
  readonly columns: Columns<R> | ((values: Values<P, F>, all: readonly R[]) => Columns<R>);
  readonly optionalFields?: readonly string[];
  /** The fields of an empty list, in the order of servers. By default those that the operation states. */
  readonly emptyFields?: readonly string[];
  /** The member by which a table is sorted. */
  readonly tableOrder?: keyof R & string;
  /** A line below the table. */
  readonly tableNote?: (answer: AnswerOf<O>) => string | undefined;
}

/** A verb that prints the records of one read. */
export function lists<O extends AnyOperation, const P extends CommandParameters, const F extends CommandParameters, R>(
  operation: O,
  spec: ListSpec<O, P, F, R>,
): Verb {
  const look = async (context: Context, values: Values<P, F>, typed: RawOptions): Promise<Listing<R>> => {
    const spelled = flagNames(operation, spec, spec.binds ?? {}, typed);
    const answer = await context.ask(operation, spec.args?.(values) ?? ({} as ArgsOf<O>), spelled);
    const all = spec.records(answer);
    const records = spec.only ? all.filter(await spec.only(values, context)) : all;
    const stated = typeof spec.columns === "function" ? spec.columns(values, all) : spec.columns;
    const { id } = spec;
    const columns = await columnsOf(context, stated, { ...(typeof id === "string" && { id }), records });
    const note = spec.tableNote?.(answer);
    return {
      kind: "listing",
      records,
      id,
      columns,
      ...(spec.tableOrder !== undefined && { tableOrder: spec.tableOrder }),
      ...(spec.optionalFields && { optionalFields: spec.optionalFields }),
      emptyFields: fieldsOfEmpty(operation, all, spec.emptyFields),
      note,
    };
  };
  return { ...spec, operation, action: (shell) => shell.reads(async () => readingParameters(spec, look)) };
}

/** Returns the names in braces. */
type Braced<S extends string> = S extends `${string}{${infer N}}${infer R}` ? N | Braced<R> : never;

interface ChangeSpec<O extends AnyOperation, P extends CommandParameters, F extends CommandParameters, D extends string>
  extends VerbDescription<P, F>,
    FlagRules<F> {
  readonly args: (values: Values<P, F>, context: Context) => ArgsOf<O> | Promise<ArgsOf<O>>;
  readonly binds?: Binds<O, P, F>;
  /** What is changed: an operand, or a fixed text. */
  readonly target: (keyof P & string) | ((values: Values<P, F>) => string);
  /** The sentence for success. `{name}` stands for a typed operand or a member of the answer, `{changed}` for typed flags. */
  readonly done: D &
    (Braced<D> extends keyof P | keyof AnswerOf<O> | "target" | "changed" ? string : { unknown: Braced<D> });
  /** The member of the answer with the new id. */
  readonly ids?: AnswerMember<O>;
  /** The command that shows the result. */
  readonly checkCommand: string | ((values: Values<P, F>) => string);
  /** The question for confirmation. It is skipped with `--yes`, with its reads. */
  readonly confirm?: (values: Values<P, F>, context: Context) => Question | undefined | Promise<Question | undefined>;
  /** The sentence for a thing that exists already as asked. Needed for creations. */
  readonly already?: string;
  /** What to do about one that exists, if more than its values was asked. */
  readonly existing?: (values: Values<P, F>, context: Context) => Plan["existing"];
  /** What the values say about handling the change. */
  readonly handling?: (values: Values<P, F>) => ChangeHandling;
  /** By parameter, the names for people of what it changes, if the flag does not name it. */
  readonly named?: (values: Values<P, F>) => Readonly<Record<string, readonly string[] | undefined>>;
  /** Throws if none of its flags is given. */
  readonly someFlag?: true;
  /** Checks the values together, before anything is sent. Throws `Usage`. */
  readonly before?: (values: Values<P, F>, context: Context) => void | Promise<void>;
  /** Reads what is needed to continue after the change. Undefined if nothing is left to do. */
  readonly next?: (values: Values<P, F>, context: Context) => Promise<Plan["next"]>;
}

/** A verb that makes one change. */
export function changes<
  O extends AnyOperation,
  const P extends CommandParameters,
  const F extends CommandParameters,
  const D extends string,
>(operation: O, spec: ChangeSpec<O, P, F, D>): Verb {
  const { operands = noParameters, target, done, ids, checkCommand } = spec;
  const binds = spec.binds ?? {};
  const plan = async (context: Context, values: Values<P, F>, typed: RawOptions): Promise<Planned> => {
    await spec.before?.(values, context);
    const byName: RawOptions = values;
    const words = Object.keys(operands).map((name) => [name, typedOf(byName[name])]);
    const named = spec.named?.(values) ?? {};
    const existing = spec.existing?.(values, context);
    const made = change(operation, await spec.args(values, context), {
      already: spec.already,
      target: typeof target === "function" ? target(values) : typedOf(byName[target]),
      done,
      words: Object.fromEntries(words),
      changed: typedParameters(operation, spec.flags ?? noParameters, binds, typed)
        .map(changedOf)
        .flatMap((each) => named[each.parameter]?.map((name) => ({ ...each, name })) ?? each),
      flags: flagNames(operation, spec, binds, typed),
      verifyWith: `zulipctl ${typeof checkCommand === "function" ? checkCommand(values) : checkCommand}`,
      ids,
      confirm: await spec.confirm?.(values, context),
      ...spec.handling?.(values),
    });
    const next = await spec.next?.(values, context);
    return { changes: [made], ...(next && { next }), ...(existing && { existing }) };
  };
  const preview = spec.preview ?? (operation.before && true);
  const verb = spec.already === undefined ? spec : withOrUpdate(operation, spec);
  return {
    ...withGuards(withPreview({ ...verb, preview })),
    operation,
    action: (shell, _, name) =>
      shell.changes(async () => readingParameters(verb, plan, supportCheck(operation, spec, name))),
  };
}

interface EachSpec<O extends AnyOperation, T, F extends CommandParameters>
  extends Omit<VerbDescription<CommandParameters, F>, "operands"> {
  /** The things that are changed, with a request for each. */
  readonly things: CommandParameter<T[]>;
  /** The parameter that belongs to this verb, if the operation has others: its level counts. */
  readonly ownParameter?: keyof ArgsOf<O> & string;
  readonly args: (thing: T, values: Values<CommandParameters, F>) => ArgsOf<O>;
  /** The sentences for each thing, and for one in the desired state already. `{target}` stands for it. */
  readonly done: string;
  readonly already?: string;
  /** Servers accept a repetition in silence. */
  readonly readsFirst?: true;
  readonly checkCommand: string;
  /** The question for confirmation: what is lost, or a function. It is skipped with `--yes`, with its reads. */
  readonly confirm?: DestructiveVerb | ((things: readonly T[], context: Context) => Promise<Question | undefined>);
}

/** A verb that makes the same change to several things. Its result is always a list. */
export function changesEach<
  O extends AnyOperation,
  T extends number | string | { typed: string },
  const F extends CommandParameters,
>(operation: O, spec: EachSpec<O, T, F>): Verb {
  const verb = { ...spec, operands: { things: spec.things } };
  type AllValues = Values<{ things: CommandParameter<T[]> }, F>;
  const plan =
    (name: string) =>
    async (context: Context, values: AllValues, typed: RawOptions): Promise<Planned> => {
      const things = (values as { things: T[] }).things;
      const { already, readsFirst: ifChanged } = spec;
      const loss = typeof spec.confirm === "object" ? spec.confirm : undefined;
      const confirm =
        typeof spec.confirm === "function"
          ? await spec.confirm(things, context)
          : loss && destructiveQuestion(loss, things);
      return {
        ...(loss?.describe && { question: () => describedQuestion(loss, things, context) }),
        list: true,
        changes: things.map((thing) =>
          change(operation, spec.args(thing, values), {
            target: typedOf(thing),
            done: spec.done,
            ...{ already, ifChanged },
            flags: {
              ...flagNames(operation, { flags: spec.flags ?? noParameters }, {}, typed),
              ...(spec.ownParameter !== undefined && { [spec.ownParameter]: name }),
            },
            verifyWith: `zulipctl ${spec.checkCommand}`,
            confirm,
          }),
        ),
      };
    };
  const supported = (name: string) => async (context: Context, typed: RawOptions) => {
    if (spec.ownParameter !== undefined)
      await context.checkSupported(operation, [{ param: spec.ownParameter, flag: name }]);
    await supportCheck(operation, spec, name)(context, typed);
  };
  return {
    ...withGuards(verb),
    operation,
    action: (shell, _, name) => shell.changes(async () => readingParameters(verb, plan(name), supported(name))),
  };
}
