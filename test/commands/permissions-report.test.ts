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

test("--json prints the counts, and the name of the file in a directory", async () => {
  const files = new Map<string, string>([["reports/.keep", ""]]);
  const { code, out } = await zulipctl(["permissions", "report", "--to", "reports", "--json"], { files });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    file: "reports/permissions-chat.example.html",
    size: expect.any(Number),
    taken: "2026-01-15T12:00:00.000Z",
    site: "https://chat.example",
    email: "iris@sandbox.example",
    feature_level: expect.any(Number),
    people: 6,
    bots: 1,
    channels: 6,
    groups: 3,
    findings: 1,
  });
  expect(files.has("reports/permissions-chat.example.html")).toBe(true);
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

test("--dry-run writes no file", async () => {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "organization.json"], { files });
  for (const from of [[], ["--from", "organization.json"]]) {
    const { code, sent } = await zulipctl(["permissions", "report", "--to", "page.html", "--dry-run", ...from], {
      files,
    });
    expect({ code, sent, there: files.has("page.html") }).toEqual({ code: 0, sent: [], there: false });
  }
});

test("warns an account that sees only a part, on stderr and in the page", async () => {
  const { code, out, err } = await zulipctl(["permissions", "report", "--to", "-"], { as: 400 });
  expect({ code, err }).toEqual({
    code: 0,
    err: "zulipctl: only administrators and owners see the whole organization: results cover what this account sees\n",
  });
  expect(out).toContain('<p class="warning"><b>The account that asked is not an administrator');
});

test("refuses servers that are too old", async () => {
  const { code, sent } = await zulipctl(["permissions", "report", "--to", "page.html"], { level: 370 });
  expect({ code, sent }).toEqual({ code: 1, sent: [] });
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
