/** Entries of things beside what is there. */
import type { Creation, Difference, FieldChange, Update } from "../difference.ts";
import { eachSection, sections } from "../file.ts";
import type { Members } from "../shape.ts";
import { contentAccess } from "./access.ts";
import { type Comparing, changesOf, made } from "./comparing.ts";
import { type FieldOptions, fieldChanges } from "./fields.ts";
import type { Pair } from "./pairing.ts";
import { invitation, personChanges } from "./people.ts";
import type { Thing, ThingSection } from "./present.ts";
import { putsAway } from "./put-away.ts";
import type { Joining } from "./values.ts";
import { webPublicAccess } from "./web-public.ts";

type Paired = Pair & { readonly thing: Thing };

/** What is compared otherwise, or says only which thing it is about. */
const apart: Partial<Record<ThingSection, readonly string[]>> = {
  people: ["email", "active", "invite", "profile"],
  profile_fields: ["type", "options", "field_data"],
};

const membersOf = eachSection((name): Members => {
  const { members, away } = sections[name];
  const skipped = new Set(["id", "was", away?.member, ...(apart[name] ?? [])]);
  return Object.fromEntries(Object.entries(members).filter(([member]) => !skipped.has(member)));
});

/** Those who are invited to what a list of people belongs to: only channels and groups have one. */
function joiningOf({ joined }: Comparing, name: ThingSection, { thing, name: called }: Pair): Joining {
  return (email) => joined.get(email)![name as "channels" | "groups"].push(thing?.id ?? { new: called });
}

function creation(c: Comparing, name: ThingSection, pair: Pair, extra: readonly FieldChange[]): Creation | undefined {
  const { one, made: needed } = sections[name];
  const { entry, path } = pair;
  if (needed && !Object.hasOwn(entry, needed))
    return c.findings.problem(path, `missing "${needed}": required for a new ${one}`);
  const members = membersOf[name];
  const joining = joiningOf(c, name, pair);
  const said = changesOf(c, { section: name, name: pair.name, path, entry, members, joining });
  const changes = said.filter((change) => webPublicAccess(c, pair, change));
  // Nothing is made where its very name is refused.
  if (changes.length === 0) return undefined;
  return { section: name, name: pair.name, action: "create", to: made([...changes, ...extra]) };
}

function update(c: Comparing, name: ThingSection, pair: Paired, extra: readonly FieldChange[]): Update | undefined {
  const { one, away, members, key, recreated } = sections[name];
  const { entry, path, thing } = pair;
  const puts = putsAway(name, entry);
  const { id } = thing;
  const about = { section: name, name: pair.name, path };
  if (thing.away && puts === undefined) {
    const [yes, no] = [away!.away, !away!.away].map((value) => `${away!.member}: ${value}`);
    return c.findings.problem(
      path,
      `${one} "${thing.name}" is archived or deactivated: add "${no}" to restore it, or "${yes}"`,
    );
  }
  const back = thing.away && puts === false;
  const needs = puts && !thing.away ? (members[away!.member]!.since ?? 0) : 0;
  if (needs > c.snapshot.feature_level) {
    c.findings.lacks({ ...about, field: away!.member, needs }, c.snapshot.feature_level);
    return undefined;
  }
  if (back && away?.bringsSince && away.bringsSince > c.snapshot.feature_level) {
    const { bringsSince: needs, member: field } = away;
    const says = `cannot be restored before feature level ${needs}; this server has level ${c.snapshot.feature_level}`;
    return c.findings.refuse({ ...about, field, says, needs });
  }
  const from = (field: string) => thing.tell(field);
  const joining = joiningOf(c, name, pair);
  const changes = changesOf(c, { ...about, entry, members: membersOf[name], from, joining });
  const fields = [...changes, ...extra].filter(
    (change) => contentAccess(c, pair, change) && webPublicAccess(c, pair, change),
  );
  // It is removed and created again: its key goes along.
  if (recreated && fields.length)
    fields.unshift(...key.map((field) => ({ field, from: from(field), to: from(field) })));
  const action = back ? away!.brings : puts && !thing.away ? away!.puts : "update";
  if (action === "update" && !fields.length) return undefined;
  return { section: name, name: pair.name, ...(id !== undefined && { id }), action, fields };
}

/** Everything but orders and what is not in the file. `options` is asked after profile fields have been compared. */
export function thingDifferences(c: Comparing, name: ThingSection, options: FieldOptions): Difference[] {
  return c.pairings[name].pairs.flatMap((pair): Difference[] => {
    const { thing, entry } = pair;
    if (name === "people" && !thing) return invitation(c, pair);
    if (!thing && putsAway(name, entry)) return [];
    const extra =
      name === "profile_fields"
        ? fieldChanges(c, pair, options)
        : name === "people"
          ? personChanges(c, pair as Paired, options)
          : [];
    if (!extra) return [];
    const difference = thing ? update(c, name, pair as Paired, extra) : creation(c, name, pair, extra);
    return difference ? [difference] : [];
  });
}
