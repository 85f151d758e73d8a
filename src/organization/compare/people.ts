/** People: their profiles, their roles, and those who are to be invited. */
import { keyOfKnown, same } from "../canonical.ts";
import { isEntry, type Path } from "../content.ts";
import type { Difference, FieldChange } from "../difference.ts";
import { peopleIn as idsIn } from "../sections/field-data.ts";
import type { Comparing, FinalField } from "./context.ts";
import { suggestion } from "./findings.ts";
import { archives, type Pair } from "./match.ts";
import { peopleIn } from "./values.ts";

/** The canonical value that the file gives; undefined where it is none for such a field, which is a problem. */
function valueIn(c: Comparing, { name, type, options }: FinalField, value: unknown, path: Path, from: unknown) {
  if (value === null || value === "") return null;
  if (type === "people") {
    if (!Array.isArray(value)) return c.findings.problem(path, `"${name}" holds people: must be a list`);
    const ids = peopleIn(c, { value, path, from, shown: true });
    return ids && (ids.length ? ids : null);
  }
  if (typeof value !== "string") return c.findings.problem(path, `"${name}" does not hold people: must be text`);
  if (type !== "options") return value;
  const texts = options.map(({ text }) => text);
  const option = options.find(({ text }) => text === value);
  return option?.key ?? c.findings.problem(path, `"${name}" has no option "${value}"${suggestion(value, texts)}`);
}

function profileChanges(c: Comparing, { entry, path, thing }: Pair): FieldChange[] {
  const profile = c.everybody.get(thing?.id ?? 0)?.profile_data ?? {};
  const changes: FieldChange[] = [];
  for (const [text, value] of Object.entries(isEntry(entry.profile) ? entry.profile : {})) {
    const at = [...path, "profile", text];
    // No field is ever archived.
    const field = c.references.thing("profile_fields", text, at, "leaving");
    const final = field === undefined ? undefined : c.fields.get(keyOfKnown(field));
    if (field === undefined || !final) continue;
    if (changes.some(({ of }) => same(of?.field, field))) {
      c.findings.problem(at, `"${final.name}" appears twice`);
      continue;
    }
    const now = typeof field === "number" ? profile[field]?.value || null : null;
    const from = final.type === "people" ? (idsIn(now)?.sort((a, b) => a - b) ?? null) : now;
    const to = valueIn(c, final, value, at, from);
    if (to !== undefined && !same(from, to))
      changes.push({ field: "profile", of: { field, name: final.name }, from, to });
  }
  return changes;
}

/** What differs of a person besides attributes. Undefined where it is certain that nothing can be done. */
export function personChanges(c: Comparing, pair: Pair): FieldChange[] | undefined {
  const { thing, entry, path, name } = pair;
  const role = thing?.read("role");
  const desired = entry.role ?? role;
  const refuse = (field: string, what: string) =>
    c.findings.refuse({ section: "people", name, path, field, says: `permission denied: only owners can ${what}` });
  if (!c.owner && role !== desired && (role === "owner" || desired === "owner"))
    return refuse("role", "give or take the role owner");
  const deactivates = archives("people", entry);
  if (!c.owner && role === "owner" && deactivates !== undefined && deactivates !== thing?.archived)
    return refuse("active", "deactivate or reactivate owners");
  return profileChanges(c, pair);
}

/** For somebody who is not there. Their groups and channels are known when all lists have been compared. */
export function invitation(c: Comparing, { entry, path, name, key }: Pair): Difference[] {
  const { findings, snapshot, owner, invited, references } = c;
  if (typeof entry.id === "number" || archives("people", entry)) return [];
  if (entry.invite !== true) {
    const isBot = [...c.everybody.values()].some(({ is_bot, email }) => is_bot && email.toLowerCase() === key);
    const all = c.things.people.map((person) => person.name);
    const why = suggestion(name, all) || `${references.hiddenAddresses}; add "invite: true" to invite them`;
    const says = isBot
      ? `${name} is a bot: files do not change bots`
      : `no person with the e-mail address ${name}${why}`;
    findings.problem([...path, "email"], says);
    return [];
  }
  if (entry.profile !== undefined || entry.full_name !== undefined)
    findings.notice(`the profile and name of ${name} can be set after they join`, path);
  if (snapshot.invites.some(({ email }) => email?.toLowerCase() === key)) {
    findings.notice(`${name} has a pending invitation`, path);
    return [];
  }
  if (entry.role === "owner" && !owner) {
    const says = "permission denied: only owners can invite owners";
    findings.refuse({ section: "people", name, field: "role", path, says });
    return [];
  }
  findings.notice(`${name} is invited: plan again after they join`, path);
  const { groups = [], channels = [] } = invited.get(key) ?? {};
  const to = { email: name, ...(entry.role !== undefined && { role: entry.role }), groups, channels };
  return [{ section: "people", name, action: "invite", to }];
}
