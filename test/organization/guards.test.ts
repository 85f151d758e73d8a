/** Guards and destructive effects that the cases of `plans.test.ts` do not show. */
import { expect, test } from "vitest";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type Options, planOf } from "./planned.ts";

const guards = async (text: string, options?: Options): Promise<string[]> =>
  (await planOf(text, options)).guards.map(({ says }) => says);

const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

const tooMany = (removed: number, section: string) => [`${removed} removals in one run: ${section} (${removed})`];
const moreThanATenth = (gone: number, of: number, section: string) => [
  `${gone} of ${of} ${section} would be removed: more than a tenth`,
];

test.each<[gone: number, of: number, says: (section: string) => string[]]>([
  [2, 20, () => []],
  [3, 20, () => []],
  [3, 21, (section) => moreThanATenth(3, 21, section)],
  [2, 21, () => []],
  [11, 120, (section) => tooMany(11, section)],
])("counts %i of %i things: archived ones among the active, removed ones among all", async (gone, of, says) => {
  const withGroups = ({ groups }: SandboxState) => {
    const makers = [...groups.values()].find(({ name }) => name === "makers")!;
    const add = (id: number, deactivated: boolean) =>
      groups.set(id, { ...makers, id, name: `c${id}`, subgroups: new Set(), deactivated });
    for (const n of many(of - 3)) add(100 + n, false);
    for (const n of many(9)) add(300 + n, true);
  };
  const archived = JSON.stringify({ groups: many(gone).map((n) => ({ name: `c${100 + n}`, deactivated: true })) });
  expect(await guards(archived, { given: withGroups, level: 478 })).toEqual(says("groups"));

  const named = many(of).map((n) => ({ domain: `c${n}.example`, allow_subdomains: true }));
  const withDomains = ({ domains }: SandboxState) => {
    domains.push(...named.map((one, n) => ({ id: 100 + n, ...one })));
  };
  const removed = JSON.stringify({ complete: ["domains"], domains: named.slice(gone) });
  expect(await guards(removed, { given: withDomains, prune: true })).toEqual(says("domains"));
});
