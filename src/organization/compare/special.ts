/** Compares what is special of profile fields, people and bots. */
import { shortNameOf } from "../../api/bots.ts";
import { keyOfId, same } from "../canonical.ts";
import { isEntry, type Path } from "../content.ts";
import { type Difference, type FieldChange, type Option, optionsOf } from "../difference.ts";
import { longTextInSummary, matchingTypes, profileValue } from "../sections/profile-fields.ts";
import { organizationSetting } from "../snapshot.ts";
import type { ComparisonState, FinalField } from "./context.ts";
import { type Findings, suggestion } from "./findings.ts";
import type { Pair } from "./match.ts";

/** Puts the listed items in their new order, into the places that they have among all. */
export function reorderListed<T>(all: readonly T[], listed: readonly T[]): T[] {
  const places = new Set(listed);
  const next = listed[Symbol.iterator]();
  return all.map((each) => (places.has(each) ? (next.next().value ?? each) : each));
}

/** Returns the new options, and the options that the file does not list. Undefined after a problem. */
function compareOptions(entries: unknown, from: readonly Option[], path: Path, findings: Findings) {
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const desired = all.map((each) => (isEntry(each) ? each : { name: each, was: undefined }));
  const byText = new Map<unknown, Option>(from.map((option) => [option.text, option]));
  // A new key must be unused, because people's values are keys.
  let next = Math.max(-1, ...from.map(({ key }) => (/^\d{1,15}$/.test(key) ? Number(key) : -1))) + 1;
  const claimed = new Set<Option | undefined>();
  const listed: Option[] = [];
  for (const [n, { name, was }] of desired.entries()) {
    const [option, old] = [byText.get(name), byText.get(was)];
    const at = [...path, n, "was"];
    if (!option && old && desired.some((other) => other.name === was))
      return findings.problem(at, `"${was}" is also another option of this list`);
    if (option && old) findings.notice(`option "${name}" exists, and so does "${was}": "was" is ignored`, at);
    claimed.add(option).add(old);
    listed.push({ key: (option ?? old)?.key ?? String(next++), text: String(name) });
  }
  const renamed = new Map(listed.map((option) => [option.key, option]));
  const after = from.map((option) => renamed.get(option.key) ?? option);
  const added = listed.filter(({ key }) => !from.some((option) => option.key === key));
  return {
    options: reorderListed([...after, ...added], listed),
    unlisted: from.filter((option) => !claimed.has(option)),
  };
}

const attributeOfType = { options: "options", field_data: "account" };

/** Returns the changes of a profile field that `fields.ts` does not compare. Undefined after a problem. */
export function profileFieldChanges(c: ComparisonState, { entry, path, thing, name }: Pair): FieldChange[] | undefined {
  const { findings } = c;
  const current = thing?.read("type");
  const type = thing ? current : entry.type;
  if (thing && entry.type !== undefined && entry.type !== current) {
    const says = `is of the type ${current ?? "unknown here"}: changing the type would need a new field and lose people's values`;
    return findings.refuse({ section: "profile_fields", name, field: "type", path: [...path, "type"], says });
  }
  for (const [member, needed] of Object.entries(attributeOfType)) {
    const has = Object.hasOwn(entry, member);
    if (has && type !== needed)
      return findings.problem([...path, member], `only fields of type ${needed} have ${member}`);
    if (!has && !thing && type === needed)
      return findings.problem(path, `missing "${member}": required for a new field of type ${needed}`);
  }
  if (entry.use_for_user_matching === true && !matchingTypes.includes(type))
    return findings.problem(
      [...path, "use_for_user_matching"],
      `only fields of type ${matchingTypes.join(" and ")} can be used for it`,
    );
  const level = c.snapshot.feature_level;
  if (entry.display_in_profile_summary === true && type === "long_text" && level < longTextInSummary) {
    const field = "display_in_profile_summary";
    const says = `${field} of a long text requires feature level ${longTextInSummary}; this server has level ${level}`;
    return findings.refuse({
      section: "profile_fields",
      name,
      path: [...path, field],
      field,
      needs: longTextInSummary,
      says,
    });
  }
  const changes: FieldChange[] = thing ? [] : [{ field: "type", to: entry.type }];
  const from = optionsOf(thing?.read("options"));
  let final = from;
  if (Object.hasOwn(entry, "options")) {
    const compared = compareOptions(entry.options, from, [...path, "options"], findings);
    if (!compared) return undefined;
    const { options, unlisted } = compared;
    const pruned = options.filter(({ key }) => !unlisted.some((option) => option.key === key));
    const isComplete = unlisted.length > 0 && c.content.complete?.includes("profile_fields");
    final = isComplete && c.prune ? pruned : options;
    if (isComplete && !c.prune && thing?.id !== undefined) {
      const fields = [{ field: "options", from: options, to: pruned }];
      c.unlistedOptions.push({ section: "profile_fields", name, id: thing.id, action: "update", fields, prune: true });
    }
    if (!thing || !same(from, final)) changes.push({ field: "options", ...(thing && { from }), to: final });
  }
  const data = thing?.read("field_data");
  if (Object.hasOwn(entry, "field_data") && !same(data, entry.field_data))
    changes.push({ field: "field_data", ...(thing && { from: data ?? null }), to: entry.field_data });
  c.fields.set(thing?.id ?? name, { name, type, options: final });
  return changes;
}

