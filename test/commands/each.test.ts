/** Failures of several organizations, and their logs. `test/transcripts/each.txt` has the rest. */
import { expect, test } from "vitest";
import { each, type Fleet, fleet, newFolders } from "../fleet.ts";
import { zulipctl } from "../run.ts";
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
  const lines = (world.files.logs.get("/state/log.ndjson") ?? "").trim().split("\n");
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

/** Adds profiles of the same accounts under other names. */
function withTwins(some: Fleet, twins: Record<string, string>, current?: string): Fleet {
  const { profiles } = some.setup.config as { profiles: Record<string, object> };
  const more = Object.fromEntries(Object.entries(twins).map(([name, of]) => [name, profiles[of]]));
  return { ...some, setup: { ...some.setup, config: { current, profiles: { ...profiles, ...more } } } };
}

test("takes each organization once: by the current profile, else by the first", async () => {
  const some = withTwins(fleet(["acme", "lab"]), { "acme-bot": "acme", "a-lab": "lab", "z-lab": "lab" }, "acme-bot");
  const { code, err } = await each(some, ["--yes", ...create]);
  expect([code, err.split("\n")]).toEqual([
    0,
    [
      "zulipctl: skipped acme: acme-bot is for the same organization, acme.example",
      "zulipctl: skipped lab, z-lab: a-lab is for the same organization, lab.example",
      "zulipctl: 2 of 2 organizations done",
      "",
    ],
  ]);
  expect(newFolders(some)).toEqual({ acme: ["Work"], lab: ["Work"] });
});

test("knows this machine by each of its names", async () => {
  const sites = ["http://localhost:9991", "http://127.0.0.1:9991", "http://[::1]:9991", "http://127.0.0.1:9992"];
  const profiles = sites.map((site, n) => [`p${n}`, { site, email: "a@x.example", store: "keychain", account: "a" }]);
  const setup = { env: {}, config: { profiles: Object.fromEntries(profiles) } };
  const refused = await zulipctl(["each", "--profiles", "p0,p1,p2", "--yes", ...create], setup);
  expect([refused.code, refused.err]).toEqual([
    2,
    "zulipctl: p0 and p1 and p2 are profiles of one organization, localhost:9991: it would get each change 3 times\n" +
      "Choose one of them with --profiles.\n",
  ]);
  const { err } = await zulipctl(["each", "--", "folder", "list"], setup);
  expect(err).toContain("zulipctl: skipped p1, p2: p0 is for the same organization, localhost:9991\n");
});

test.each([["--profiles"], ["-p"]])("%s may choose two profiles of one organization for a read alone", async (flag) => {
  const some = withTwins(fleet(["acme", "lab"]), { twin: "acme" });
  const read = await each(some, [flag, "acme,twin,lab", "--fields", "profile,id", "--", "folder", "list"]);
  expect([read.code, read.out, read.err]).toEqual([
    0,
    "PROFILE\tID\nacme\t1\ntwin\t1\nlab\t1\n",
    "zulipctl: 2 of 2 organizations done\n",
  ]);
  for (const how of ["--yes", "--dry-run"]) {
    const { code, out, err } = await each(some, [flag, "acme,twin,lab", how, ...create]);
    expect([code, out, err]).toEqual([
      2,
      "",
      "zulipctl: acme and twin are profiles of one organization, acme.example: it would get each change twice\n" +
        "Choose one of them with --profiles.\n",
    ]);
  }
  expect(newFolders(some)).toEqual({ acme: [], lab: [] });
});

test.each([
  [["--journal", "one"], "--journal names one file", "Remove --journal: each organization gets a journal of its own."],
  [
    ["--resume", "last"],
    "--resume names one run",
    'Choose one organization with --profiles, or run "zulipctl --profile <name> batch" for each.',
  ],
  [
    ["--failed", "rest.csv"],
    "--failed names one file",
    'Choose one organization with --profiles, or run "zulipctl --profile <name> batch" for each.',
  ],
])("refuses %j for several organizations", async (flags, words, hint) => {
  const some = fleet(["acme", "lab"]);
  const batch = ["--yes", "--", "batch", "f.csv", ...flags, "--", "folder", "create", "{name}"];
  const files = new Map([["f.csv", "name\nWork\n"]]);
  const { code, err } = await each(some, batch, { files });
  expect([code, err]).toEqual([2, `zulipctl: ${words}, but there are several organizations\n${hint}\n`]);
  if (!flags.includes("last")) expect((await each(some, ["-p", "lab", ...batch], { files })).code).toBe(0);
  expect(newFolders(some).acme).toEqual([]);
});

