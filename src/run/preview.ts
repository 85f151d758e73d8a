/** Reads the current state before changes: to show it, to skip unchanged parts, or to send it as the expected value. */

import { outputForm } from "../argv/global-flags.ts";
import { counted } from "../common/counted.ts";
import { membersOf } from "../common/object-members.ts";
import { type Change, desiredMemberships } from "../engine/change.ts";
import { DifferenceFailure, Refused, Usage } from "../errors.ts";
import { fieldLabel } from "../model/field.ts";
import { whoIn } from "../model/permission.ts";
import { write } from "../output/buffered-writer.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { type CurrentRecord, currentValuesOf } from "../resolve/current-values.ts";
import { type Desired, desiredOf, differingIn } from "../resolve/desired.ts";
import { fieldWords } from "../resolve/field-words.ts";
import { kindsNamed } from "../resolve/look-ups.ts";
import { memberListsOf } from "../resolve/member-lists.ts";
import { valueText } from "../resolve/parameter-texts.ts";
import { argumentsOf, type Call, call, fieldOf, paramOf } from "../wire/call.ts";
import type { Param } from "../wire/params.ts";
import { type Conclusion, type Context, requests, showRequest } from "./context.ts";
import { impliedLines } from "./implied.ts";

/** Options about the current state. */
export interface PreviewFlags {
  diff?: boolean;
  exitCode?: boolean;
  ifChanged?: boolean;
}

interface ComparedChange {
  change: Change;
  desired: Desired;
  present: CurrentRecord | undefined;
  /** The parameters with another value now. */
  differing: readonly string[];
}

function isNobody(value: unknown): boolean {
  return Object.values(whoIn(value)).every((list) => !list.length);
}

async function compare(context: Context, change: Change, single: boolean): Promise<ComparedChange> {
  const desired = new Map(desiredOf(change));
  const present = await read(context, change, single);
  for (const [name, value] of desired)
    if (paramOf(change.operation, name, value)?.of === "who" && isNobody(value))
      desired.set(name, await context.names.group("role:nobody", change.flags?.[name] ?? name));
  const current = present?.values ?? {};
  const differing = differingIn(change.operation, desired, current);
  return { change, desired, present, differing };
}

/** In a batch, a row with something that cannot be read is invalid. Other rows continue. */
async function read(context: Context, change: Change, single: boolean): Promise<CurrentRecord | undefined> {
  try {
    return await currentValuesOf(context).of(change.operation, change.args, { alone: single });
  } catch (failure) {
    if (context.line === undefined || !(failure instanceof Refused)) throw failure;
    throw new Usage(`cannot read the current state of ${change.target}: ${failure.message}`);
  }
}

/** Adds the current value of permissions as the expected value. */
function withExpectedValues({ change, present }: ComparedChange): Change {
  if (!change.expectCurrent) return change;
  const args: Record<string, unknown> = { ...change.args };
  for (const [name, { of }] of argumentsOf(change)) {
    const update = membersOf(args[name]);
    if (of !== "who" || update.new === undefined || update.old !== undefined) continue;
    const old = present?.values[name];
    if (old === undefined) throw new Usage(`--expect current: cannot read the current ${name} of ${change.target}`);
    args[name] = { ...update, old };
  }
  return { ...change, ...call(change.operation, args) };
}

/** Removes the unchanged parts of a change. */
function withoutUnchanged(change: Change, { present, differing, desired }: ComparedChange): Change {
  if (!present) return change;
  const unchanged = [...desired.keys()].filter((name) => !differing.includes(name));
  if (!unchanged.length) return { ...change, ifChanged: true };
  const { operation, args, settings, changed } = change;
  const reliesOnEarlier = unchanged.some((name) => present.setEarlier.has(name));
  const compared = { ...change, desiredArgs: args, ifChanged: true, ...(reliesOnEarlier && { reliesOnEarlier }) };
  if (!differing.length) return { ...compared, confirm: undefined, unchanged: true };
  const params: Readonly<Record<string, Param>> = operation.params;
  const keeps = ([name]: [string, unknown]) => !unchanged.includes(name) || !params[name]?.optional;
  return {
    ...compared,
    ...call(operation, Object.fromEntries(Object.entries(args).filter(keeps))),
    ...(settings && { settings: settings.filter(({ parameter }) => !unchanged.includes(parameter)) }),
    ...(changed && { changed: changed.filter(({ parameter }) => !unchanged.includes(parameter)) }),
  };
}

/** Reads the current values of the parameters. Path parameters only identify the thing. */
const currentValuesIn = ({ args }: Call, desired: Desired, { values }: CurrentRecord): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(args).flatMap((name) =>
      desired.has(name) && values[name] !== undefined ? [[name, values[name]] as const] : [],
    ),
  );

/** Formats old and new values, a line for each parameter. */
async function linesOf(context: Context, compared: ComparedChange): Promise<string[]> {
  const { change, desired, present, differing } = compared;
  if (!present) return [`${change.target}: not found, or not visible`];
  await loadNames(context, compared);
  const lines = [];
  for (const [name, value] of desired) {
    const field = fieldOf(change.operation, name, change.args[name]);
    const inWords = async (value: unknown) =>
      value === undefined ? "not known" : fieldWords(context.names, field, value, { registered: present.read });
    const there = `${fieldLabel(name)}: ${await inWords(present.values[name])}`;
    lines.push(differing.includes(name) ? `${there} → ${await inWords(value)}` : `${there} (unchanged)`);
  }
  return lines;
}

