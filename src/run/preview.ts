/** Reads the current state before changes: to show it, to skip unchanged parts, or to send it as the expected value. */
import type { GroupSetting, GroupSettingUpdate } from "../api/group-setting.ts";
import { formOf } from "../argv/flags.ts";
import { counted } from "../counted.ts";
import { asking, type Change, desiredMemberships, noChanges } from "../engine/change.ts";
import { Difference, Refused, Usage } from "../errors.ts";
import { write } from "../output/buffered-writer.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { type Desired, desiredOf, sameValue } from "../resolve/desired.ts";
import { inWords } from "../resolve/named.ts";
import { type Present, presentOf } from "../resolve/present.ts";
import { rostersOf } from "../resolve/rosters.ts";
import { type Call, call } from "../wire/call.ts";
import type { Param } from "../wire/params.ts";
import { type Conclusion, type Context, requests, showRequest } from "./context.ts";

/** Options about the current state. */
export interface PreviewFlags {
  diff?: boolean;
  exitCode?: boolean;
  ifChanged?: boolean;
}

interface Compared {
  change: Change;
  wishes: Desired;
  present: Present | undefined;
  /** The parameters whose values still differ. */
  differing: readonly string[];
}

/** The part of a change that is still needed. */
const left = ({ confirm, effects }: Change, differing: readonly string[]): Pick<Change, "confirm" | "effects"> => {
  if (!confirm || !effects) return confirm ? { confirm } : {};
  return asking(
    confirm.question,
    Object.fromEntries(Object.entries(effects).filter(([name]) => differing.includes(name))),
  );
};

const isNobody = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  ["direct_members", "direct_subgroups"].every((list) => (value as Record<string, unknown[]>)[list]?.length === 0);

async function compare(context: Context, change: Change, alone: boolean): Promise<Compared> {
  const wishes = new Map(desiredOf(change));
  const params: Readonly<Record<string, Param>> = change.operation.params;
  const present = await read(context, change, alone);
  for (const [name, value] of wishes)
    if (params[name]?.of === "who" && isNobody(value))
      wishes.set(name, await context.find.group("role:nobody", change.flags?.[name] ?? name));
  const there = present?.values ?? {};
  const differing = [...wishes.keys()].filter(
    (name) => there[name] === undefined || !sameValue(params[name]!, wishes.get(name), there[name]),
  );
  return { change, wishes, present, differing };
}

/** A batch row whose thing cannot be read is invalid. Other rows continue. */
async function read(context: Context, change: Change, alone: boolean): Promise<Present | undefined> {
  try {
    return await presentOf(context).of(change.operation, change.args, { alone });
  } catch (failure) {
    if (context.line === undefined || !(failure instanceof Refused)) throw failure;
    throw new Usage(`cannot read the current state of ${change.target}: ${failure.message}`);
  }
}

/** Adds the current value of permissions as the expected value. */
function expecting({ change, present }: Compared): Change {
  if (!change.expectCurrent) return change;
  const args: Record<string, unknown> = { ...change.args };
  for (const [name, { of }] of Object.entries<Param>(change.operation.params)) {
    const update = args[name] as GroupSettingUpdate | undefined;
    if (of !== "who" || update === undefined || update.old !== undefined) continue;
    const old = present?.values[name] as GroupSetting | undefined;
    if (old === undefined) throw new Usage(`--expect current: cannot read the current ${name} of ${change.target}`);
    args[name] = { ...update, old };
  }
  return { ...change, ...call(change.operation, args) };
}

/** Removes the unchanged parts of a change. */
function lessened(change: Change, { present, differing, wishes }: Compared): Change {
  if (!present) return change;
  const { operation, args, settings } = change;
  const out = [...wishes.keys()].filter((name) => !differing.includes(name));
  if (!out.length) return { ...change, ifChanged: true };
  const relies = out.some((name) => present.coming.has(name));
  const known = { ...change, asked: args, ifChanged: true, ...(relies && { relies }) };
  const { confirm: _, effects: __, ...unasked } = known;
  if (!differing.length) return { ...unasked, done: noChanges, unchanged: true };
  const params: Readonly<Record<string, Param>> = operation.params;
  const rest = Object.entries(args).filter(([name]) => !out.includes(name) || !params[name]?.optional);
  return {
    ...unasked,
    ...call(operation, Object.fromEntries(rest)),
    ...(settings && { settings: settings.filter(({ parameter }) => !out.includes(parameter)) }),
    ...left(change, differing),
  };
}

/** Reads the current values of the parameters. Path parameters only identify the thing. */
const fromOf = ({ args }: Call, wishes: Desired, { values }: Present): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(args).flatMap((name) =>
      wishes.has(name) && values[name] !== undefined ? [[name, values[name]] as const] : [],
    ),
  );

/** Formats old and new values, a line for each parameter. */
async function linesOf(context: Context, { change, wishes, present, differing }: Compared): Promise<string[]> {
  if (!present) return [`${change.target}: not found, or not visible`];
  const lines = [];
  for (const [name, wish] of wishes) {
    const of = change.operation.params[name]?.of;
    const own = change.settings?.find(({ parameter }) => parameter === name)?.inWords;
    const said = (value: unknown) =>
      value === undefined ? "not known" : own ? own(value) : inWords(context.find, of, value);
    const there = await said(present.values[name]);
    lines.push(differing.includes(name) ? `${name}: ${there} → ${await said(wish)}` : `${name}: ${there} (unchanged)`);
  }
  return lines;
}

