/** Where requests of what is left stand in their row, when an earlier run has sent some of it under the same names. */
import { expect, test } from "vitest";
import { archiveChannel } from "../../src/api/channel-create.ts";
import { updateChannel } from "../../src/api/channels.ts";
import { createGroup, updateMembers } from "../../src/api/groups.ts";
import { subscribe, unsubscribe } from "../../src/api/subscriptions.ts";
import { type Change, change } from "../../src/engine/change.ts";
import type { Entry } from "../../src/engine/journal.ts";
import { JournalReplay } from "../../src/engine/journal-replay.ts";
import { SentRequests } from "../../src/engine/sent-requests.ts";
import { Unknown } from "../../src/errors.ts";
import { covers, placesOf } from "../../src/organization/apply/places.ts";
import { rowsOf } from "../../src/organization/apply/rows.ts";
import { keptStep, Layout } from "../../src/organization/apply/steps.ts";
import type { Step } from "../../src/organization/order.ts";

const words = { target: "design", done: "{what}.", words: { what: "x" }, verifyWith: "zulipctl org plan" };
const stepOf = (part: string, what: Change): Step => ({
  of: 0,
  part,
  fields: ["x"],
  change: what,
  needs: [],
  follows: [],
});

const joining = (part: string, ...principals: number[]): Step =>
  stepOf(part, change(subscribe, { stream_id: 1, subscriptions: [{ name: "design" }], principals }, words));
const leaving = (...principals: number[]) =>
  change(unsubscribe, { stream_id: 1, subscriptions: ["design"], principals }, words);
const set = (part: string, args: { description?: string; folder_id?: number }): Step =>
  stepOf(part, change(updateChannel, { stream_id: 1, ...args }, words));

const error = { message: "No", kind: "refused", exit_code: 1 };

/** What a journal has of requests, each with the place that it was sent from and what became of it. */
function journal(...sent: [key: number | string, step: Step, became: "done" | "refused" | "returned" | "lost"][]) {
  const earlier = new JournalReplay(new SentRequests());
  for (const [n, [key, { change: made }, became]] of sent.entries()) {
    const entries: Entry[] = [{ sent: n + 1, rows: [key], operation: made.operation.name, args: { ...made.args } }];
    if (became === "done") entries.push({ answered: n + 1, outcome: "done", answers: [{}] });
    if (became === "refused") entries.push({ answered: n + 1, outcome: "refused", error });
    if (became === "returned") entries.push({ returned: n + 1 });
    for (const entry of entries) earlier.learn(entry);
  }
  return earlier;
}

const portions = [joining("subscribe", 1, 2), joining("subscribe 2", 3, 4), joining("subscribe 3", 5)];

const at = (order: readonly Step[], steps: readonly Step[], earlier: JournalReplay | undefined) =>
  placesOf(new Layout({ differences: [], steps: order.map(keptStep) }), 0, steps, earlier).map((step) =>
    step === undefined ? "-" : JSON.stringify(step.change.args.principals ?? step.change.args.description ?? "other"),
  );

test("by their names, where nothing was sent", () => {
  expect(at(portions, [portions[2]!, portions[0]!], undefined)).toEqual(["[1,2]", "-", "[5]"]);
  expect(at(portions, [portions[1]!], journal([1, portions[0]!, "returned"]))).toEqual(["-", "[3,4]", "-"]);
});

test("behind all others, where something else was done under their name", () => {
  const left = [joining("subscribe", 3, 4), joining("subscribe 2", 5)];
  expect(at(portions, left, journal([1, portions[0]!, "done"]))).toEqual(["-", "[5]", "-", "[3,4]"]);
});

test("where they were sent without an answer, whatever they are called now", () => {
  const left = [joining("subscribe", 3, 4), joining("subscribe 2", 5)];
  const earlier = journal([1, portions[0]!, "done"], ["1.1", portions[1]!, "lost"]);
  expect(at(portions, left, earlier)).toEqual(["-", "[3,4]", "-", "[5]"]);
});

test("where some of it was sent without an answer, if no other place has asked for all of it", () => {
  const less = [joining("subscribe", 4, 5)];
  expect(at(portions, less, journal(["1.1", portions[1]!, "lost"]))).toEqual(["-", "[4,5]", "-"]);
  const other = [joining("subscribe", 5)];
  expect(at(portions, other, journal([1, portions[0]!, "lost"]))).toEqual(["-", "-", "-", "[5]"]);
});

test("where the very same was refused, which is not sent again; anything else is", () => {
  const refused = journal([1, portions[0]!, "done"], ["1.1", portions[1]!, "refused"]);
  expect(at(portions, [joining("subscribe", 4, 3)], refused)).toEqual(["-", "[4,3]", "-"]);
  expect(at(portions, [joining("subscribe", 4)], refused)).toEqual(["-", "-", "-", "[4]"]);
});

test("behind all others, where the very same was done and is to be done once more", () => {
  const earlier = journal([1, portions[0]!, "done"]);
  expect(at(portions, [joining("subscribe", 1, 2)], earlier)).toEqual(["-", "-", "-", "[1,2]"]);
});

