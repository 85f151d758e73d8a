/** The saved page. `test/transcripts/permissions-report.txt` has the rest of the command. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

test("permissions report prints a summary of the saved page", async () => {
  const files = new Map<string, string>();
  const { code, out, err } = await zulipctl(["permissions", "report", "--to", "page.html"], { files });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.replace(/\d+\.\d KiB/, "some KiB")).toBe(
    "Report on https://chat.example saved as page.html (some KiB): 6 people, 6 channels, 3 groups, 1 finding to look at.\n",
  );
  expect(files.get("page.html")).toMatch(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/);
});

test("writes the same page from a snapshot file, without a server", async () => {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "organization.json"], { files });
  const direct = await zulipctl(["permissions", "report", "--to", "-"]);
  const kept = await zulipctl(["permissions", "report", "--to", "-", "--from", "organization.json"], {
    files,
    env: {},
  });
  expect({ code: kept.code, sent: kept.sent }).toEqual({ code: 0, sent: [] });
  const lines = direct.out.split("\n");
  expect(kept.out.split("\n").filter((line, at) => line !== lines[at])).toEqual([]);
});

test("warns an account that sees only a part, on stderr and in the page", async () => {
  const { code, out, err } = await zulipctl(["permissions", "report", "--to", "-"], { as: 400 });
  expect({ code, err }).toEqual({
    code: 0,
    err: "zulipctl: only administrators and owners see the whole organization: results cover what this account sees\n",
  });
  expect(out).toContain('<p class="warning"><b>The account that asked is not an administrator');
});

test("lists many nested groups instead of drawing them", async () => {
  const sandbox = fresh();
  const { groups } = sandbox.state;
  const [like] = [...groups.values()].filter(({ is_system_group }) => !is_system_group);
  for (let n = 0; n < 100; n++)
    groups.set(1000 + n, {
      ...structuredClone(like!),
      id: 1000 + n,
      name: `nested ${n}`,
      subgroups: new Set(Array.from({ length: n }, (_, inner) => 1000 + inner)),
    });
  const { code, out } = await zulipctl(["permissions", "report", "--to", "-"], { sandbox });
  expect(code).toBe(0);
  expect(out).toContain("too many lines to draw");
}, 20_000);