/** Returns the named people who are already members. */
async function members(
  context: Context,
  change: Change,
): Promise<{ lines: string[]; differs: boolean; from: Record<string, number[]> }> {
  let differs = false;
  const from: Record<string, number[]> = {};
  const lines: string[] = [];
  const rosters = rostersOf(context);
  const asked = Object.entries(change.asked ?? change.args);
  for (const membership of desiredMemberships(change))
    for (const way of ["removed", "added"] as const) {
      const ids = membership[way];
      const name = asked.find(([, value]) => String(value) === String(ids) && Array.isArray(value))?.[0];
      if (!ids.length || name === undefined) continue;
      const roster = await rosters.of(membership);
      const there = ids.filter((id) => roster.has(id));
      const others = ids.filter((id) => !roster.has(id));
      const of = change.operation.params[name]?.of;
      from[name] = there;
      const [changed, unchanged] = way === "added" ? [others, there] : [there, others];
      const [what, otherwise] = way === "added" ? ["new", "there already"] : ["there", "not there"];
      if (changed.length) differs = true;
      const parts = [];
      if (changed.length) parts.push(`${await inWords(context.find, of, changed)} ${what}`);
      if (unchanged.length) parts.push(`${await inWords(context.find, of, unchanged)} ${otherwise}`);
      lines.push(`${membership.flags[way].replace(/^--/, "")}: ${parts.join(", ")}`);
    }
  return { lines, differs, from };
}

/** Replaces ids in permissions and folders by names. */
async function learnNames({ find }: Context, compared: readonly Compared[]): Promise<void> {
  const kinds = new Set<"channel" | "group" | "folder">();
  for (const { change, wishes } of compared)
    for (const name of wishes.keys()) {
      const of = change.operation.params[name]?.of;
      if (of === "who" || of === "group") kinds.add("group");
      if (of === "channel" || of === "folder") kinds.add(of);
    }
  for (const kind of kinds)
    await find.callsAll(kind).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
}

/** Adds the name of the thing to lines, if there are several things. */
function placed(
  { line }: Context,
  { target, operation }: Change,
  lines: readonly string[],
  several: boolean,
): string[] {
  const where = line === undefined ? "" : `line ${line}: `;
  // The organization itself needs no name.
  const among = !operation.before || operation.before.among;
  const whose = among && (where || several) ? `${target}: ` : "";
  return lines.map((each) => `${where}${whose}${each}`);
}

/** Returns the changes after reading the current state. */
export async function preview(
  context: Context,
  changes: readonly Change[],
  { diff, ifChanged, exitCode = false }: PreviewFlags,
): Promise<Change[]> {
  const alone = changes.length === 1 && context.line === undefined;
  const shown = (change: Change, lines: readonly string[], differs: boolean) => ({
    diff: { lines: placed(context, change, lines, changes.length > 1), differs, exitCode },
  });
  const looked = [];
  for (const change of changes) {
    const onlyDiffering = ifChanged || change.ifChanged;
    const wants = diff || onlyDiffering || change.expectCurrent;
    if (wants && change.operation.before) {
      const compared = await compare(context, change, alone);
      const expected = expecting(compared);
      const left = onlyDiffering ? lessened(expected, compared) : expected;
      const before = compared.present && fromOf(left, compared.wishes, compared.present);
      if (diff && !compared.present && context.line === undefined)
        throw new Refused(`${change.target} not found, or not visible to ${(await context.server()).email}`);
      if (diff) await learnNames(context, [compared]);
      looked.push({
        ...left,
        ...(before && { before, ...(diff && { from: before }) }),
        ...(diff && shown(change, await linesOf(context, compared), compared.differing.length > 0)),
      });
    } else if (diff && change.operation.memberships) {
      const { lines, differs, from } = await members(context, change);
      looked.push({ ...change, before: from, from, ...shown(change, lines, differs) });
    } else looked.push({ ...change, ...(diff && shown(change, [`${change.target} cannot be compared`], true)) });
  }
  return looked;
}

/** Returns old and new values for the question. Empty if the server refuses the read. */
export async function differencesOf(context: Context, changes: readonly Change[]): Promise<string[]> {
  const all: string[] = [];
  for (const change of changes) {
    try {
      const compared = await compare(context, change, changes.length === 1);
      await learnNames(context, [compared]);
      if (compared.present) all.push(...placed(context, change, await linesOf(context, compared), changes.length > 1));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return all;
}

/** Returns whether a dry run prints records. */
export const asRecords = ({ flags }: Pick<Context, "flags">): boolean =>
  ["json", "ndjson", "yaml", "none"].includes(formOf(flags));

/** Returns the failure for the number of differences. */
export const differing = (count: number): Difference | undefined =>
  count ? new Difference(`${counted(count, "change")} would be made`) : undefined;

export async function printDiff({ world }: Pick<Context, "world">, changes: readonly Change[]): Promise<void> {
  for (const line of changes.flatMap(({ diff }) => diff?.lines ?? []))
    await write(world.stdout, `${sanitizeLine(line)}\n`);
}

export async function showDiff(context: Context, changes: readonly Change[]): Promise<Conclusion | undefined> {
  const failure = differing(changes.filter(({ diff }) => diff?.exitCode && diff.differs).length);
  if (asRecords(context)) {
    const server = await context.server();
    const left = changes.filter(({ unchanged }) => !unchanged);
    return { ...requests(await Promise.all(left.map((each) => showRequest(server, each, context.find)))), failure };
  }
  await printDiff(context, changes);
  return failure && { kind: "ended", failure };
}