/** Compares lists of members with the current ones. */
async function compareMembers(
  context: Context,
  change: Change,
): Promise<{ lines: string[]; differs: boolean; from: Record<string, number[]> }> {
  let differs = false;
  const from: Record<string, number[]> = {};
  const lines: string[] = [];
  const memberLists = memberListsOf(context);
  const args = Object.entries(change.desiredArgs ?? change.args);
  for (const membership of desiredMemberships(change))
    for (const direction of ["removed", "added"] as const) {
      const ids = membership[direction];
      const name = args.find(([, value]) => String(value) === String(ids) && Array.isArray(value))?.[0];
      if (!ids.length || name === undefined) continue;
      const current = await memberLists.of(membership);
      const there = ids.filter((id) => current.has(id));
      const others = ids.filter((id) => !current.has(id));
      const of = change.operation.params[name]?.of;
      from[name] = there;
      const [changed, unchanged] = direction === "added" ? [others, there] : [there, others];
      const [what, otherwise] = direction === "added" ? ["new", "there already"] : ["there", "not there"];
      if (changed.length) differs = true;
      const parts = [];
      if (changed.length) parts.push(`${await valueText(context.names, of, changed)} ${what}`);
      if (unchanged.length) parts.push(`${await valueText(context.names, of, unchanged)} ${otherwise}`);
      lines.push(`${membership.flags[direction].replace(/^--/, "")}: ${parts.join(", ")}`);
    }
  return { lines, differs, from };
}

/** Looks up the names of people and things in the values. */
async function loadNames({ names }: Context, { change, desired, present }: ComparedChange): Promise<void> {
  const kinds = [...desired].flatMap(([name, value]) => {
    const of = paramOf(change.operation, name, change.args[name])?.of;
    const hasPeople = [value, present?.values[name]].some((who) => whoIn(who).direct_members.length);
    return kindsNamed(of).filter((kind) => kind !== "user" || of === "user" || hasPeople);
  });
  for (const kind of new Set(kinds))
    await names.nameLookup(kind).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
}

/** Adds the line of the batch, and the name of the thing if there are several. */
function labeled(
  { line }: Context,
  { target, operation }: Change,
  lines: readonly string[],
  several: boolean,
): string[] {
  const where = line === undefined ? "" : `line ${line}: `;
  // The organization itself needs no name.
  const among = !operation.before || operation.before.inList;
  const owner = among && (where || several) ? `${target}: ` : "";
  return lines.map((each) => `${where}${owner}${each}`);
}

/** Returns the changes after reading the current state. */
export async function preview(
  context: Context,
  changes: readonly Change[],
  { diff, ifChanged, exitCode = false }: PreviewFlags,
): Promise<Change[]> {
  const single = changes.length === 1 && context.line === undefined;
  const shown = (change: Change, lines: readonly string[], differs: boolean) => ({
    diff: { lines: labeled(context, change, lines, changes.length > 1), differs, exitCode },
  });
  const previewed = [];
  for (const change of changes) {
    const onlyDiffering = ifChanged || change.ifChanged;
    const wants = diff || onlyDiffering || change.expectCurrent;
    if (wants && change.operation.before) {
      const compared = await compare(context, change, single);
      const expected = withExpectedValues(compared);
      const reduced = onlyDiffering ? withoutUnchanged(expected, compared) : expected;
      const before = compared.present && currentValuesIn(reduced, compared.desired, compared.present);
      if (diff && !compared.present && context.line === undefined)
        throw new Refused(`${change.target} not found, or not visible to ${(await context.server()).email}`);
      const implied = diff ? await impliedLines(context, reduced) : [];
      const differs = compared.differing.length + implied.length > 0;
      previewed.push({
        ...reduced,
        ...(before && { before, ...(diff && { from: before }) }),
        ...(diff && shown(change, [...(await linesOf(context, compared)), ...implied], differs)),
      });
    } else if (diff && change.operation.memberships) {
      const { lines, differs, from } = await compareMembers(context, change);
      previewed.push({ ...change, before: from, from, ...shown(change, lines, differs) });
    } else previewed.push({ ...change, ...(diff && shown(change, [`${change.target} cannot be compared`], true)) });
  }
  return previewed;
}

/** Returns old and new values for the question. Empty if the server refuses the read. */
export async function differenceLines(context: Context, changes: readonly Change[]): Promise<string[]> {
  const all: string[] = [];
  for (const change of changes) {
    try {
      const compared = await compare(context, change, changes.length === 1);
      if (compared.present) all.push(...labeled(context, change, await linesOf(context, compared), changes.length > 1));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return all;
}

/** Returns whether a dry run prints records. */
export const asRecords = ({ flags }: Pick<Context, "flags">): boolean =>
  ["json", "ndjson", "yaml", "none"].includes(outputForm(flags));

/** Returns the failure for the number of differences. */
export const differenceFailure = (count: number): DifferenceFailure | undefined =>
  count ? new DifferenceFailure(`${counted(count, "change")} would be made`) : undefined;

export async function printDiff({ world, label }: Context, changes: readonly Change[]): Promise<void> {
  const prefix = label === undefined ? "" : `${label}: `;
  for (const line of changes.flatMap(({ diff }) => diff?.lines ?? []))
    await write(world.stdout, `${sanitizeLine(prefix + line)}\n`);
}

export async function showDiff(context: Context, changes: readonly Change[]): Promise<Conclusion | undefined> {
  const failure = differenceFailure(changes.filter(({ diff }) => diff?.exitCode && diff.differs).length);
  if (asRecords(context)) {
    const server = await context.server();
    const rest = changes.filter(({ unchanged }) => !unchanged);
    return { ...requests(await Promise.all(rest.map((each) => showRequest(server, each, context.names)))), failure };
  }
  await printDiff(context, changes);
  return failure && { kind: "ended", failure };
}
