/** `org apply` of random organizations: splitting and reordering the file makes no difference. */
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { FileEntry } from "../../../src/organization/content.ts";
import { completable } from "../../../src/organization/section-registry.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { levelOf, organizationOf } from "../../organization/pairs.ts";
import { fileOf, shuffled } from "../../organization/random.ts";
import { site, zulipctl } from "../../run.ts";
import { Chance } from "../../simulation/chance.ts";

const size = { people: 0, kinds: 3 };
const parts = ["one.yaml", "three.yaml", "two.json"];
const inOrder = new Set(["profile_fields", "folders", "linkifiers"]);

type Lists = Map<string, string>;

/** Shuffles lists of people, and moves some people to list files. */
function withLists(chance: Chance, entry: FileEntry, lists: Lists): FileEntry {
  const turned = Object.entries(entry).map(([name, value]) => {
    if (!["members", "subscribers", "subgroups"].includes(name) || !Array.isArray(value)) return [name, value];
    const all = shuffled(chance, value as string[]);
    if (chance.hits(0.6)) return [name, all];
    const file = `lists/${lists.size}.txt`;
    const moved = all.splice(0, chance.whole(0, all.length));
    lists.set(`organization/${file}`, moved.map((each) => `${each}\n`).join(""));
    return [name, shuffled(chance, [...all, `@${file}`])];
  });
  return Object.fromEntries(shuffled(chance, turned));
}

/** Distributes the content over several files, in random order where the order does not matter. */
function scattered(chance: Chance, content: Record<string, unknown>): Map<string, string> {
  const files = parts.map((): Record<string, unknown> => ({}));
  const lists: Lists = new Map();
  const put = (at: number, section: string, entry: FileEntry) => {
    const file = files[at]!;
    file[section] = [...((file[section] ?? []) as FileEntry[]), withLists(chance, entry, lists)];
  };
  for (const [section, value] of shuffled(chance, Object.entries(content))) {
    if (section === "organization") files[chance.whole(0, 2)]![section] = value;
    else if (section === "complete")
      for (const name of value as string[]) {
        const file = files[chance.whole(0, 2)]!;
        file[section] = [...((file[section] ?? []) as string[]), name];
      }
    else if (Array.isArray(value)) {
      const all = inOrder.has(section) ? (value as FileEntry[]) : shuffled(chance, value as FileEntry[]);
      const ends = [chance.whole(0, all.length), chance.whole(0, all.length)].sort((a, b) => a - b);
      for (const [n, entry] of all.entries()) put(ends.filter((end) => end <= n).length, section, entry);
    } else
      for (const [name, setting] of Object.entries(value as object)) {
        const file = files[chance.whole(0, 2)]!;
        file[section] = { ...(file[section] as object), [name]: setting };
      }
  }
  const texts = files.map((file, n) => [
    `organization/${parts[n]}`,
    parts[n]!.endsWith("json") ? JSON.stringify(file) : stringify(file),
  ]);
  return new Map([...(texts as [string, string][]), ...lists]);
}

const copyOf = (sandbox: Sandbox, level: number): Sandbox =>
  createSandbox({
    site,
    level,
    rateLimits: false,
    clock: { now: () => Date.UTC(2026, 0, 15, 12) },
    random: () => 0.5,
    state: structuredClone(sandbox.state),
  });

/** Applies in one run, and returns an export. */
async function applied(sandbox: Sandbox, files: Map<string, string>): Promise<string> {
  const flags = ["organization", "--prune", "--yes", "--allow-lockout", "--allow-empty", "--max-removals", "9999"];
  const { code, err } = await zulipctl(["org", "apply", "--yes", ...flags], { sandbox, files });
  expect({ code, err }).toMatchObject({ code: 0 });
  const plan = await zulipctl(["org", "plan", "organization", "--prune", "--exit-code"], { sandbox, files });
  expect({ code: plan.code, err: plan.err }).toMatchObject({ code: 0 });
  return (await zulipctl(["org", "export", "--with", "subscribers"], { sandbox })).out;
}

test.each([1, 2, 3, 4, 5, 8])(
  "has the same result for a file that is split and reordered, with seed %i",
  async (seed) => {
    const level = levelOf(seed);
    const [sandbox, other] = [organizationOf(seed, level, size), organizationOf(seed + 10_000, level, size)];
    const exported = fileOf(await other.snapshot()) as Record<string, unknown>;
    const complete = completable.filter((name) => (exported[name] as unknown[] | undefined)?.length);
    const content = { ...exported, complete };
    const copy = copyOf(sandbox.sandbox, level);
    const straight = await applied(sandbox.sandbox, new Map([["organization/all.yaml", stringify(content)]]));
    const split = await applied(copy, scattered(new Chance(seed), content));
    expect(split).toBe(straight);
    const files = new Map([["export.yaml", straight]]);
    const plan = await zulipctl(["org", "plan", "export.yaml", "--exit-code"], { sandbox: sandbox.sandbox, files });
    expect({ code: plan.code, out: plan.out.split(".")[0] }).toMatchObject({ code: 0 });
  },
);
