/** Looks for things that exist already, before a run creates them. */
import { statedOperation } from "../api/registry.ts";
import { nfc } from "../common/folding.ts";
import { type Change, change } from "../engine/change.ts";
import { Refused, TooOld } from "../errors.ts";
import { everyKind } from "../model/kinds/index.ts";
import { unambiguousName } from "../notation/name.ts";
import {
  answerOf,
  describeDifferences,
  type ExistingThing,
  type FieldDifference,
  findExisting,
} from "../resolve/compare-existing.ts";
import { currentValuesOf } from "../resolve/current-values.ts";
import { fieldWords } from "../resolve/field-words.ts";
import { kindsNamed } from "../resolve/look-ups.ts";
import { pathParameter } from "../wire/operation.ts";
import type { Context, Plan } from "./context.ts";

interface ExistingFlags {
  orUpdate?: boolean;
}

/** Servers take a name with accents a second time in another spelling. */
const hasSpellings = ({ operation: { existing }, args }: Change): boolean => {
  const identity = String(existing?.identityOf(args) ?? "");
  return identity.normalize("NFD") !== identity.normalize("NFC");
};

/**
 * Returns whether the list is read before the request. A single creation is sent first: only a refusal needs the list,
 * or a warning that is about new things only.
 */
const readsFirst = ({ line }: Context, { existing }: Plan, creation: Change, { orUpdate }: ExistingFlags): boolean =>
  line !== undefined ||
  orUpdate === true ||
  existing?.warn !== undefined ||
  creation.operation.existing?.incomparable !== undefined ||
  hasSpellings(creation);

async function find(context: Context, creation: Change, orUpdate: boolean): Promise<ExistingThing | undefined> {
  const { existing } = creation.operation;
  if (!existing) return undefined;
  try {
    const server = await context.server();
    return findExisting(creation, existing, await server.lookUp(existing.read, existing.argsOf?.(creation.args) ?? {}));
  } catch (failure) {
    // The server decides about what this account cannot read.
    if (!orUpdate && (failure instanceof Refused || failure instanceof TooOld)) return undefined;
    throw failure;
  }
}

/** Returns the current values for people. */
async function wordsOf(
  context: Context,
  { differing, fixed }: ExistingThing,
): Promise<(of: FieldDifference) => string> {
  const words = new Map<FieldDifference, string>();
  for (const each of [...differing, ...fixed]) {
    for (const kind of each.field.of === "who" ? (["user", "group"] as const) : kindsNamed(each.field.of))
      await context.names.nameLookup(kind);
    words.set(each, await fieldWords(context.names, each.field, each.current));
  }
  return (of) => words.get(of) ?? "";
}

/** Nobody types it: things that people cannot use come back with the values that were asked for. */
const reactivated = { parameter: "deactivated", name: "reactivated" };

/** Returns the changes that give the thing the values that were asked for. */
async function updates({ existing }: Plan, creation: Change, found: ExistingThing): Promise<Change[]> {
  const { target, flags, command, changed } = creation;
  const { update, id } = found;
  const common = { target, flags, command, already: creation.already, verifyWith: creation.verifyWith };
  const known = { knownAnswer: answerOf(found, creation.ids), ids: creation.ids };
  if (existing?.update)
    return (await existing.update({ id: Number(id), typed: target }, found.thing.is_archived === true)).map((each) => ({
      ...each,
      ...common,
      ...known,
      ifChanged: true,
    }));
  const typed = changed?.filter(({ parameter }) => Object.hasOwn(update?.args ?? {}, parameter)) ?? [];
  const named = update?.args.deactivated === false ? [reactivated, ...typed] : typed;
  if (update)
    return [
      {
        ...change(update.operation, update.args, {
          ...common,
          changed: named,
          done: `Updated ${found.existing.kind} {target}${named.length ? ": {changed}" : ""}.`,
          ifChanged: true,
        }),
        ...known,
      },
    ];
  await existing?.checkReplacement?.();
  return [removalBefore(creation, id), creation];
}