test("says which organizations are left if others are changed", async () => {
  const some = fleet(["acme", "beta", "lab"], { lab: async () => answer(502, "bad gateway") });
  const { code, err } = await each(some, ["--yes", "--json", ...create]);
  const { error } = JSON.parse(err.trim().split("\n").at(-1)!);
  expect([code, error.outcome, error.hint]).toEqual([
    4,
    "maybe_partial",
    "Try again later. Run it again only for those that failed: --profiles lab",
  ]);
  const again = await each(some, ["--yes", "--json", ...create, "--description", "Other"]);
  const all = JSON.parse(again.err.trim().split("\n").at(-1)!).error;
  expect([again.code, all.outcome, all.hint]).toEqual([4, "not_applied", undefined]);
});

test("counts organizations that differ as done, and names them before each line", async () => {
  const diff = ["--", "channel", "update", "general", "--description", "New", "--diff", "--exit-code"];
  const { code, out, err } = await each(fleet(["acme", "lab"]), diff);
  expect(out).toMatch(/^acme: description: .* → "New"\nlab: description: .* → "New"\n$/);
  expect([code, err]).toEqual([8, "zulipctl: 2 of 2 organizations done; acme, lab: exit 8 (1 change would be made)\n"]);
});

test("names the organization of each record with --fields", async () => {
  const { out } = await each(fleet(["acme", "lab"]), ["--fields", "name", "--", "folder", "list"]);
  expect(out).toBe("PROFILE\tNAME\nacme\tProjects\nlab\tProjects\n");
});

test("lists the problems of a file, and whose they are if they differ", async () => {
  const some = fleet(["acme", "lab"]);
  const plan = async (text: string) => {
    const files = new Map([["org.yaml", text]]);
    return (await each(some, ["--", "org", "plan", "org.yaml"], { files })).err.split("\n");
  };
  expect(await plan("nothing: 1\n")).toEqual([
    "zulipctl: 0 of 2 organizations done; acme, lab: exit 2 (1 problem in org.yaml)",
    '  org.yaml, line 1, column 1: unknown key "nothing"',
    "",
  ]);
  expect(await plan("organization: https://else.example\n")).toEqual([
    "zulipctl: 0 of 2 organizations done; acme, lab: exit 2 (1 problem in org.yaml)",
    "  org.yaml, line 1, column 15: the file is for https://else.example, but this is https://acme.example",
    "These are the problems of acme. To see those of lab, run the command with --profiles lab.",
    "",
  ]);
});

test("says how to choose organizations where their names stand before --", async () => {
  const { code, err } = await each(fleet(["acme", "lab"]), ["acme", "lab", ...create]);
  expect([code, err]).toEqual([
    2,
    'zulipctl: unexpected argument before --: "acme"\nTo choose organizations, pass --profiles acme,lab\n',
  ]);
});

test("--allow-empty before -- goes to the command of each organization", async () => {
  const words = ["--yes", "--", "channel", "subscribers", "staff", "--set", ""];
  const refused = await each(fleet(["acme", "lab"]), words);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("To do that, add: --allow-empty")]);
  const { code, err } = await each(fleet(["acme", "lab"]), ["--allow-empty", ...words]);
  expect([code, err]).toEqual([0, expect.stringContaining("2 of 2 organizations done")]);
});

test("--max-removals before -- goes to the command of each organization", async () => {
  const words = ["--yes", "--", "channel", "subscribers", "staff", "--delete", "adam@sandbox.example"];
  expect((await each(fleet(["acme"]), ["--max-removals", "0", ...words])).code).toBe(2);
  expect((await each(fleet(["acme"]), ["--max-removals", "1", ...words])).code).toBe(0);
});
