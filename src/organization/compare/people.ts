/** People: their profiles, their roles, and those who are to be invited. */
import { keyOfKnown, same } from "../canonical.ts";
import type { Path } from "../content.ts";
import type { Difference, FieldChange, Known } from "../difference.ts";
import { peopleIn } from "../sections/field-data.ts";
import type { Person } from "../snapshot.ts";
import type { Comparing } from "./comparing.ts";
import type { FieldOptions, FinalField } from "./fields.ts";
import { meant } from "./nearest.ts";
import type { Pair } from "./pairing.ts";
import type { Thing } from "./present.ts";
import { putsAway } from "./put-away.ts";

/** The canonical value that somebody has in a field. */
function present(person: Person, field: Known, type: string | undefined): unknown {
  const value = typeof field === "number" ? (person.profile_data?.[field]?.value ?? null) : null;
  if (type !== "people") return value === "" ? null : value;
  return peopleIn(value)?.sort((a, b) => a - b) ?? null;
}

/** The canonical value that the file gives; undefined where it is none for such a field, which is told. */
function wished(c: Comparing, { name, type, options }: FinalField, value: unknown, path: Path, from: unknown): unknown {
  if (value === null || value === "") return null;
  if (type === "people") {
    if (!Array.isArray(value)) return c.findings.problem(path, `"${name}" holds people: must be a list`);
    const ids = c.values.people({ value, path, from, shown: true });
    return ids && (ids.length ? ids : null);
  }
  if (typeof value !== "string") return c.findings.problem(path, `"${name}" does not hold people: must be text`);
  if (type !== "options") return value;
  const texts = options.map(({ text }) => text);
  const option = options.find(({ text }) => text === value);
  return option?.key ?? c.findings.problem(path, `"${name}" has no option "${value}"${meant(value, texts)}`);
}

function profileChanges(c: Comparing, person: Person, { entry, path }: Pair, options: FieldOptions): FieldChange[] {
  const changes: FieldChange[] = [];
  const met = new Set<string | number>();
  for (const [text, value] of Object.entries((entry.profile ?? {}) as Record<string, unknown>)) {
    const at = [...path, "profile", text];
    // No field is ever put away.
    const field = c.references.thing("profile_fields", text, at, "leaving");
    if (field === undefined) continue;
    const final = options.of(field);
    if (!final) continue;
    if (met.has(keyOfKnown(field))) {
      c.findings.problem(at, `"${final.name}" appears twice`);
      continue;
    }
    met.add(keyOfKnown(field));
    const from = present(person, field, final.type);
    const to = wished(c, final, value, at, from);
    if (to !== undefined && !same(from, to))
      changes.push({ field: "profile", of: { field, name: final.name }, from, to });
  }
  return changes;
}

/** What is told of a person elsewhere than in attributes. Undefined where it is certain that nothing can be done. */
export function personChanges(
  c: Comparing,
  pair: Pair & { thing: Thing },
  options: FieldOptions,
): FieldChange[] | undefined {
  const { thing, entry, path, name } = pair;
  const person = c.everybody.get(thing.id!)!;
  const role = thing.tell("role");
  const wishedRole = entry.role ?? role;
  const about = { section: "people", name, path } as const;
  if (!c.owner && role !== wishedRole && (role === "owner" || wishedRole === "owner"))
    return c.findings.refuse({
      ...about,
      field: "role",
      says: "permission denied: only owners can give or take the role owner",
    });
  const puts = putsAway("people", entry);
  if (!c.owner && role === "owner" && puts !== undefined && puts !== thing.away)
    return c.findings.refuse({
      ...about,
      field: "active",
      says: "permission denied: only owners can deactivate or reactivate owners",
    });
  return profileChanges(c, person, pair, options);
}

/** For somebody who is not there. Their groups and channels are known when all lists have been compared. */
export function invitation(c: Comparing, { entry, path, name, key }: Pair): Difference[] {
  const { findings, snapshot, owner, joined } = c;
  if (typeof entry.id === "number" || putsAway("people", entry)) return [];
  if (entry.invite !== true) {
    const bot = [...c.everybody.values()].find(({ is_bot, email }) => is_bot && email.toLowerCase() === key);
    const near = meant(
      name,
      c.present.people.map(({ name }) => name),
    );
    const says = bot
      ? `${name} is a bot: files do not change bots`
      : `no person with the e-mail address ${name}${near || `${c.references.hidden}; add "invite: true" to invite them`}`;
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
    findings.refuse({
      section: "people",
      name,
      field: "role",
      path,
      says: "permission denied: only owners can invite owners",
    });
    return [];
  }
  findings.notice(`${name} is invited: plan again after they join`, path);
  const { groups, channels } = joined.get(key)!;
  const to = { email: name, ...(entry.role !== undefined && { role: entry.role }), groups, channels };
  return [{ section: "people", name, action: "invite", to }];
}