/** Returns the canonical value of a profile field. Undefined after a problem. */
function valueIn(c: ComparisonState, { name, type, options }: FinalField, value: unknown, path: Path, from: unknown) {
  const report = (says: string) => c.findings.problem(path, `"${name}" ${says}`);
  if (value === null || value === "") return null;
  if (type === "people") {
    if (!Array.isArray(value)) return report("holds people: must be a list");
    const ids = c.values.people({ value, path, from, showsDeactivated: true });
    return ids.length ? ids : null;
  }
  if (typeof value !== "string") return report("does not hold people: must be text");
  if (type !== "options") return value;
  const option = options.find(({ text }) => text === value);
  const texts = options.map(({ text }) => text);
  return option?.key ?? report(`has no option "${value}"${suggestion(value, texts)}`);
}

/** Returns the changes of a person that `fields.ts` does not compare. Undefined after a problem. */
export function personChanges(
  c: ComparisonState,
  { thing, entry, path, name, archives }: Pair,
): FieldChange[] | undefined {
  const role = thing?.read("role");
  const desired = entry.role ?? role;
  const refuse = (field: string, what: string) =>
    c.findings.refuse({ section: "people", name, path, field, says: `permission denied: only owners can ${what}` });
  if (!c.owner && role !== desired && (role === "owner" || desired === "owner"))
    return refuse("role", "give or take the role owner");
  if (!c.owner && role === "owner" && archives !== undefined && archives !== thing?.archived)
    return refuse("active", "deactivate or reactivate owners");
  const profile = c.everybody.get(thing?.id ?? 0)?.profile_data ?? {};
  const changes: FieldChange[] = [];
  for (const [text, value] of Object.entries(isEntry(entry.profile) ? entry.profile : {})) {
    const at = [...path, "profile", text];
    // Profile fields cannot be archived.
    const field = c.values.thing("profile_fields", text, at, "leaving");
    const final = field === undefined ? undefined : c.fields.get(keyOfId(field));
    if (field === undefined || !final) continue;
    if (changes.some(({ of }) => same(of?.field, field))) {
      c.findings.problem(at, `"${final.name}" appears twice`);
      continue;
    }
    const from = typeof field === "number" ? profileValue(final.type, profile[field]?.value) : null;
    const to = valueIn(c, final, value, at, from);
    if (to !== undefined && !same(from, to))
      changes.push({ field: "profile", of: { field, name: final.name }, from, to });
  }
  return changes;
}

