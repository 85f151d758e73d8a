/** Profile fields: their type, which cannot change, and their options. People's values are keys of options, which stay. */
import * as v from "valibot";
import { same } from "../canonical.ts";
import type { Path } from "../content.ts";
import { type FieldChange, type Option, optionsOf } from "../difference.ts";
import type { Comparing } from "./context.ts";
import type { Findings } from "./findings.ts";
import type { Pair } from "./match.ts";

/** Those listed share out the places that they hold among all. */
export function arranged<T>(all: readonly T[], listed: readonly T[]): T[] {
  const places = new Set(listed);
  const next = listed[Symbol.iterator]();
  return all.map((each) => (places.has(each) ? (next.next().value ?? each) : each));
}

type Listed = string | { readonly name: string; readonly was?: string };

/** A key that no option has had as far as can be seen. */
function* newKeys(options: readonly Option[]): Generator<string> {
  const numbers = options.map(({ key }) => (/^\d{1,15}$/.test(key) ? Number(key) : -1));
  for (let next = Math.max(-1, ...numbers) + 1; ; next++) yield String(next);
}

/** What the options are to be, and those that the file does not name. Undefined where that is not certain. */
function comparedOptions(all: readonly Listed[], from: readonly Option[], path: Path, findings: Findings) {
  const desired = all.map((each) => (typeof each === "string" ? { name: each, was: undefined } : each));
  const texts = new Set<string | undefined>(desired.map(({ name }) => name));
  const byText = new Map<string | undefined, Option>(from.map((option) => [option.text, option]));
  const keys = newKeys(from);
  const named = new Set<Option | undefined>();
  const listed: Option[] = [];
  for (const [n, { name, was }] of desired.entries()) {
    const [option, old] = [byText.get(name), byText.get(was)];
    const at = [...path, n, "was"];
    if (!option && old && texts.has(was)) return findings.problem(at, `"${was}" is also another option of this list`);
    if (option && old) findings.notice(`option "${name}" exists, and so does "${was}": "was" is ignored`, at);
    named.add(option).add(old);
    listed.push({ key: (option ?? old)?.key ?? String(keys.next().value), text: name });
  }
  const renamed = new Map(listed.map((option) => [option.key, option]));
  const now = from.map((option) => renamed.get(option.key) ?? option);
  const made = listed.filter(({ key }) => !from.some((option) => option.key === key));
  return { options: arranged([...now, ...made], listed), unlisted: from.filter((option) => !named.has(option)) };
}

const types: Readonly<Record<string, string>> = { options: "options", field_data: "account" };

const accounts = v.record(v.string(), v.object({ name: v.string(), hint: v.string() }));

/** Accounts elsewhere that the server knows: it names and explains their fields itself, and for good. */
function knownAccount({ snapshot }: Comparing, data: unknown) {
  const known = v.safeParse(accounts, Reflect.get(snapshot.organization, "realm_default_external_accounts"));
  return known.success ? known.output[String(Object(data).subtype)] : undefined;
}

/** Whether what an entry says of a field for accounts can be so; what cannot is a finding. */
function isAccountPossible(c: Comparing, { entry, path, thing, name }: Pair): boolean {
  const { findings } = c;
  const now = thing?.read("field_data");
  const account = knownAccount(c, thing ? now : entry.field_data);
  if (!account) return true;
  const refuse = (field: string, says: string) =>
    findings.refuse({ section: "profile_fields", name, field, path: [...path, field], says });
  const fixed = thing ? { name: thing.name, hint: thing.read("hint") } : account;
  const desired = { name, hint: entry.hint ?? fixed.hint };
  for (const member of ["name", "hint"] as const) {
    if (desired[member] === fixed[member]) continue;
    const says = `the server sets the ${member} "${fixed[member]}" for such a field`;
    if (thing) refuse(member, `cannot change its ${member}: ${says}`);
    else findings.problem([...path, member], `${says}: no other value is possible`);
    return false;
  }
  if (!thing || entry.field_data === undefined || same(now, entry.field_data)) return true;
  refuse("field_data", "is for accounts that the server knows, and cannot become another's");
  return false;
}

/** Undefined where it is certain that nothing can be done. */
export function fieldChanges(c: Comparing, pair: Pair): FieldChange[] | undefined {
  const { entry, path, thing, name } = pair;
  const { findings } = c;
  const now = thing?.read("type");
  const type = thing ? now : entry.type;
  if (thing && entry.type !== undefined && entry.type !== now) {
    const says = `is of the type ${now ?? "unknown here"}: changing the type would need a new field and lose people's values`;
    return findings.refuse({ section: "profile_fields", name, field: "type", path: [...path, "type"], says });
  }
  for (const [member, needed] of Object.entries(types)) {
    const has = Object.hasOwn(entry, member);
    if (has && type !== needed)
      return findings.problem([...path, member], `only fields of type ${needed} have ${member}`);
    if (!has && !thing && type === needed)
      return findings.problem(path, `missing "${member}": required for a new field of type ${needed}`);
  }
  if (!isAccountPossible(c, pair)) return undefined;
  const changes: FieldChange[] = thing ? [] : [{ field: "type", to: entry.type }];
  const from = optionsOf(thing?.read("options"));
  let final = from;
  if (Object.hasOwn(entry, "options")) {
    const compared = comparedOptions(entry.options as Listed[], from, [...path, "options"], findings);
    if (!compared) return undefined;
    const { options, unlisted } = compared;
    const keys = new Set(unlisted.map(({ key }) => key));
    const pruned = options.filter(({ key }) => !keys.has(key));
    const isComplete = unlisted.length > 0 && c.content.complete?.includes("profile_fields");
    final = isComplete && c.prune ? pruned : options;
    if (isComplete && !c.prune && thing?.id !== undefined)
      c.unlistedOptions.push({
        section: "profile_fields",
        name,
        id: thing.id,
        action: "update",
        fields: [{ field: "options", from: options, to: pruned }],
        prune: true,
      });
    if (!thing || !same(from, final)) changes.push({ field: "options", ...(thing && { from }), to: final });
  }
  const data = thing?.read("field_data");
  if (Object.hasOwn(entry, "field_data") && !same(data, entry.field_data))
    changes.push({ field: "field_data", ...(thing && { from: data ?? null }), to: entry.field_data });
  c.fields.set(thing?.id ?? name, { name, type, options: final });
  return changes;
}
