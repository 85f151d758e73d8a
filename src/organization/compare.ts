/** From what is and what should be to what differs. */
import { gifRatings } from "../api/organization.ts";
import type { Misfit } from "./check.ts";
import { type Comparing, changesOf, comparing } from "./compare/comparing.ts";
import { FieldOptions } from "./compare/fields.ts";
import type { Notice, Refusal } from "./compare/findings.ts";
import { refuseSharedNames } from "./compare/full-names.ts";
import { refuseNesting } from "./compare/nesting.ts";
import { orderDifferences } from "./compare/orders.ts";
import type { ThingSection } from "./compare/present.ts";
import { tellReturning } from "./compare/reactivated.ts";
import { goodbyes, leavingOptions, type Used } from "./compare/removals.ts";
import { thingDifferences } from "./compare/things.ts";
import type { Content } from "./content.ts";
import type { Difference, FieldChange } from "./difference.ts";
import { sections, thingSections } from "./file.ts";
import { siteOf } from "./site.ts";
import type { Snapshot } from "./snapshot.ts";

export interface Comparison {
  /** Everything that is to happen; the order is the file's and means nothing. */
  readonly differences: readonly Difference[];
  /** What `--prune` would do besides: no part of the plan. Each says so. */
  readonly withheld: readonly Difference[];
  /** What pruning leaves, since it is in use. */
  readonly used: readonly Used[];
  /** What the server would certainly refuse: nothing can be applied. What this says of single values is in no difference. */
  readonly refused: readonly Refusal[];
  /** What is wrong with the file beside this organization: nothing is planned. */
  readonly problems: readonly Misfit[];
  readonly notices: readonly Notice[];
  /** How many live things of each section the file does not speak of and the plan leaves. */
  readonly unmanaged: Readonly<Partial<Record<ThingSection, number>>>;
}

/** A server that sends no digests tells of the setting for them that it is off, whatever it is. */
function isTold({ snapshot, findings }: Comparing, field: string, path: readonly string[]): boolean {
  const sent: unknown = Reflect.get(snapshot.organization, "settings_send_digest_emails");
  if (field !== "digest_emails_enabled" || sent !== false) return true;
  findings.notice(`this server sends no digests: it does not say whether ${field} is on`, [...path, field]);
  return false;
}

/** Whether the server has the kind of GIF rating; where not, that is noted as refused. */
function hasRating({ snapshot, findings }: Comparing, { field, to }: FieldChange, path: readonly string[]): boolean {
  const ratings = field === "giphy_rating" ? gifRatings(snapshot.organization) : undefined;
  if (!ratings || ratings.has(to)) return true;
  const says = `invalid giphy_rating ${to}: must be ${[...ratings.values()].join(", ")}`;
  findings.refuse({ section: "settings", name: "settings", field, path: [...path, field], says });
  return false;
}

function settingDifferences(c: Comparing, section: "settings" | "new_users"): Difference[] {
  const entry = c.content[section];
  if (!entry) return [];
  const { members, read } = sections[section];
  const from = (name: string) => read(c.telling, name);
  const path = [section];
  const changes = changesOf(c, { section, name: section, path, entry, members, from });
  const fields = changes.filter((change) => isTold(c, change.field, path) && hasRating(c, change, path));
  return fields.length ? [{ section, name: section, action: "update", fields }] : [];
}

/** Fields come before people, whose values are of them; people come last, since lists say where the invited go. */
const things = new Set<ThingSection>([
  "profile_fields",
  "folders",
  ...thingSections.filter((name) => name !== "people"),
  "people",
]);

function unmanagedIn({ present, pairings }: Comparing, pruned: readonly Difference[]): Comparison["unmanaged"] {
  const gone = new Set(pruned.map(({ section, name }) => `${section} ${name}`));
  const counts = thingSections.flatMap((name) => {
    const { spoken } = pairings[name];
    const count = present[name].filter(
      (thing) => !thing.away && !spoken.has(thing) && !gone.has(`${name} ${thing.name}`),
    ).length;
    return count ? [[name, count]] : [];
  });
  return Object.fromEntries(counts);
}

/** `prune`: what sections in `complete` do not name is put away or removed. */
export function compare(snapshot: Snapshot, content: Content, { prune = false } = {}): Comparison {
  const c = comparing(snapshot, content, prune);
  const { findings } = c;
  if (content.organization !== undefined && siteOf(content.organization) !== siteOf(snapshot.site))
    findings.problem(["organization"], `the file is for ${content.organization}, but this is ${snapshot.site}`);
  const options = new FieldOptions(c.present.profile_fields);
  const found: Difference[] = [
    ...settingDifferences(c, "settings"),
    ...settingDifferences(c, "new_users"),
    ...[...things].flatMap((name) => thingDifferences(c, name, options)),
  ];
  tellReturning(c, found);
  const all = refuseNesting(c, found);
  refuseSharedNames(c, all);
  const told = { problems: findings.problems, notices: findings.notices, refused: findings.refused };
  const nothing = { differences: [], withheld: [], used: [], unmanaged: {}, ...told };
  if (findings.problems.length) return nothing;
  const { named, leaving, used } = goodbyes(c, all);
  const pruned = prune ? leaving : [];
  const withheld = prune
    ? []
    : [...leavingOptions(options), ...leaving.map((one): Difference => ({ ...one, prune: true }))];
  const differences = [...named, ...pruned];
  return {
    differences: [...differences, ...orderDifferences(c, differences)],
    withheld,
    used,
    unmanaged: unmanagedIn(c, pruned),
    ...told,
  };
}
