/** Compares an organization with a file and returns the differences. */
import { settingDifferences, thingDifferences } from "./compare/fields.ts";
import { type Deactivated, Findings, type Notice, type Refusal } from "./compare/findings.ts";
import { matchAll } from "./compare/match.ts";
import { referencesOf } from "./compare/references.ts";
import { valuesOf } from "./compare/values.ts";
import { orderDifferences, removals, type ThingInUse, unmanagedIn } from "./compare/whole-lists.ts";
import { type Content, foldSite, sitesOf } from "./content.ts";
import { type Difference, optionsOf } from "./difference.ts";
import type { GroupMembership } from "./group-members.ts";
import type { ThingSection } from "./section-names.ts";
import { thingSections } from "./section-registry.ts";
import type { Comparing, FinalField } from "./sections/section-rules.ts";
import { peopleById } from "./snapshot.ts";
import type { ValidationError } from "./validate.ts";

export interface Comparison {
  /** All changes of the plan, in the order of the file. */
  readonly differences: readonly Difference[];
  /** Changes that only `--prune` would make. Each is marked with `prune`. */
  readonly onlyWithPrune: readonly Difference[];
  /** Things that `--prune` keeps because they are in use. */
  readonly used: readonly ThingInUse[];
  /** Changes that the server would refuse. One of these stops the whole plan. */
  readonly refused: readonly Refusal[];
  /** Accounts that differ, and stay as they are. */
  readonly deactivated: readonly Deactivated[];
  /** Errors in the file that only show beside this organization. One of these stops the plan. */
  readonly problems: readonly ValidationError[];
  readonly notices: readonly Notice[];
  /** By section, the number of active things that the file does not list. */
  readonly unmanaged: Readonly<Partial<Record<ThingSection, number>>>;
}

/** Starts a comparison. `prune`: the plan removes what sections in `complete` do not list. */
function startComparison({ snapshot, caller }: GroupMembership, content: Content, prune: boolean): Comparing {
  const findings = new Findings();
  const pairings = matchAll(content, snapshot, findings);
  const references = referencesOf(snapshot, pairings, findings);
  const everybody = peopleById(snapshot);
  const fields = pairings.profile_fields.things.map(({ id, name, read }): [number | string, FinalField] => [
    id ?? name,
    { name, type: read("type"), options: optionsOf(read("options")) },
  ]);
  return {
    snapshot,
    content,
    prune,
    pairings,
    findings,
    everybody,
    unlistedOptions: [],
    references,
    values: valuesOf(snapshot, pairings, references, findings),
    caller,
    fields: new Map(fields),
  };
}

/** Profile fields come before people, who have values in them. People come last: lists that name them are invitations. */
const inOrder = new Set<ThingSection>([
  "profile_fields",
  "folders",
  ...thingSections.filter((name) => name !== "people"),
  "people",
]);

/**
 * Compares. `prune`: archive or remove what the sections in `complete` do not list. `partial`: compare the rest if there
 * are problems.
 */
export function compare(
  before: GroupMembership,
  content: Content,
  { prune = false, partial = false } = {},
): Comparison {
  const c = startComparison(before, content, prune);
  const { site } = before.snapshot;
  const { problems, refused, deactivated } = c.findings;
  const { organization } = content;
  if (organization !== undefined && !sitesOf(organization).includes(foldSite(site)))
    c.findings.problem(
      ["organization"],
      `the file is for ${[organization].flat().join(" and ") || "no organization"}, but this is ${site}`,
    );
  const found = [
    ...settingDifferences(c, "settings"),
    ...settingDifferences(c, "new_users"),
    ...[...inOrder].flatMap((name) => thingDifferences(c, name)),
  ];
  if (problems.length && !partial)
    return {
      ...{ differences: [], onlyWithPrune: [], used: [], unmanaged: {} },
      ...{ problems, notices: c.findings.notices, refused, deactivated },
    };
  const { named, unlisted, used } = removals(c, found);
  const pruned = prune ? unlisted : [];
  const differences = [...named, ...pruned];
  return {
    differences: [...differences, ...orderDifferences(c, differences)],
    onlyWithPrune: prune ? [] : [...c.unlistedOptions, ...unlisted.map((one): Difference => ({ ...one, prune: true }))],
    used,
    unmanaged: unmanagedIn(c, pruned),
    problems,
    notices: c.findings.notices,
    refused,
    deactivated,
  };
}
