/** Pairs of random organizations: one is changed to match the other, and back. */

import { compare } from "../../src/organization/compare.ts";
import type { Content, FileEntry } from "../../src/organization/content.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { exportContent } from "../../src/organization/export.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { completable } from "../../src/organization/section-registry.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import { withDenied } from "../../src/permissions/denied-requests.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { Chance } from "../simulation/chance.ts";
import { fewestRequests } from "./fewest-requests.ts";
import { fileOf, randomOrganization } from "./random.ts";
import { failureTexts, TestOrganization } from "./test-organization.ts";

/** Returns the file with all sections complete that can be. */
export const asComplete = (content: Content): Content => ({
  ...Object.fromEntries(completable.map((name) => [name, []])),
  ...content,
  complete: completable,
});

/** Servers refuse `nobody` for these permissions. */
function somebodys({ groups, organization }: SandboxState): void {
  const id = (name: string) => [...groups.values()].find((group) => group.name === name)!.id;
  const permissions = organization.permissions as Record<string, unknown>;
  for (const right of ["can_manage_all_groups", "can_manage_billing_group"])
    if (permissions[right] === id("role:nobody")) permissions[right] = id("role:owners");
}

export interface Pair {
  readonly one: TestOrganization;
  /** The file of the other organization, and its snapshot. */
  readonly content: Content;
  readonly after: Snapshot;
  /** The file of the first organization before any change, and its snapshot. */
  readonly back: Content;
  readonly before: Snapshot;
}

interface Size {
  readonly people?: number;
  readonly kinds?: number;
}

export function organizationOf(seed: number, level: number, size: Size = {}): TestOrganization {
  const org = new TestOrganization({ level, sandbox: randomOrganization(new Chance(seed), { level, ...size }) });
  somebodys(org.sandbox.state);
  return org;
}

export const levelOf = (seed: number): number => new Chance(seed).of([500, 500, 442, 442]);

export async function pairOf(seed: number, size?: Size): Promise<Pair> {
  const [one, other] = [seed, seed + 10_000].map((each) => organizationOf(each, levelOf(seed), size)) as [
    TestOrganization,
    TestOrganization,
  ];
  const [before, after] = [await one.snapshot(), await other.snapshot()];
  return { one, content: asComplete(fileOf(after)), after, back: asComplete(fileOf(before)), before };
}

export interface Applied {
  /** Changes that the comparison refuses, or for which the plan takes the account's permission. */
  readonly refused: readonly string[];
  /** Changes that the server refused and that a later run made. */
  readonly delayed: readonly string[];
  /** Changes that the server refused in the last run. */
  readonly errors: readonly string[];
  readonly requests: number;
  readonly fewest: number;
  /** The differences after the last run. */
  readonly remaining: readonly Difference[];
  /** Things that stay because they are in use. */
  readonly used: ReadonlySet<string>;
}

/** Returns the ids of reactivated people: only servers know their old memberships. */
export const reactivatedIn = (differences: readonly Difference[]): ReadonlySet<number> =>
  new Set(
    differences.flatMap((one) =>
      one.section === "people" && one.action === "reactivate" && one.id !== undefined ? [one.id] : [],
    ),
  );

/** Applies the file, in several runs if the server refuses something or people are reactivated. */
export async function applied(org: TestOrganization, content: Content, runs = 4): Promise<Applied> {
  const now = await org.snapshot();
  const comparison = compare(groupMembershipIn(now), content, { prune: true });
  const { differences, problems, used } = comparison;
  if (problems.length) throw new Error(JSON.stringify(problems));
  const steps = await org.steps(differences);
  const { refused } = withDenied({ before: now, result: now, steps, guards: [], messages: 0, comparison }).comparison;
  const result = {
    refused: refused.map(({ says }) => says),
    delayed: [],
    errors: [],
    requests: steps.length,
    fewest: fewestRequests(differences, now.organization.user_id),
    remaining: [],
    used: new Set(used.map(({ section, name }) => `${section} ${name}`)),
  };
  if (refused.length) return result;
  const errors = failureTexts(await org.send(steps));
  const { differences: remaining } = compare(groupMembershipIn(await org.snapshot()), content, { prune: true });
  if (runs === 1 && errors.every((each) => /Insufficient permission|Web-public channels are not/.test(each)))
    return { ...result, refused: errors, remaining: [] };
  if (!remaining.length || runs === 1 || (!errors.length && !reactivatedIn(differences).size))
    return { ...result, errors, remaining };
  const rest = await applied(org, content, runs - 1);
  return { ...rest, requests: result.requests, fewest: result.fewest, delayed: [...errors, ...rest.delayed] };
}

/** Spellings of one value: an empty permission is `nobody`, and an empty text is absent. */
const plain = (_: string, value: unknown): unknown =>
  JSON.stringify(value) === '{"users":[]}' ? "nobody" : value === "" ? undefined : value;

/**
 * Returns an export without archived things and without ids: servers can archive new things, but not delete them.
 * `without`: things that stay because they are in use.
 */
export function activeContent(snapshot: Snapshot, inUse: ReadonlySet<string> = new Set()): unknown {
  const value = JSON.parse(JSON.stringify(exportContent(snapshot, { subscribers: true }).value, plain)) as Record<
    string,
    FileEntry[]
  >;
  for (const name of ["channels", "groups", "folders"] as const)
    value[name] = (value[name] ?? [])
      .filter(({ archived, deactivated, name: called }) => !archived && !deactivated && !inUse.has(`${name} ${called}`))
      .map(({ id: _, ...entry }) => entry);
  return value;
}
