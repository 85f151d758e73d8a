/** Failures of several organizations, and their logs. `test/transcripts/each.txt` has the rest. */
import { expect, test } from "vitest";
import { each, fleet, newFolders } from "../fleet.ts";
import { answer } from "../world.ts";

const create = ["--", "folder", "create", "Work"];

test("sends nothing with --on-error stop if one organization fails before", async () => {
  const some = fleet(["acme", "beta", "lab"], { beta: async () => answer(502, "bad gateway") });
  const { code, err } = await each(some, ["--yes", "--on-error", "stop", ...create]);
  expect(code).toBe(4);
  expect(err).toContain("0 of 3 organizations done; beta: exit 4 (");
  expect(err).toContain("not started: acme, lab");
  expect(newFolders(some)).toEqual({ acme: [], beta: [], lab: [] });
});

test("logs changes like those of single commands", async () => {
  const { world } = await each(fleet(["acme", "lab"]), ["--yes", ...create]);
  const lines = [...world.files.logs.values()].flatMap((text) => text.trim().split("\n"));
  const entries = lines.map((line) => JSON.parse(line)).sort((a, b) => a.site.localeCompare(b.site));
  expect(entries).toMatchObject(
    ["acme", "lab"].map((profile) => ({
      profile,
      site: `https://${profile}.example`,
      command: `zulipctl --yes --profile=${profile} folder create Work`,
    })),
  );
});

test("ends with the most serious exit code, and names each failure once", async () => {
  const some = fleet(["acme", "beta", "lab", "down", "rubbish"], {
    down: async () => answer(502, "bad gateway"),
    rubbish: async () => answer(200, "<html>"),
  });
  some.setup.keys!.set("acme", "wrong".repeat(6));
  some.setup.keys!.set("beta", "wrong".repeat(6));
  const { code, out, err } = await each(some, ["--", "folder", "list"]);
  expect(code).toBe(3);
  expect(out).toContain("lab\t1\tProjects");
  expect(err).toMatch(
    /^zulipctl: 1 of 5 organizations done; acme, beta: exit 3 \(.+\); down: exit 4 \(.+\); rubbish: exit 4 \(/m,
  );
});
