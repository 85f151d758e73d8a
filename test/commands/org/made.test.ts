/** What is known of things that a run and the ones before it were to make. */
import { expect, test } from "vitest";
import { MadeSoFar } from "../../../src/commands/org/apply/made.ts";
import type { ChangeResult } from "../../../src/engine/change.ts";
import type { JournalReplay } from "../../../src/engine/journal-replay.ts";
import { Unknown } from "../../../src/errors.ts";
import { type KeptStep, Layout } from "../../../src/organization/apply/steps.ts";
import type { Difference } from "../../../src/organization/difference.ts";

const step = (of: number, part: string, operation: string, fields: string[], makes?: string): KeptStep => ({
  of,
  part,
  operation,
  target: "x",
  fields,
  needs: [],
  ...(makes !== undefined && { makes }),
});

const steps = [
  step(0, "create", "group.create", ["name", "members"], "group_id"),
  step(0, "settings", "group.update", ["can_manage_group"]),
  step(1, "update", "channel.update", ["description"]),
  step(2, "remove", "playground.rm", []),
  step(2, "create", "playground.add", ["url_template"]),
];
const differences = [0, 1, 2].map((): Difference => ({ section: "groups", name: "x", action: "update", fields: [] }));

const done = (answer: object): ChangeResult => ({ outcome: "done", answer: { ...answer }, ignored: [] });
const failure = new Unknown("no answer");
const unknown: ChangeResult = { outcome: "unknown", failure };
const refused: ChangeResult = { outcome: "refused", failure };
const unsent: ChangeResult = { outcome: "not_sent", failure };

/** After an earlier run with these results. */
function known(results?: Record<string, ChangeResult>) {
  const earlier = results && ({ known: (key: string | number) => results[key] } as unknown as JournalReplay);
  return new MadeSoFar(new Layout({ differences, steps }), { differences, steps }, earlier);
}

const told = ({ made, asked, given, gone }: MadeSoFar) => [[...made], [...asked], [...given], [...gone]];

const made = [[0, 20]];
const asked = [[0, ["name", "members"]]];

test.each<[what: string, results: Record<string, ChangeResult> | undefined, known: unknown[][]]>([
  ["no earlier run", undefined, [[], [], [], []]],
  ["nothing of it", {}, [[], [], [], []]],
  ["it was made", { 1: done({ group_id: 20 }) }, [made, [], [[0, ["name", "members"]]], []]],
  [
    "it was made, and more of it said",
    { 1: done({ group_id: 20 }), "1.1": done({}) },
    [made, [], [[0, ["name", "members", "can_manage_group"]]], []],
  ],
  [
    "it was made, and more of it refused",
    { 1: done({ group_id: 20 }), "1.1": refused },
    [made, [], [[0, ["name", "members"]]], []],
  ],
  ["it was made, and the server tells no id", { 1: done({}) }, [[], asked, [], []]],
  ["the request for it got no answer", { 1: unknown }, [[], asked, [], []]],
  ["the request for it was refused", { 1: refused }, [[], [], [], []]],
  ["the request for it was not sent", { 1: unsent }, [[], [], [], []]],
  ["something else was done", { 2: done({ group_id: 7 }) }, [[], [], [], []]],
  ["it was removed, to be made anew", { 3: done({}) }, [[], [], [], [2]]],
  ["whether it was removed is not known", { 3: unknown }, [[], [], [], [2]]],
  ["removing it was refused", { 3: refused }, [[], [], [], []]],
])("%s", (_, results, all) => {
  expect(told(known(results))).toEqual(all);
});

test("what becomes of a request in this run is learnt", () => {
  const so = known({ 1: unknown });
  so.learn(0, refused);
  expect(told(so)).toEqual([[], [], [], []]);
  so.learn(0, unknown);
  expect(told(so)).toEqual([[], asked, [], []]);
  so.learn(0, done({ group_id: 20 }));
  expect(told(so)).toEqual([made, [], [], []]);
});
