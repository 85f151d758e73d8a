import { describe, expect, test } from "vitest";
import { createGroup, updateGroup, updateMembers } from "../../src/api/groups.ts";
import { type Change, change } from "../../src/engine/change.ts";
import { provisional } from "../../src/engine/provisional-ids.ts";
import type { TaskKey } from "../../src/engine/task.ts";
import { Conflict, Unreachable } from "../../src/errors.ts";
import { done, FakeServer, outcomes, refusal, words } from "./transport.ts";

const crew = provisional(1);

const groupCreation = (name: string, requires: TaskKey[] = [], provisionalId = crew): Change => ({
  ...change(
    createGroup,
    { name, description: "", members: [] },
    { ...words(`group ${name}`), ids: "group_id", provisionalId, requires },
  ),
});
const descriptionChange = (user_group_id: number, description: string, requires: TaskKey[]): Change =>
  change(updateGroup, { user_group_id, description }, { ...words(`group ${user_group_id}`), requires });

/** New groups have the id 7. */
function fakeGroups(): FakeServer {
  const fake = new FakeServer();
  fake.respond = ({ operation }) => (operation === "group.create" ? done({ group_id: 7 }) : done());
  return fake;
}
const requestsOf = ({ sent }: FakeServer) => sent.map(({ operation, args }) => `${operation} ${JSON.stringify(args)}`);

describe("changes that need others", () => {
  test("later changes get the ids of earlier answers", async () => {
    const fake = fakeGroups();
    await fake.run([
      groupCreation("crew"),
      change(
        updateGroup,
        { user_group_id: crew, can_manage_group: { new: { direct_members: [3], direct_subgroups: [crew] } } },
        { ...words("group crew"), requires: [1] },
      ),
      change(updateMembers, { user_group_id: 4, add_subgroups: [crew] }, { ...words("group all"), requires: [1] }),
    ]);
    expect(requestsOf(fake).slice(1).sort()).toEqual([
      'group.members {"user_group_id":4,"add_subgroups":[7]}',
      'group.update {"user_group_id":7,"can_manage_group":{"new":{"direct_members":[3],"direct_subgroups":[7]}}}',
    ]);
  });

  test("a change without the id that it needs is not sent", async () => {
    const fake = new FakeServer();
    fake.respond = () => done({});
    const results = await fake.run([groupCreation("crew"), descriptionChange(crew, "x", [1])]);
    expect(results).toMatchObject([
      { outcome: "done" },
      {
        outcome: "not_sent",
        failure: { message: `group ${crew}: the server did not return the id of something that was created before` },
      },
    ]);
    expect(fake.sent).toHaveLength(1);
  });

  test("a change that needs a failed one is not sent, and names the first failure", async () => {
    const fake = new FakeServer();
    fake.respond = ({ operation }) =>
      operation === "group.create" ? refusal("Must be an organization administrator") : done();
    const results = await fake.run([
      groupCreation("crew"),
      groupCreation("second", [1], provisional(2)),
      descriptionChange(provisional(2), "third", [2]),
      descriptionChange(9, "beside", []),
    ]);
    const because = "it needs group crew, which was refused: Must be an organization administrator";
    expect(results).toMatchObject([
      { outcome: "refused" },
      { outcome: "not_sent", failure: { message: because, details: { outcome: "not_sent" } } },
      { outcome: "not_sent", failure: { message: because } },
      { outcome: "done" },
    ]);
    expect(fake.sent).toHaveLength(2);
  });

  test("sends changes in `order`, and reports them in the order of rows", async () => {
    const fake = new FakeServer();
    fake.respond = () => done();
    const rows = [
      { row: 1, changes: [descriptionChange(1, "first", []), descriptionChange(2, "last", ["1"])] },
      { row: 2, changes: [descriptionChange(3, "second", [1])] },
    ];
    const finished = await fake.rows(rows, { order: [1, 2, "1.1"] });
    expect(fake.sent.map(({ args }) => args.description)).toEqual(["first", "second", "last"]);
    expect(finished.map(({ row, results }) => [row.row, results.length])).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });

  test("sends a removal only if the additions of its row are done", async () => {
    const fake = new FakeServer();
    fake.respond = ({ args }) => (args.description === "refused" ? refusal("No") : done());
    const row = (row: number, first: string) => ({
      row,
      changes: [descriptionChange(row, first, []), { ...descriptionChange(row, "removal", []), afterAdditions: true }],
    });
    const finished = await fake.rows([row(1, "refused"), row(2, "taken")]);
    expect(finished.map(({ results }) => outcomes(results))).toEqual([
      ["refused", "not_sent"],
      ["done", "done"],
    ]);
    expect(finished[0]?.results[1]).toMatchObject({
      failure: { message: "nothing was removed, because the addition before it was refused: No" },
    });
    expect(fake.sent.map(({ args }) => args.description)).toEqual(["refused", "taken", "removal"]);
  });

  test("sends nothing more after the run has stopped", async () => {
    const fake = new FakeServer();
    fake.respond = () => ({ outcome: "not_sent", failure: new Unreachable("connection refused") });
    const results = await fake.run([
      groupCreation("crew"),
      descriptionChange(crew, "x", [1]),
      descriptionChange(9, "y", [1]),
    ]);
    expect(results.map((each) => each.outcome !== "done" && each.failure.message)).toEqual([
      "connection refused",
      "connection refused",
      "connection refused",
    ]);
  });
});

describe("results known from reading", () => {
  test("are not sent, give ids to later changes, and pass on conflicts", async () => {
    const fake = fakeGroups();
    const conflict = { outcome: "refused", failure: new Conflict('it is "x", not "y"') } as const;
    const results = await fake.rows([
      { row: 1, changes: [groupCreation("crew")], knownResults: [done({ group_id: 5 })] },
      { row: 2, changes: [descriptionChange(crew, "x", [1])] },
      { row: 3, changes: [descriptionChange(8, "a", [])], knownResults: [conflict] },
      { row: 4, changes: [descriptionChange(9, "b", [3])] },
    ]);
    expect(results.map(({ results: [result] }) => result)).toMatchObject([
      { outcome: "done", answer: { group_id: 5 } },
      { outcome: "done" },
      { outcome: "refused" },
      {
        outcome: "not_sent",
        failure: {
          kind: "conflict",
          message: 'it needs group 8, which was changed since: it is "x", not "y"',
        },
      },
    ]);
    expect(requestsOf(fake)).toEqual(['group.update {"user_group_id":5,"description":"x"}']);
  });
});
