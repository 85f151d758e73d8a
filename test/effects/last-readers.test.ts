/** A private channel that nobody can get into again, whatever the changes are that leave it so. */
import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

const rows = (...lines: string[]) => ({ files: new Map([["rows.txt", `${lines.join("\n")}\n`]]) });
const batch = ["batch", "rows.txt", "--format", "lines", "--yes"];

// Staff has Iris and Adam.
describe("a removal and a deactivation together", () => {
  const removal = "channel subscribers staff --delete me";
  const deactivation = "users deactivate adam@sandbox.example";
  const lines = {
    "the removal first": [removal, deactivation],
    "the deactivation first": [deactivation, removal],
  };

  test.each(Object.entries(lines))("%s", async (_, both) => {
    const { code, err, sent } = await zulipctl(batch, rows(...both));
    expect([code, err]).toEqual([
      2,
      'zulipctl: this would remove or deactivate all 2 subscribers of channel "staff", so that nobody can get in again (lines 1, 2). To do that, add: --allow-empty\n',
    ]);
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("are allowed by --allow-empty", async () => {
    const { code } = await zulipctl([...batch, "--allow-empty"], rows(removal, deactivation));
    expect(code).toBe(0);
  });
});

test("a question names the private channel that loses a bot as its last subscriber", async () => {
  const sandbox = fresh();
  const staff = sandbox.state.channels.get(4)!;
  staff.subscribers.clear();
  staff.subscribers.add(14);
  const { code, err } = await zulipctl(["bots", "deactivate", "14"], { sandbox });
  expect(code).toBe(2);
  expect(err).toContain('This takes the last subscriber of the private channel "staff": nobody can get in again.');
});

test("a removal of things that are not there is no removal of many", async () => {
  const lines = Array.from({ length: 12 }, (_, n) => `domain rm d${n}.example`);
  expect((await zulipctl(batch, rows(...lines))).err).not.toContain("--max-removals");
});
