/** The rows of a run: what it sends of its order, what it tells without sending, and what waits for what. */
import { describe, expect, test } from "vitest";
import { updateChannel } from "../../src/api/channels.ts";
import { createGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import { sendInvitations } from "../../src/api/invitations.ts";
import { change } from "../../src/engine/change.ts";
import type { ChangeRow } from "../../src/engine/task.ts";
import { Unknown } from "../../src/errors.ts";
import type { Recorded } from "../../src/organization/apply/places.ts";
import { rowsOf } from "../../src/organization/apply/rows.ts";
import { type KeptStep, keptStep, Layout } from "../../src/organization/apply/steps.ts";
import { conflict, type Judgement } from "../../src/organization/judgement/verdict.ts";
import type { Step } from "../../src/organization/order.ts";

const verifyWith = "zulipctl org plan organization.yaml";
const words = { done: "{what}.", words: { what: "x" }, verifyWith };
type Waits = Partial<Pick<Step, "needs" | "follows">>;

const stepOf = (
  of: number,
  part: string,
  target: string,
  what: Step["change"],
  waits: Waits,
  fields: string[],
  does = fields.join(", "),
): Step => ({
  of,
  part,
  fields,
  change: { ...what, target, words: { what: does } },
  needs: [],
  follows: [],
  ...waits,
});

const groupMade = (of: number, name: string, waits: Waits = {}): Step => {
  const made = change(createGroup, { name, description: "", members: [] }, { ...words, target: name, ids: "group_id" });
  return stepOf(of, "create", `group ${name}`, { ...made, makes: -of }, waits, ["name", "members"], "created");
};
const groupSet = (of: number, id: number, waits: Waits = {}, part = "settings"): Step => {
  const set = change(updateGroup, { user_group_id: id, description: part }, { ...words, target: "x" });
  return stepOf(of, part, `group ${id}`, set, waits, ["description"]);
};
const channelSet = (of: number, waits: Waits = {}, fields = ["topics_policy"]): Step => {
  const set = change(updateChannel, { stream_id: 1, description: "x" }, { ...words, target: "x" });
  return stepOf(of, "topics", "channel design", set, waits, fields);
};
const invited = (of: number): Step => {
  const made = change(sendInvitations, { invitee_emails: "a@x.example", stream_ids: [] }, { ...words, target: "x" });
  return stepOf(of, "invite", "invitation a@x.example", made, {}, ["email"]);
};

const open: Judgement = { is: "open", left: { section: "groups", name: "x", action: "update", fields: [] } };
const done: Judgement = { is: "done" };

interface Looked {
  readonly judgements: readonly Judgement[];
  readonly steps: readonly Step[];
  readonly doubts?: readonly (number | string)[];
}

const failure = new Unknown("no answer");

/** The rows where the order was one thing, and what is left of it another. */
const rows = (order: readonly Step[], { judgements, steps, doubts = [] }: Looked): ChangeRow[] => {
  const kept = { differences: [], steps: order.map(keptStep) };
  const earlier: Recorded = {
    known: (key) => (doubts.includes(key) ? { outcome: "unknown", failure } : undefined),
    again: () => false,
    requests: undefined,
  };
  return [...rowsOf(new Layout(kept), kept, { judgements, steps, earlier, verifyWith }).rows];
};

/** What each change waits for, row by row. */
const waits = (all: readonly ChangeRow[]) => all.map(({ changes }) => changes.map(({ after }) => ({ after })));

describe("what is left is sent", () => {
  const order = [
    groupMade(1, "crew"),
    groupSet(0, 17, { needs: [0] }),
    groupSet(1, 20, { needs: [0], follows: [1] }, "members"),
    channelSet(2, { needs: [0, 2], follows: [0, 1] }),
  ];

  test("a row for each thing in the order in which they begin, waiting as the order says", () => {
    const all = rows(order, { judgements: [open, open, open], steps: order });
    expect(all.map(({ row }) => row)).toEqual([1, 2, 3]);
    expect(all.map(({ verdicts }) => verdicts)).toEqual([[undefined, undefined], [undefined], [undefined]]);
    expect(all.map(({ changes }) => changes.map(({ operation, args }) => [operation.name, args]))).toEqual([
      [order[0]!, order[2]!].map(({ change: { operation, args } }) => [operation.name, args]),
      [order[1]!].map(({ change: { operation, args } }) => [operation.name, args]),
      [order[3]!].map(({ change: { operation, args } }) => [operation.name, args]),
    ]);
    expect(waits(all)).toEqual([[{ after: [] }, { after: [1] }], [{ after: [1] }], [{ after: [1, "1.1"] }]]);
  });

  test("what is not sent any more is still waited for, which may have come to nothing", () => {
    const steps = [channelSet(2, {})];
    expect(waits(rows(order, { judgements: [conflict("is gone"), done, open], steps }))).toEqual([
      [{ after: [] }, { after: [] }],
      [{ after: [] }],
      [{ after: [1, "1.1"] }],
    ]);
  });

  test("what is still sent is waited for only where what is left needs it", () => {
    const steps = [groupMade(1, "crew"), channelSet(2, { follows: [0] }), groupSet(0, 17)];
    expect(waits(rows(order, { judgements: [open, open, open], steps }))).toEqual([
      [{ after: [] }, { after: [] }],
      [{ after: [] }],
      [{ after: ["1.1"] }],
    ]);
  });

  test("a request that the order did not have comes after the others of its row, and can be waited for", () => {
    const steps = [
      groupSet(1, 20, {}, "settings later"),
      groupSet(1, 20, { needs: [0] }, "settings later 2"),
      channelSet(2, { needs: [1], follows: [0] }),
      groupSet(2, 18, { needs: [2] }, "else"),
    ];
    const all = rows(order, { judgements: [done, open, open], steps });
    expect(all.map(({ changes }) => changes.map(({ operation, args }) => [operation.name, args.description]))).toEqual([
      [
        ["group.create", undefined],
        ["group.update", undefined],
        ["group.update", "settings later"],
        ["group.update", "settings later 2"],
      ],
      [["group.update", undefined]],
      [
        ["channel.update", "x"],
        ["group.update", "else"],
      ],
    ]);
    expect(waits(all)).toEqual([
      [{ after: [] }, { after: [] }, { after: [] }, { after: ["1.2"] }],
      [{ after: [] }],
      [{ after: ["1.3", 1, "1.1"] }, { after: [3] }],
    ]);
    expect(all.map(({ verdicts }) => verdicts!.length)).toEqual([4, 1, 2]);
  });
});

describe("what is not sent is told", () => {
  const order = [groupMade(0, "crew"), groupSet(0, 20, { needs: [0] }), channelSet(1, {}, []), invited(2)];

  test("as done, with the id of what is there", () => {
    const judgements: Judgement[] = [{ is: "done", id: 20 }, done, done];
    const all = rows(order, { judgements, steps: [] });
    const unchanged = (answer: object) => ({ outcome: "done", answer, ignored: [], unchanged: true });
    expect(all.map(({ verdicts }) => verdicts)).toEqual([
      [unchanged({ group_id: 20 }), unchanged({})],
      [unchanged({})],
      [unchanged({})],
    ]);
    expect(all[0]!.changes).toEqual(
      [
        { operation: createGroup, what: "created", target: "group crew" },
        { operation: updateGroup, what: "description", target: "group 20" },
      ].map(({ what, ...one }) => ({ ...one, ...words, args: {}, words: { what }, after: [] })),
    );
    expect(all[1]!.changes[0]!.words).toEqual({ what: "topics" });
  });

  test("as done, with the id of what was made where more is to be said of it", () => {
    const left = { section: "groups", name: "crew", id: 20, action: "update", fields: [] } as const;
    const [row] = rows(order, { judgements: [{ is: "open", left }, done, done], steps: [groupSet(0, 20)] });
    expect(row!.verdicts).toMatchObject([{ outcome: "done", answer: { group_id: 20 } }, undefined]);
    const [other] = rows(order, {
      judgements: [{ is: "open", left: { ...left, action: "archive" } }, done, done],
      steps: [],
    });
    const nothing = { outcome: "done", answer: {}, ignored: [], unchanged: true };
    expect(other!.verdicts).toStrictEqual([nothing, nothing]);
  });

  test("as a conflict, every request of the thing", () => {
    const [row] = rows(order, { judgements: [conflict("is now named x"), done, done], steps: [] });
    const told = row!.verdicts!.map((each) =>
      each?.outcome === "refused" ? [each.failure.kind, each.failure.message, each.failure.details] : each,
    );
    const details = { outcome: "not_sent", hint: "Plan again to see what differs now." };
    expect(told).toEqual([
      ["conflict", "group crew is now named x", details],
      ["conflict", "group 20 is now named x", details],
    ]);
  });

  test("as unknown, where an invitation may have been sent, which a server would send twice", () => {
    const steps = [groupMade(0, "crew"), invited(2)];
    const [group, , invitation] = rows(order, { judgements: [open, done, open], steps, doubts: [1, 3] });
    expect([group!.verdicts![0], invitation!.verdicts]).toEqual([undefined, [{ outcome: "unknown", failure }]]);
    const [, , sure] = rows(order, { judgements: [open, done, open], steps });
    expect(sure!.verdicts).toEqual([undefined]);
  });

  test("as what was sent, where an earlier run had more to send than the order", () => {
    const members = (of: number, part: string): Step =>
      stepOf(
        of,
        part,
        "group 17",
        change(updateMembers, { user_group_id: 17, add: [8] }, { ...words, target: "x" }),
        {},
        ["members"],
      );
    const both = [groupSet(0, 17), members(0, "members"), members(0, "members 2")];
    const call = ({ change: { operation, args } }: Step) => ({ operation: operation.name, args });
    const told = (of: readonly Step[], ...sent: Step[]) => {
      const kept = { differences: [], steps: of.map(keptStep) };
      const requests = {
        of: (key: number | string) => (key === `1.${of.length}` ? sent.map(call) : []),
        changesOf: () => of.length + 1,
      };
      const earlier: Recorded = { known: () => undefined, again: () => false, requests };
      const [row] = rowsOf(new Layout(kept), kept, { judgements: [done], steps: [], earlier, verifyWith }).rows;
      const { operation, target, words } = row!.changes.at(-1)!;
      return [operation.name, target, words!.what];
    };
    expect(told(both, members(0, "x"))).toEqual(["group.members", "group 17", "members"]);
    expect(told(both, members(0, "x"), groupSet(0, 17))).toEqual(["group.update", "group 17", "description"]);
    expect(told(both, channelSet(0))).toEqual(["channel.update", "group 17", "description, members"]);
    expect(told(both)).toEqual(["group.update", "group 17", "description"]);
    expect(told([channelSet(0, {}, [])], channelSet(0))).toEqual(["channel.update", "channel design", "topics"]);
  });

  test("as nothing at all, where it is to be sent: what is not known to be sent, and all of a new run", () => {
    const kept = { differences: [], steps: order.map(keptStep) };
    const judgements = [open, open, open];
    const verdicts = (earlier: Recorded | undefined) =>
      rowsOf(new Layout(kept), kept, { judgements, steps: order, earlier, verifyWith }).rows.map(
        ({ verdicts }) => verdicts,
      );
    const nothing = [[undefined, undefined], [undefined], [undefined]];
    expect(verdicts(undefined)).toEqual(nothing);
    const refused = { outcome: "refused", failure } as const;
    expect(verdicts({ known: () => refused, again: () => false, requests: undefined })[2]).toEqual([undefined]);
  });

  test("with the place of each request that is sent", () => {
    const kept = { differences: [], steps: order.map(keptStep) };
    const steps = [order[1]!, order[3]!];
    const looked = { judgements: [open, done, open], steps, earlier: undefined, verifyWith };
    expect([...rowsOf(new Layout(kept), kept, looked).keys]).toEqual([
      [order[1], "1.1"],
      [order[3], 3],
    ]);
  });

  test("by operations that there are", () => {
    const unknown: KeptStep = { ...keptStep(order[0]!), operation: "group.praise" };
    const kept = { differences: [], steps: [unknown] };
    const looked = { judgements: [done], steps: [], earlier: undefined, verifyWith };
    expect(() => rowsOf(new Layout(kept), kept, looked)).toThrow("there is no operation group.praise");
  });
});

test("what is kept of a request is its name, what it waits for, and the member with the id of what it makes", () => {
  expect([groupMade(1, "crew"), channelSet(2, { needs: [0] })].map(keptStep)).toEqual([
    {
      of: 1,
      part: "create",
      operation: "group.create",
      target: "group crew",
      fields: ["name", "members"],
      does: "created",
      needs: [],
      makes: "group_id",
    },
    {
      of: 2,
      part: "topics",
      operation: "channel.update",
      target: "channel design",
      fields: ["topics_policy"],
      needs: [0],
    },
  ]);
  expect(Object.keys(keptStep(channelSet(2)))).not.toContain("makes");
});

test("the maker of a thing is the request that makes it, where there is one", () => {
  const layout = new Layout({
    differences: [],
    steps: [groupSet(0, 20), groupMade(0, "crew"), channelSet(1)].map(keptStep),
  });
  expect([layout.maker(0)?.key, layout.maker(0)?.step.operation, layout.maker(1)]).toEqual([
    "1.1",
    "group.create",
    undefined,
  ]);
  expect([layout.key(0, "create"), layout.key(0, "else"), layout.key(7, "create")]).toEqual([
    "1.1",
    undefined,
    undefined,
  ]);
});