test("by the latest of what was sent from a place, and by all of it where nobody knows what was done", () => {
  const refused = journal([1, portions[0]!, "lost"], [1, joining("subscribe", 3), "refused"]);
  expect(at(portions, [joining("subscribe", 3)], refused)).toEqual(["[3]", "-", "-"]);
  expect(at(portions, [joining("subscribe", 1, 2)], refused)).toEqual(["-", "-", "-", "[1,2]"]);
  const lost = journal(["1.1", portions[1]!, "lost"], ["1.1", joining("subscribe 2", 7), "lost"]);
  expect(at(portions, [joining("subscribe", 3)], lost)).toEqual(["-", "[3]", "-"]);
});

test("where another value of the same was sent without an answer", () => {
  const order = [set("settings", { folder_id: 7 }), set("settings 2", { description: "a" })];
  const earlier = journal([1, order[0]!, "lost"], ["1.1", order[1]!, "lost"]);
  expect(at(order, [set("settings", { description: "b" })], earlier)).toEqual(["-", '"b"']);
  expect(at(order, [set("settings", { folder_id: 9 })], earlier)).toEqual(['"other"', "-"]);
});

test("where a request that says nothing but what it is about was sent without an answer", () => {
  const putAway = (part: string) => stepOf(part, change(archiveChannel, { stream_id: 1 }, words));
  const order = [putAway("archive"), set("settings", { description: "a" })];
  const earlier = journal([1, order[1]!, "lost"], ["1.1", order[0]!, "lost"]);
  expect(at(order, [putAway("archive")], earlier)).toEqual(["-", '"other"']);
  const both = journal([1, order[1]!, "lost"], ["1.1", order[0]!, "lost"], ["1.1", order[1]!, "lost"]);
  expect(at(order, [putAway("archive")], both)).toEqual(["-", '"other"']);
});

test("in the row of their thing", () => {
  const other = portions.map((step) => ({ ...step, of: 1 }));
  const layout = new Layout({ differences: [], steps: [portions[0]!, ...other].map(keptStep) });
  const left = [{ ...joining("subscribe", 3, 4), of: 1 }];
  const earlier = journal([1, portions[0]!, "lost"], [2, other[0]!, "done"], ["2.1", other[1]!, "lost"]);
  expect(placesOf(layout, 1, left, earlier).map((step) => step?.change.args.principals)).toEqual([
    undefined,
    [3, 4],
    undefined,
  ]);
  const again = { known: () => undefined, again: (key: number | string) => key === "2.1", requests: earlier.requests };
  expect(placesOf(layout, 1, left, again).map((step) => step?.change.args.principals)).toEqual([
    undefined,
    [3, 4],
    undefined,
  ]);
});

test("behind all others, where something may have been done of which nobody knows what it was", () => {
  const earlier = { known: () => ({ outcome: "unknown", failure: new Unknown("x") }) as const, again: () => false };
  const layout = new Layout({ differences: [], steps: portions.map(keptStep) });
  const placed = placesOf(layout, 0, [portions[0]!], { ...earlier, requests: undefined });
  expect(placed).toEqual([undefined, undefined, undefined, portions[0]]);
});

test("behind places that an earlier run has added, of which each is told", () => {
  const order = [set("settings", { description: "a" })];
  const earlier = journal(
    [1, set("settings", { folder_id: 7 }), "done"],
    ["1.1", order[0]!, "returned"],
    ["1.2", set("settings", { description: "b" }), "lost"],
  );
  expect(at(order, [set("settings", { folder_id: 8 })], earlier)).toEqual(["-", "-", "-", '"other"']);
  const kept = { differences: [], steps: order.map(keptStep) };
  const looked = { judgements: [{ is: "done" as const }], steps: [], earlier, verifyWith: words.verifyWith };
  const [row] = rowsOf(new Layout(kept), kept, looked).rows;
  expect(row!.verdicts!.map((each) => each?.outcome)).toEqual(["done", "done", "done"]);
  expect(row!.changes.map(({ operation }) => operation.name)).toEqual(Array(3).fill("channel.update"));
});

test("what makes a thing has its place for good", () => {
  const made = change(createGroup, { name: "a", description: "", members: [] }, { ...words, ids: "group_id" });
  const order = [stepOf("create", { ...made, makes: -1 })];
  expect(at(order, order, journal([1, order[0]!, "done"]))).toEqual(['"other"'].map(() => '""'));
});

test("what is read of a request tells of another that asks for no more", () => {
  const sent = (step: Step) => journal([1, step, "lost"]).requests!.of(1);
  expect(covers(sent(portions[0]!), joining("subscribe", 2).change)).toBe(true);
  expect(covers(sent(portions[0]!), joining("subscribe", 2, 3).change)).toBe(false);
  const out = (...ids: number[]) => change(updateMembers, { user_group_id: 7, delete: ids }, words);
  expect(covers(sent(stepOf("members", out(2, 3))), out(2))).toBe(true);
  expect(covers(sent(stepOf("members", out(2))), out(3))).toBe(false);
  const twice = journal([1, portions[0]!, "lost"], [1, joining("subscribe", 5), "lost"]);
  expect(covers(twice.requests!.of(1), joining("subscribe", 1).change)).toBe(false);
  expect(covers(sent(portions[0]!), leaving(2))).toBe(false);
  const mixed = change(updateMembers, { user_group_id: 7, add: [1], delete: [2] }, words);
  expect(covers(sent(stepOf("members", mixed)), change(updateMembers, { user_group_id: 7, add: [2] }, words))).toBe(
    false,
  );
  expect(covers([], mixed)).toBe(false);
});