/** Servers cannot change things of some kinds. Returns what removes such a thing, before it is made again. */
function removalBefore({ operation, target, command, verifyWith }: Change, id: unknown): Change {
  const [, kind] = everyKind.find(([, { create }]) => create.includes(operation.name)) ?? [];
  if (!kind?.remove) throw new Error(`no kind states what removes the things of ${operation.name}`);
  const removal = statedOperation(kind.remove);
  const { one } = kind;
  return change(
    removal,
    { [pathParameter(removal)]: id },
    {
      target,
      command,
      verifyWith,
      flags: {},
      done: `Deleted ${one} {target}.`,
      confirm: {
        question: `Replace ${one} "${target}"`,
        consequence: `Servers cannot change a ${one}: it is deleted, then added again.`,
      },
    },
  );
}

/** Returns the changes for a thing that exists. */
async function changesOf(
  context: Context,
  plan: Plan,
  creation: Change,
  found: ExistingThing,
  { orUpdate = false }: ExistingFlags,
  { isMadeNow = false } = {},
): Promise<Change[]> {
  const { target } = creation;
  const { differing, fixed, existing, guardsMembers } = found;
  const refused = (message: string): Change[] => {
    if (context.line === undefined) throw new Refused(message, { outcome: "not_sent" });
    return [{ ...creation, refusal: message }];
  };
  const isFixed = fixed.length > 0 && existing.verb !== undefined;
  if (isFixed || (!orUpdate && differing.length + fixed.length))
    return refused(describeDifferences(found, target, await wordsOf(context, found)));
  const known = { knownAnswer: answerOf(found, creation.ids) };
  const unchanged: Change = { ...creation, ...known, unchanged: true };
  const first = differing.length + fixed.length ? await updates(plan, creation, found) : [unchanged];
  const added = found.members.length
    ? ((await plan.existing?.addMembers?.({
        id: Number(found.id),
        typed: target,
        ...(isMadeNow && { name: String(found.thing.name) }),
      })) ?? [])
    : [];
  const missing = added.filter((each) => !each.unchanged);
  if (missing.length && guardsMembers && !orUpdate)
    return refused(
      `channel "${target}" exists and is private: people are added only with --or-update, or with zulipctl channel subscribers ${unambiguousName(target)} --add`,
    );
  // The parts of a row have fixed numbers.
  const needed = context.line === undefined ? missing : added;
  return [...first, ...needed.map((each) => ({ ...each, ...known, ids: creation.ids }))];
}

/** Rows of a batch can name a thing twice. The second is compared with the first when the server refuses it. */
function withIdentity(context: Context, plan: Plan, creation: Change, flags: ExistingFlags): Change {
  const { existing } = creation.operation;
  if (!existing) return creation;
  const identity = `${existing.kind} ${nfc(existing.identityOf(creation.args))}`;
  if (currentValuesOf(context).isCreatedEarlier(identity)) return inOrder(context, plan, creation, flags);
  // A spread at the beginning would take ten times as much memory in every row.
  return { creates: [identity], ...creation };
}

/** Returns the target of changes of the thing. */
const targetOf = ({ update, existing: { kind }, id }: ExistingThing): string =>
  update?.operation.target?.(update.args) ?? `${kind} ${id}`;

/** Returns the creation, which looks at the thing when the server refuses it: earlier rows act first. */
function inOrder(context: Context, plan: Plan, creation: Change, flags: ExistingFlags): Change {
  const { existing } = creation.operation;
  if (!existing) return creation;
  return {
    ...creation,
    whenExists: async (read) => {
      const found = findExisting(creation, existing, await read(existing.read, existing.argsOf?.(creation.args) ?? {}));
      return found && changesOf(context, plan, creation, found, flags, { isMadeNow: true });
    },
  };
}

/**
 * Returns the changes, with those of existing things in place of their creation. `isRefused`: the server has refused the
 * creation.
 */
export async function withExisting(
  context: Context,
  plan: Plan,
  flags: ExistingFlags,
  { isRefused = false } = {},
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const creation of plan.changes) {
    const reads = creation.already !== undefined && (isRefused || readsFirst(context, plan, creation, flags));
    const found = reads ? await find(context, creation, flags.orUpdate ?? false) : undefined;
    const isTouched = found !== undefined && currentValuesOf(context).isTouchedEarlier(targetOf(found));
    // An earlier row may rename or remove it, so the server's refusal decides.
    if (isTouched) changes.push(inOrder(context, plan, creation, flags));
    else if (found) changes.push(...(await changesOf(context, plan, creation, found, flags)));
    else {
      if (!isRefused) await plan.existing?.warn?.();
      changes.push(context.line === undefined ? creation : withIdentity(context, plan, creation, flags));
    }
  }
  return changes;
}