/** Returns the invitation of a new person. All lists that name them must be compared before. */
export function invitation(c: ComparisonState, { entry, path, name, key, archives }: Pair): Difference[] {
  const { findings, values, everybody } = c;
  if (typeof entry.id === "number" || archives) return [];
  if (entry.invite !== true) {
    const isBot = [...everybody.values()].some(({ is_bot, email }) => is_bot && email.toLowerCase() === key);
    const all = c.pairings.people.things.map((person) => person.name);
    const hint = suggestion(name, all) || `${values.hiddenAddresses}; add "invite: true" to invite them`;
    const missing = `no person with the e-mail address ${name}${hint}`;
    findings.problem([...path, "email"], isBot ? `${name} is a bot: list it in "bots"` : missing);
    return [];
  }
  if (entry.profile !== undefined || entry.full_name !== undefined)
    findings.notice(`the profile and name of ${name} can be set after they join`, path);
  if (c.snapshot.invites.some(({ email }) => email?.toLowerCase() === key)) {
    findings.notice(`${name} has a pending invitation`, path);
    return [];
  }
  if (entry.role === "owner" && !c.owner) {
    const says = "permission denied: only owners can invite owners";
    findings.refuse({ section: "people", name, field: "role", path, says });
    return [];
  }
  findings.notice(`${name} is invited: plan again after they join`, path);
  const to = { email: name, ...(entry.role !== undefined && { role: entry.role }), ...values.invited.get(key) };
  return [{ section: "people", name, action: "invite", to }];
}

/** Returns why the server cannot create the bot. Undefined if it can. */
function obstacle(c: ComparisonState, { entry, name }: Pair): string | undefined {
  const { kind = "generic", payload_url } = entry;
  const domain = organizationSetting(c.snapshot, "bot_domain");
  const short = shortNameOf(name);
  if (
    short === undefined ||
    (typeof domain === "string" && name.toLowerCase() !== `${short}-bot@${domain}`.toLowerCase())
  )
    return `no bot with the address ${name}: a new one has the form <short name>-bot@${domain ?? "<domain>"}`;
  if (kind === "embedded") return "files cannot create embedded bots";
  if ((kind === "outgoing-webhook") === (payload_url === undefined))
    return kind === "outgoing-webhook"
      ? 'missing "payload_url": required for a new outgoing webhook'
      : '"payload_url" requires "kind: outgoing-webhook"';
  return undefined;
}

/** Returns the owner after the plan. Undefined after a problem. */
function finalOwner(c: ComparisonState, { entry, path, thing, archives }: Pair, from: number | null) {
  const at = [...path, "owner"];
  const { findings, everybody } = c;
  const { deactivated, person } = c.values;
  const found = entry.owner === undefined ? undefined : person(String(entry.owner), at);
  if (entry.owner !== undefined && !found) return undefined;
  if (found && "invited" in found) {
    findings.notice(`${found.invited} can be the owner of bots after they join`, at);
    return from;
  }
  if (found?.is_bot) return findings.problem(at, `${found.full_name} is a bot: bots cannot own bots`);
  const owner = found?.user_id ?? from;
  const byFile = owner === null ? undefined : deactivated.get(owner);
  const isRestored = thing?.archived === true && archives === false;
  const isActive = isRestored || (!thing?.archived && archives !== true);
  // Deactivating a person deactivates their bots. A restored bot without an owner goes to the caller.
  if (byFile === undefined || !(owner !== from || isRestored || (byFile && isActive))) return owner;
  const who = everybody.get(owner ?? 0)?.full_name;
  return findings.problem(entry.owner === undefined ? path : at, `the owner ${who} is deactivated: name another owner`);
}

/** Returns the changes of a bot that `fields.ts` does not compare. Undefined after a problem. */
export function botChanges(c: ComparisonState, pair: Pair): FieldChange[] | undefined {
  const { entry, path, name, thing } = pair;
  const kind = thing?.read("kind");
  if (thing && entry.kind !== undefined && entry.kind !== kind) {
    const says = `is of the kind ${kind ?? "unknown here"}: the kind of a bot cannot be changed`;
    return c.findings.refuse({ section: "bots", name, field: "kind", path: [...path, "kind"], says });
  }
  const problem = thing ? undefined : obstacle(c, pair);
  if (problem !== undefined) return c.findings.problem(path, problem);
  const from = c.everybody.get(thing?.id ?? 0)?.bot_owner_id ?? null;
  const to = finalOwner(c, pair, from);
  if (to === undefined) return undefined;
  if (thing) return to === from ? [] : [{ field: "owner", from, to }];
  return [{ field: "email", to: name }, ...(to === null ? [] : [{ field: "owner", to }])];
}
