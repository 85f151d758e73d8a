/** Guards and destructive effects that the cases in `plans` do not show. */
import { expect, test } from "vitest";
import { withDestructive } from "../../src/organization/destructive.ts";
import type { Difference } from "../../src/organization/difference.ts";
import { reachIn } from "../../src/organization/group-members.ts";
import { predict } from "../../src/organization/prediction.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { type Options, planOf } from "./planned.ts";
import { snapshotIn } from "./snapshots.ts";

const guards = async (text: string, options?: Options): Promise<string[]> =>
  (await planOf(text, options)).guards.map(({ says }) => says);

const change = (field: string, from: unknown, to: unknown): Difference => {
  const fields = [{ field, from, to }];
  return { section: "settings", name: "settings", action: "update", fields };
};

const methods = (LDAP: boolean, GitHub: boolean) => ({ Email: true, LDAP, GitHub, SAML: false });

test.each<[difference: Difference, says: string[] | undefined]>([
  [
    change("authentication_methods", methods(true, true), methods(false, false)),
    ["switches off signing in with LDAP, GitHub"],
  ],
  [change("authentication_methods", { Email: true, SAML: false }, { SAML: true, Email: true }), undefined],
  // People whom the server does not send cannot be counted.
  [change("can_create_groups", undefined, { users: [], groups: [] }), undefined],
])("the destructive effects of %j", async (difference, says) => {
  const snapshot = await snapshotIn(fresh());
  const before = reachIn(snapshot);
  expect(withDestructive({ ...predict(before, []), differences: [difference] })).toEqual([
    says ? { ...difference, destructive: says } : difference,
  ]);
});

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
  const withGroups = ({ groups }: State) => {
    const makers = [...groups.values()].find(({ name }) => name === "makers")!;
    const add = (id: number, deactivated: boolean) =>
      groups.set(id, { ...makers, id, name: `c${id}`, subgroups: new Set(), deactivated });
    for (const n of many(of - 3)) add(100 + n, false);
    for (const n of many(9)) add(300 + n, true);
  };
  const archived = JSON.stringify({ groups: many(gone).map((n) => ({ name: `c${100 + n}`, deactivated: true })) });
  expect(await guards(archived, { given: withGroups, level: 478 })).toEqual(says("groups"));

  const named = many(of).map((n) => ({ domain: `c${n}.example`, allow_subdomains: true }));
  const withDomains = ({ domains }: State) => {
    domains.push(...named.map((one, n) => ({ id: 100 + n, ...one })));
  };
  const removed = JSON.stringify({ complete: ["domains"], domains: named.slice(gone) });
  expect(await guards(removed, { given: withDomains, prune: true })).toEqual(says("domains"));
});
