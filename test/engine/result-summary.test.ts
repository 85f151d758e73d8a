import { expect, test } from "vitest";
import { errorRecord } from "../../src/common/error-record.ts";
import { Tally } from "../../src/engine/result-summary.ts";
import { Cancelled, type Outcome, Partial, Refused, Unreachable, Usage } from "../../src/errors.ts";

const cancelled = new Cancelled("interrupted", "SIGTERM", { outcome: "not_sent" });

test("an interrupted run that has done something does not claim that nothing was sent", () => {
  const tally = new Tally();
  tally.add({ target: "row 1", outcome: "done" });
  tally.add({ target: "row 2", outcome: "not_sent", failure: cancelled });
  expect(errorRecord(tally.failure()!)).toEqual({
    exit_code: 143,
    kind: "cancelled",
    message: "interrupted",
    done: 1,
    refused: 0,
    unknown: 0,
    not_sent: 1,
    invalid: 0,
  });
});

test("names what was done in part, and the reason for unsent changes once", () => {
  const half = new Tally();
  half.add({ target: "its name", outcome: "done" });
  const failure = new Unreachable("the server is silent");
  half.add({ target: "its members", outcome: "not_sent", failure });
  const tally = new Tally();
  tally.add({ target: "group writers", outcome: "not_sent", failure: half.failure()!, partly: true });
  tally.add({ target: "group makers", outcome: "not_sent", failure });
  expect(tally.message).toBe(
    "2 of 2 not done (2 not sent; 1 done in part): group writers: 1 of 2 not done (1 not sent): its members: not sent. Rest not sent: the server is silent; group makers: not sent. Rest not sent: the server is silent",
  );
});

test("unsent changes of a stopped run are not done in part", () => {
  const tally = new Tally();
  const failure = new Partial("stopped after 1 failure");
  for (const row of ["row 1", "row 2"]) tally.add({ target: row, outcome: "not_sent", failure });
  expect([tally.partly, tally.message]).toEqual([0, "2 of 2 not done (2 not sent): row 1: not sent; row 2: not sent"]);
});

test.each([
  ["its journal after a refusal does not claim that nothing was sent", "refused", 5],
  ["its journal says that nothing was sent if nothing was", "not_sent", 2],
] as const)("a run that was stopped by %s", (_, outcome, code) => {
  const tally = new Tally();
  const journal = new Usage("the journal cannot be written", { outcome: "not_sent", hint: "Name another." });
  tally.add({ target: "row 1", outcome, failure: outcome === "refused" ? new Refused("no") : journal });
  tally.add({ target: "row 2", outcome: "not_sent", failure: journal });
  const { exitCode, message, details } = tally.failure()!;
  expect([exitCode, details.hint]).toEqual([code, "Name another."]);
  expect(message).toContain("the journal cannot be written");
});

const refusal = (outcome?: Outcome) => new Refused("no", { outcome });

test("a change that is done in part is neither done nor without effect", () => {
  const tally = new Tally();
  tally.add({ target: "row 1", outcome: "refused", failure: refusal(), partly: true });
  tally.add({ target: "row 2", outcome: "not_sent", failure: cancelled });
  const { exitCode, details } = tally.failure()!;
  expect([exitCode, details.outcome]).toEqual([143, undefined]);
  const alone = new Tally();
  alone.add({ target: "row 1", outcome: "refused", failure: refusal(), partly: true });
  expect(errorRecord(alone.failure()!)).toEqual({
    exit_code: 5,
    kind: "partial",
    message: "1 of 1 not done (1 refused; 1 done in part): row 1: no",
    done: 0,
    partly: 1,
    refused: 1,
    unknown: 0,
    not_sent: 0,
    invalid: 0,
  });
});

test("refusals with parts that may be applied are not without effect", () => {
  const tally = new Tally();
  tally.add({ target: "row 1", outcome: "refused", failure: refusal("not_applied") });
  tally.add({ target: "row 2", outcome: "refused", failure: refusal("maybe_partial") });
  expect(tally.failure()).toMatchObject({ exitCode: 1, details: { outcome: "maybe_partial" } });
});
