/** Profile fields: their kind, which nothing changes, and what there is to choose from. */
import { keyOfKnown, same } from "../canonical.ts";
import type { FieldChange, Known, Option } from "../difference.ts";
import type { Comparing } from "./comparing.ts";
import { comparedOptions } from "./options.ts";
import type { Pair } from "./pairing.ts";
import type { Thing } from "./present.ts";

/** What fields are when the plan is done. */
export interface FinalField {
  readonly name: string;
  readonly type: string | undefined;
  readonly options: readonly Option[];
}

/** Of each field, and for `complete` the options that no entry names. */
export class FieldOptions {
  readonly #all = new Map<number | string, FinalField>();
  readonly others: { readonly pair: Pair; readonly from: readonly Option[]; readonly others: readonly Option[] }[] = [];

  /** Fields that no entry changes stay as they are. */
  constructor(present: readonly Thing[]) {
    for (const { id, name, tell } of present)
      this.set(id!, {
        name,
        type: tell("type") as string | undefined,
        options: (tell("options") ?? []) as readonly Option[],
      });
  }

  set(field: Known, final: FinalField): void {
    this.#all.set(keyOfKnown(field), final);
  }

  of(field: Known): FinalField | undefined {
    return this.#all.get(keyOfKnown(field));
  }
}

const kinds: Readonly<Record<string, string>> = { options: "options", field_data: "account" };

interface Account {
  readonly name: string;
  readonly hint: string;
}

/** Accounts elsewhere that the server knows: it names and explains their fields itself, and for good. */
function known({ snapshot }: Comparing, data: unknown): Account | undefined {
  const { realm_default_external_accounts: all = {} } = snapshot.organization as {
    realm_default_external_accounts?: Readonly<Record<string, Account>>;
  };
  const { subtype } = (data ?? {}) as { subtype?: unknown };
  return Object.hasOwn(all, String(subtype)) ? all[String(subtype)] : undefined;
}

/** Whether what an entry says of such a field can be so; what cannot is told. */
function accountAccess(c: Comparing, { entry, path, thing, name }: Pair): boolean {
  const { findings } = c;
  const account = known(c, thing ? thing.tell("field_data") : entry.field_data);
  if (!account) return true;
  const is = thing ? { name: thing.name, hint: thing.tell("hint") } : account;
  const wish = { name, hint: entry.hint ?? is.hint };
  for (const member of ["name", "hint"] as const) {
    if (wish[member] === is[member]) continue;
    const says = `the server sets the ${member} "${is[member]}" for such a field`;
    if (!thing) findings.problem([...path, member], `${says}: no other value is possible`);
    else
      findings.refuse({
        section: "profile_fields",
        name,
        field: member,
        path: [...path, member],
        says: `cannot change its ${member}: ${says}`,
      });
    return false;
  }
  if (!thing || entry.field_data === undefined || same(thing.tell("field_data"), entry.field_data)) return true;
  const says = "is for accounts that the server knows, and cannot become another's";
  findings.refuse({ section: "profile_fields", name, field: "field_data", path: [...path, "field_data"], says });
  return false;
}

/** Undefined where it is certain that nothing can be done. */
export function fieldChanges(c: Comparing, pair: Pair, options: FieldOptions): FieldChange[] | undefined {
  const { entry, path, thing, name } = pair;
  const there = thing?.tell("type") as string | undefined;
  const type = there ?? (entry.type as string | undefined);
  const { findings } = c;
  if (thing && entry.type !== undefined && entry.type !== there)
    return findings.refuse({
      section: "profile_fields",
      name,
      field: "type",
      path: [...path, "type"],
      says: `is of the type ${there ?? "unknown here"}: changing the type would need a new field and lose people's values`,
    });
  for (const [member, kind] of Object.entries(kinds)) {
    const has = Object.hasOwn(entry, member);
    if (has && type !== kind) return findings.problem([...path, member], `only fields of type ${kind} have ${member}`);
    if (!has && !thing && type === kind)
      return findings.problem(path, `missing "${member}": required for a new field of type ${kind}`);
  }
  if (!accountAccess(c, pair)) return undefined;
  const changes: FieldChange[] = [];
  if (!thing) changes.push({ field: "type", to: entry.type });
  const from = (thing?.tell("options") ?? []) as readonly Option[];
  let final = from;
  if (Object.hasOwn(entry, "options")) {
    const compared = comparedOptions(entry.options as never, from, [...path, "options"], findings);
    if (!compared) return undefined;
    const { others } = compared;
    const kept = new Set(others.map(({ key }) => key));
    const pruned = compared.options.filter(({ key }) => !kept.has(key));
    const prunes = others.length > 0 && c.content.complete?.includes("profile_fields");
    final = prunes && c.prune ? pruned : compared.options;
    if (prunes && !c.prune) options.others.push({ pair, from: compared.options, others });
    if (!thing || !same(from, final)) changes.push({ field: "options", ...(thing && { from }), to: final });
  }
  if (Object.hasOwn(entry, "field_data") && !(thing && same(thing.tell("field_data"), entry.field_data)))
    changes.push({
      field: "field_data",
      ...(thing && { from: thing.tell("field_data") ?? null }),
      to: entry.field_data,
    });
  options.set(thing?.id ?? { new: name }, { name, type, options: final });
  return changes;
}
