/** Plans of files beside the sandbox's organization. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { readRemovalLimit, unlimitedRemovals } from "../../src/model/removal-limit.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type Case, checkCases } from "./cases.ts";
import { planOf } from "./planned.ts";

/** Shows only the first and the last items of long lists. */
const brief = (line: string): string => line.replace(/("[^"]*"),(?:"[^"]*",){9,}("[^"]*")/g, "$1…$2");

/** Returns changes, their destructive effects (`!`), errors, refusals, guards and notices. */
async function resultOf({ given, options, lines }: Case): Promise<string[]> {
  const text = lines.join("\n");
  const { maxRemovals } = options;
  const limit = maxRemovals === undefined ? {} : { maxRemovals: readRemovalLimit(String(maxRemovals)) };
  const all = { ...options, ...limit, given };
  const { comparison, guards, lines: changes, messages } = await planOf(text, all);
  const { differences, problems, refused, deactivated, used, notices } = comparison;
  const everything = { allowEmpty: true, allowLockout: true, maxRemovals: unlimitedRemovals };
  const fixed = guards.filter(({ overrideFlag }) => !overrideFlag);
  if (guards.length) expect((await planOf(text, { ...all, ...everything })).guards).toEqual(fixed);
  const result = [
    ...problems.map(({ path, message }) => `error: ${path.join(".")}: ${message}`),
    ...changes.flatMap((line, n) => [brief(line), ...(differences[n]?.destructive ?? []).map((says) => `  ! ${says}`)]),
    ...refused.map(({ section, name, says }) => `refused: ${section} ${name}: ${says}`),
    ...deactivated.map(({ section, name, deleted }) => `${deleted ? "deleted" : "deactivated"}: ${section} ${name}`),
    ...guards.map(({ says, overrideFlag }) => `guard: ${says}${overrideFlag ? ` (${overrideFlag})` : ""}`),
    ...used.map(({ section, name, by }) => `in use: ${section} ${name}, by ${by.join(", ")}`),
    ...notices.map(({ message }) => `note: ${message}`),
    ...(messages ? [`messages: ${messages}`] : []),
  ];
  return result.length ? result : ["no changes"];
}

/** Adds 26 people, and makes them and three others members of the group writers. */
function addCrowd({ users, groups }: SandboxState, profile: readonly (readonly [number, string])[] = []): void {
  const { members } = [...groups.values()].find(({ name }) => name === "writers")!;
  for (const id of [9, 10, 11]) members.add(id);
  for (let n = 1; n <= 26; n++) {
    const about = { user_id: 100 + n, delivery_email: `c${n}@sandbox.example`, full_name: `C${n}` };
    users.set(about.user_id, { ...[...users.values()][3]!, ...about, profile: new Map(profile) });
    members.add(about.user_id);
  }
}

const functions = {
  "a crowd of writers": (state: SandboxState) => addCrowd(state),
  "a crowd of writers, with phones": (state: SandboxState) => addCrowd(state, [[1, "12"]]),
};

test.each(readdirSync(`${import.meta.dirname}/plans`))("plans as recorded in %s", async (name) => {
  await checkCases(`plans/${name}`, resultOf, functions);
});
