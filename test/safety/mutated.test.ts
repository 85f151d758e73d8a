/** Edited snapshots and plans are refused or used, and never cause an internal error. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

/** Returns numbers from 0 up to 1, the same in every run. */
function sequence(seed: number): () => number {
  let n = seed;
  return () => {
    n = (n * 1103515245 + 12345) % 2147483648;
    return n / 2147483648;
  };
}

const oddValues = [
  null,
  true,
  -1,
  1.5,
  10 ** 12,
  "",
  "x",
  "role:owners",
  [],
  [null],
  {},
  { __proto__: null, id: 1 },
  [[1]],
];

type Node = Record<string, unknown> | unknown[];
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Returns every member of a value, as its container and key. */
function places(value: Node, found: [Node, string][] = []): [Node, string][] {
  for (const [key, member] of Object.entries(value)) {
    found.push([value, key]);
    if (isNode(member)) places(member, found);
  }
  return found;
}

/** Returns a copy with one member removed or replaced. */
function edit<T extends Node>(value: T, random: () => number): T {
  const copy = structuredClone(value);
  const all = places(copy);
  const [holder, key] = all[Math.floor(random() * all.length)]!;
  const at = Math.floor(random() * (oddValues.length + 1));
  if (at < oddValues.length) Reflect.set(holder, key, oddValues[at]);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
  return copy;
}

const organization = `
settings: { description: We make things, can_create_groups: moderators }
folders: [{ name: Work, description: What we do }]
groups:
  - { name: crew, description: All of us, members: [otis@sandbox.example], can_manage_group: crew }
channels:
  - { name: deck, description: On top, folder: Work, is_private: true, subscribers: [otis@sandbox.example] }
  - { name: design, description: Drafts, can_send_message_group: { users: [adam@sandbox.example], groups: [crew] } }
linkifiers: [{ pattern: 'case (?P<n>[0-9]+)', url_template: 'https://t.example/{n}' }]
`.replace("can_create_groups: moderators", "can_create_groups: role:moderators");

async function writeFiles() {
  const sandbox = fresh();
  const files = new Map([["organization.yaml", organization]]);
  const incomplete =
    'zulipctl: the file has no "complete": things that it does not list in groups, folders, channels, linkifiers are no difference\n';
  for (const [words, notice] of [
    [["org", "snapshot", "--to", "snapshot.json"], ""],
    [["org", "plan", "organization.yaml", "--out", "plan.json"], incomplete],
  ] as const)
    expect((await zulipctl([...words], { sandbox, files })).err).toBe(notice);
  return files;
}

const internalErrors = async (runs: (readonly [words: readonly string[], files: Map<string, string>])[]) => {
  const found: string[] = [];
  for (const [words, files] of runs) {
    const { code, err } = await zulipctl([...words], { sandbox: fresh(), files });
    if (code === 70) found.push(err.split("\n")[0]!);
  }
  return [...new Set(found)];
};

const seeds = Array.from({ length: 200 }, (_, seed) => seed);

test("edited snapshots never cause an internal error", async () => {
  const files = await writeFiles();
  const snapshot = JSON.parse(files.get("snapshot.json")!);
  const runs = seeds.flatMap((seed) => {
    const random = sequence(seed);
    const whole = edit(snapshot, random);
    // Half of them have another value of one setting.
    const names = Object.keys(snapshot.organization);
    const name = names[Math.floor(random() * names.length)]!;
    const setting = {
      ...snapshot,
      organization: { ...snapshot.organization, [name]: oddValues[seed % oddValues.length] },
    };
    const text = JSON.stringify(seed % 2 ? whole : setting);
    const changed = new Map([...files, ["snapshot.json", text]]);
    return [
      [["org", "plan", "organization.yaml", "--from", "snapshot.json", "--prune"], changed] as const,
      [["permissions", "report", "--from", "snapshot.json", "--to", "-"], changed] as const,
    ];
  });
  expect(await internalErrors(runs)).toEqual([]);
});

test("edited plans with the right digest never cause an internal error", async () => {
  const files = await writeFiles();
  const { digest: _, ...plan } = JSON.parse(files.get("plan.json")!);
  const runs = seeds.map((seed) => {
    const content = edit(plan, sequence(seed));
    const digest = `sha256:${createHash("sha256").update(JSON.stringify(content)).digest("hex")}`;
    return [
      ["org", "apply", "plan.json", "--yes"],
      new Map([["plan.json", JSON.stringify({ ...content, digest })]]),
    ] as const;
  });
  expect(await internalErrors(runs)).toEqual([]);
});
