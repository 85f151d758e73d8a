/** Two organizations by chance, of which one is made as the file of the other says, and back again. */
import { compare } from "../../src/organization/compare.ts";
import type { Content, Entry } from "../../src/organization/content.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { exportContent } from "../../src/organization/export.ts";
import { completable } from "../../src/organization/file.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import type { State } from "../../src/sandbox/index.ts";
import { Chance } from "../simulation/chance.ts";
import { fewestRequests } from "./fewest-requests.ts";
import { fileOf, randomOrganization } from "./random.ts";
import { failureTexts, TestOrganization } from "./stand.ts";

/** A file that is exhaustive wherever it may be. */
export const whole = (content: Content): Content => ({
  ...Object.fromEntries(completable.map((name) => [name, []])),
  ...content,
  complete: completable,
});

/** No server lets these be nobody's. */
function somebodys({ groups, organization }: State): void {
  const id = (name: string) => [...groups.values()].find((group) => group.name === name)!.id;
  const permissions = organization.permissions as Record<string, unknown>;
  for (const right of ["can_manage_all_groups", "can_manage_billing_group"])
    if (permissions[right] === id("role:nobody")) permissions[right] = id("role:owners");
}

export interface Pair {
  readonly one: TestOrganization;
  /** The file of the other one, and what that is. */
  readonly content: Content;
  readonly then: Snapshot;
  /** The file of the first, before anything is done to it, and what that was. */
  readonly back: Content;
  readonly before: Snapshot;
}

interface Size {
  readonly people?: number;
  readonly kinds?: number;
}

export function standOf(seed: number, level: number, size: Size = {}): TestOrganization {
  const stand = new TestOrganization({ level, sandbox: randomOrganization(new Chance(seed), { level, ...size }) });
  somebodys(stand.sandbox.state);
  return stand;
}

export const levelOf = (seed: number): number => new Chance(seed).of([478, 478, 442, 442]);

export async function pairOf(seed: number, size?: Size): Promise<Pair> {
  const [one, other] = [seed, seed + 10_000].map((each) => standOf(each, levelOf(seed), size)) as [
    TestOrganization,
    TestOrganization,
  ];
  const [before, then] = [await one.snapshot(), await other.snapshot()];
  return { one, content: whole(fileOf(then)), then, back: whole(fileOf(before)), before };
}

export interface Applied {
  /** What cannot be applied, as the comparison says, or for a right that the account loses by the plan. */
  readonly refused: readonly string[];
  /** What the server refused on the way, which further runs may do. */
  readonly delayed: readonly string[];
  /** What it refused in the last run. */
  readonly surprises: readonly string[];
  readonly requests: number;
  readonly fewest: number;
  /** What differs still after the last run. */
  readonly left: readonly Difference[];
  /** What stays since it is in use. */
  readonly used: ReadonlySet<string>;
}

/** The ids of people who are reactivated: servers alone know where they were. */
export const reactivatedIn = (differences: readonly Difference[]): ReadonlySet<number> =>
  new Set(
    differences.flatMap((one) =>
      one.section === "people" && one.action === "reactivate" && one.id !== undefined ? [one.id] : [],
    ),
  );

/** Makes it as the file says, in several runs where the server refuses something or people were reactivated. */
export async function applied(stand: TestOrganization, content: Content, runs = 4): Promise<Applied> {
  const now = await stand.snapshot();
  const { differences, problems, refused, used } = compare(now, content, { prune: true });
  if (problems.length) throw new Error(JSON.stringify(problems));
  const steps = await stand.steps(differences);
  const result = {
    refused: refused.map(({ says }) => says),
    delayed: [],
    surprises: [],
    requests: steps.length,
    fewest: fewestRequests(differences, now.organization.user_id),
    left: [],
    used: new Set(used.map(({ section, name }) => `${section} ${name}`)),
  };
  if (refused.length) return result;
  const surprises = failureTexts(await stand.send(steps));
  const { differences: left } = compare(await stand.snapshot(), content, { prune: true });
  if (runs === 1 && surprises.every((each) => /Insufficient permission|Web-public channels are not/.test(each)))
    return { ...result, refused: surprises, left: [] };
  if (!left.length || runs === 1 || (!surprises.length && !reactivatedIn(differences).size))
    return { ...result, surprises, left };
  const rest = await applied(stand, content, runs - 1);
  return { ...rest, requests: result.requests, fewest: result.fewest, delayed: [...surprises, ...rest.delayed] };
}

/** Nobody is nobody, and an empty text is none. */
const plain = (_: string, value: unknown): unknown =>
  JSON.stringify(value) === '{"users":[]}' ? "nobody" : value === "" ? undefined : value;

/**
 * Returns an export without archived things and without ids: servers can archive new things, but not delete them.
 * `without`: things that stay because they are in use.
 */
export function living(snapshot: Snapshot, without: ReadonlySet<string> = new Set()): unknown {
  const value = JSON.parse(JSON.stringify(exportContent(snapshot, { subscribers: true }).value, plain)) as Record<
    string,
    Entry[]
  >;
  for (const name of ["channels", "groups", "folders"] as const)
    value[name] = (value[name] ?? [])
      .filter(
        ({ archived, deactivated, name: called }) => !archived && !deactivated && !without.has(`${name} ${called}`),
      )
      .map(({ id: _, ...entry }) => entry);
  return value;
}
