import { describe, expect, test } from "vitest";
import { each, fleet, newFolders } from "../fleet.ts";
import { answer } from "../world.ts";

const three = ["acme", "beta", "lab"];
const create = ["--", "folder", "create", "Work"];
const counts = "acme (acme.example): 1 change; beta (beta.example): 1 change; lab (lab.example): 1 change.";
const question = `Send 3 changes to 3 organizations? ${counts}`;
const done = "zulipctl: 3 of 3 organizations done\n";

describe("shows records of several organizations", () => {
  test("with the profile first, in the order of the profiles", async () => {
    const { code, out, err } = await each(fleet(three), ["--", "folder", "list"]);
    const row = "1\tProjects\tWhat we are **making**";
    expect({ code, out, err }).toEqual({
      code: 0,
      out: `PROFILE\tID\tNAME\tDESCRIPTION\nacme\t${row}\nbeta\t${row}\nlab\t${row}\n`,
      err: done,
    });
  });

  test("as one list in JSON, CSV and NDJSON, with global flags before or after --", async () => {
    const some = fleet(three);
    const json = await each(some, ["--json", "--fields", "profile,id", "--", "folder", "list"]);
    expect(JSON.parse(json.out)).toEqual(three.map((profile) => ({ profile, id: 1 })));
    const csv = await each(some, ["-q", "--profiles", "lab,acme,lab", "--", "folder", "list", "-o", "csv"]);
    expect(csv.err).toBe("");
    expect(csv.out.split("\r\n").map((line) => line.split(",").slice(0, 3))).toEqual([
      ["profile", "id", "name"],
      ["lab", "1", "Projects"],
      ["acme", "1", "Projects"],
      [""],
    ]);
    const lines = await each(some, ["-o", "ndjson", "--", "channel", "show", "general"]);
    const records = lines.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ profile, name }) => [profile, name])).toEqual(three.map((name) => [name, "general"]));
  });

  test("limited in each organization, and sorted together", async () => {
    const names = async (...flags: string[]) => {
      const { out } = await each(fleet(["acme", "lab"]), ["--json", "--", "users", "list", ...flags]);
      return JSON.parse(out).map((user: Record<string, unknown>) => `${user.profile} ${user.user_id}`);
    };
    const [first, second] = (await names("--limit", "2")).map((name: string) => name.replace(/^acme /, ""));
    const inBoth = (id: string) => [`acme ${id}`, `lab ${id}`];
    expect(await names("--limit", "1", "--sort", "user_id")).toEqual(inBoth(first));
    expect(await names("--limit", "2", "--sort", "user_id")).toEqual([...inBoth(first), ...inBoth(second)]);
    expect(await names("--limit", "1", "--sort", "-profile")).toEqual(inBoth(first).reverse());
  });

  test("as one input of a filter", async () => {
    const { out } = await each(fleet(three), ["--jq", ".[].profile", "--", "folder", "list"]);
    expect(out).toBe("acme\nbeta\nlab\n");
  });

  test("with the profile before a single text", async () => {
    const { out } = await each(fleet(["acme", "lab"]), ["--", "channel", "email", "general"]);
    expect(out).toMatch(/^acme: general\.\w+@acme\.example\nlab: general\.\w+@lab\.example\n$/);
  });

  test("of any endpoint as JSON", async () => {
    const { out } = await each(fleet(["acme", "lab"]), ["--", "api", "GET", "/users/me"]);
    expect(JSON.parse(out).map(({ profile, email }: Record<string, string>) => [profile, email])).toEqual([
      ["acme", "user8@acme.example"],
      ["lab", "user8@lab.example"],
    ]);
  });

  test("without rows for an empty list", async () => {
    const old = fleet(["acme", "lab"]);
    old.sandboxes.get("acme")!.state.folders.clear();
    const { out } = await each(old, ["-o", "csv", "--fields", "profile,name", "--", "folder", "list"]);
    expect(out).toBe("profile,name\r\nlab,Projects\r\n");
  });
});

describe("changes", () => {
  test("are made after one question with the number for each organization", async () => {
    const some = fleet(three);
    const { code, out, err, asked } = await each(some, create, { terminal: true, confirm: [true] });
    expect({ code, out, err, asked }).toEqual({
      code: 0,
      out: "acme: Created folder 3.\nbeta: Created folder 3.\nlab: Created folder 3.\n",
      err: done,
      asked: [question],
    });
    expect(newFolders(some)).toEqual({ acme: ["Work"], beta: ["Work"], lab: ["Work"] });
  });

  test("have profile and outcome in JSON", async () => {
    const some = fleet(three);
    some.sandboxes.get("beta")!.state.folders.get(1)!.name = "Work";
    const { code, out, err } = await each(some, ["--json", "--yes", ...create]);
    expect(code).toBe(1);
    const made = { operation: "folder.create", target: "Work", outcome: "done", answer: { channel_folder_id: 3 } };
    expect(JSON.parse(out)).toEqual([
      { profile: "acme", ...made },
      {
        ...{ profile: "beta", operation: "folder.create", target: "Work", outcome: "refused" },
        error: expect.objectContaining({ exit_code: 1, message: "Channel folder name already in use" }),
      },
      { profile: "lab", ...made },
    ]);
    const { error } = JSON.parse(err);
    expect(error).toMatchObject({
      ...{ exit_code: 1, kind: "refused" },
      message: "2 of 3 organizations done; beta: exit 1 (Channel folder name already in use)",
      organizations: [{ profile: "beta", exit_code: 1, error: { code: "BAD_REQUEST" } }],
    });
  });

  test("are not made if the user declines, or if confirmation is impossible", async () => {
    const some = fleet(three);
    const no = await each(some, create, { terminal: true, confirm: [false] });
    expect(no).toMatchObject({ code: 130, out: "" });
    const { code, err } = await each(some, create);
    expect({ code, err }).toEqual({
      code: 2,
      err: `zulipctl: confirmation required: stdin is not a terminal. ${question} Pass --yes to confirm.\n`,
    });
    expect(newFolders(some)).toEqual({ acme: [], beta: [], lab: [] });
  });

  test("are confirmed with their consequence, stated once if it is the same", async () => {
    const some = fleet(three);
    const { asked } = await each(some, ["--", "attachment", "rm", "1", "2"], { terminal: true, confirm: [false] });
    expect(asked[0]!.match(/for good|cannot be undone|Delete|Remove/g)?.length).toBeLessThan(3);
    expect(asked[0]).toMatch(/^Send 6 changes to 3 organizations\? acme \(acme\.example\): 2 changes; /);
  });

  test("are examined for all organizations before the question, which follows the failures", async () => {
    const some = fleet(three);
    some.sandboxes.get("beta")!.state.channels.delete(2);
    const archive = ["--", "channel", "archive", "general"];
    const { code, err, asked } = await each(some, archive, { terminal: true, confirm: [true] });
    expect(code).toBe(2);
    const missing = 'beta: exit 2 (<channel>: channel "general" not found, or not visible to this account)';
    expect(
      err
        .replaceAll(/\u001b\[\d+m/g, "")
        .split("\n")
        .slice(0, 2),
    ).toEqual([`zulipctl: ${missing}`, `zulipctl: 2 of 3 organizations done; ${missing}`]);
    expect(asked[0]).toContain("Send 2 changes to 2 organizations?");
    expect([...some.sandboxes].map(([, { state }]) => state.channels.get(2)?.is_archived)).toEqual([
      true,
      undefined,
      true,
    ]);
  });

  test("are not sent with --on-error stop if one organization fails before", async () => {
    const some = fleet(three, { beta: async () => answer(502, "bad gateway") });
    const { code, err } = await each(some, ["--yes", "--on-error", "stop", ...create]);
    expect(code).toBe(4);
    expect(err).toContain("0 of 3 organizations done; beta: exit 4 (");
    expect(err).toContain("not started: acme, lab");
    expect(newFolders(some)).toEqual({ acme: [], beta: [], lab: [] });
  });

  test("stop with --on-error stop after the first failure", async () => {
    const some = fleet(three);
    some.sandboxes.get("acme")!.state.folders.get(1)!.name = "Work";
    const { code, err } = await each(some, ["--yes", "--parallel", "1", "--on-error", "stop", ...create]);
    expect(code).toBe(1);
    expect(err).toBe(
      "zulipctl: 0 of 3 organizations done; acme: exit 1 (Channel folder name already in use); not started: beta, lab\n",
    );
    expect(newFolders(some)).toMatchObject({ beta: [], lab: [] });
  });

  test("are shown with their profile by --dry-run", async () => {
    const some = fleet(["acme", "lab"]);
    const { code, out } = await each(some, ["-n", ...create]);
    const request = (name: string) =>
      `${name}: POST https://${name}.example/api/v1/channel_folders/create  folder.create\n  name = "Work"\n  description = ""\n`;
    expect({ code, out }).toEqual({ code: 0, out: request("acme") + request("lab") });
    const json = await each(some, ["-n", "--json", ...create]);
    expect(JSON.parse(json.out).map(({ profile }: { profile: string }) => profile)).toEqual(["acme", "lab"]);
    expect(newFolders(some)).toEqual({ acme: [], lab: [] });
  });

  test("are in the log like those of single commands", async () => {
    const { world } = await each(fleet(["acme", "lab"]), ["--yes", ...create]);
    const entries = [...world.files.logs.values()].flatMap((text) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    );
    expect(
      entries
        .map(({ profile, site, command }) => ({ profile, site, command }))
        .toSorted((a, b) => (a.site < b.site ? -1 : 1)),
    ).toEqual(
      ["acme", "lab"].map((profile) => ({
        profile,
        site: `https://${profile}.example`,
        command: `zulipctl --yes --profile=${profile} folder create Work`,
      })),
    );
  });

  test("read stdin once for all organizations", async () => {
    const some = fleet(three);
    const { code } = await each(some, ["--yes", "--", "folder", "create", "Work", "--description", "-"], {
      input: "About",
    });
    expect(code).toBe(0);
    const about = [...some.sandboxes].map(([, { state }]) => state.folders.get(3)!.description);
    expect(about).toEqual(["About", "About", "About"]);
  });
});

test("runs a batch, and org apply, for each organization", async () => {
  const some = fleet(["acme", "lab"]);
  const files = new Map([
    ["folders.csv", "name\nOne\nTwo\n"],
    ["organization.yaml", "folders: [{name: Three}]\n"],
  ]);
  const batch = await each(some, ["--yes", "--", "batch", "folders.csv", "--", "folder", "create", "{name}"], {
    files,
  });
  expect(batch).toMatchObject({
    code: 0,
    out: [
      "PROFILE\tROW\tTARGET\tOUTCOME\tRESULT",
      ...["acme", "lab"].flatMap((name) => [
        `${name}\t1\tOne\tdone\tCreated folder 3.`,
        `${name}\t2\tTwo\tdone\tCreated folder 4.`,
      ]),
      "",
    ].join("\n"),
  });
  const apply = ["--", "org", "apply", "organization.yaml"];
  const { asked } = await each(some, apply, { files, terminal: true, confirm: [true] });
  expect(asked).toEqual([
    "Send 2 changes to 2 organizations? acme (acme.example): 1 change; lab (lab.example): 1 change. Apply this change?",
  ]);
  expect(newFolders(some)).toEqual({ acme: ["One", "Two", "Three"], lab: ["One", "Two", "Three"] });
});

test("plans files for the organizations that they name", async () => {
  const plan = async (organization: string) => {
    const files = new Map([["organization.yaml", `${organization}\nfolders: [{name: Three}]\n`]]);
    return each(fleet(["acme", "lab"]), ["--", "org", "plan", "organization.yaml", "-o", "json"], { files });
  };
  const both = await plan("organization: [https://acme.example, https://LAB.example/]");
  expect(JSON.parse(both.out).map(({ profile, requests }: Record<string, unknown>) => [profile, requests])).toEqual([
    ["acme", 1],
    ["lab", 1],
  ]);
  expect(await plan("organization: [https://acme.example]")).toMatchObject({
    code: 2,
    err: expect.stringContaining("the file is for https://acme.example, but this is https://lab.example"),
  });
});

test("ends with the most serious exit code, and names each failure once", async () => {
  const some = fleet(["acme", "beta", "lab", "down", "rubbish"], {
    down: async () => answer(502, "bad gateway"),
    rubbish: async () => answer(200, "<html>"),
  });
  const { setup } = some;
  setup.keys!.set("acme", "wrong".repeat(6));
  setup.keys!.set("beta", "wrong".repeat(6));
  const { code, out, err } = await each(some, ["--", "folder", "list"]);
  expect(code).toBe(3);
  expect(out).toContain("lab\t1\tProjects");
  expect(err).toMatch(
    /^zulipctl: 1 of 5 organizations done; acme, beta: exit 3 \(.+\); down: exit 4 \(.+\); rubbish: exit 4 \(/m,
  );
});

test.each([
  [["--", "each", "--", "folder", "list"], "each cannot run for several organizations"],
  [["--", "watch"], "watch cannot run for several organizations"],
  [["--", "auth", "login"], "auth login cannot run for several organizations"],
  [["--", "profile", "list"], "profile list cannot run for several organizations"],
  [["--", "folder"], "folder requires a subcommand: create, update, archive, unarchive, reorder, list"],
  [["--", "folder", "lst"], 'unknown command "folder lst"'],
  [["--", "-p", "acme", "folder", "list"], "--profile is not allowed after --: --profiles chooses the organizations"],
  [["-p", "acme", "--", "folder", "list"], "--profile cannot be combined with each: use --profiles"],
  [
    ["--", "folder", "list", "--site", "https://x.example"],
    "--site is not allowed after --: --profiles chooses the organizations",
  ],
  [["--", "folder", "list", "--help"], "--help is not allowed after --"],
  [["--", "folder", "list", "-o", "ids"], "each cannot print ids alone: ids of several organizations mix"],
  [["-o", "ids", "--", "folder", "list"], "each cannot print ids alone: ids of several organizations mix"],
  [["--", "batch", "-", "--format", "lines"], "batch cannot read stdin in each: name a file"],
  [["folder", "list", "--archived"], "unknown flag: --archived"],
  [["--profiles", "acme,nowhere", "--", "folder", "list"], '--profiles: profile "nowhere" not found'],
])("refuses %j", async (argv, says) => {
  const { code, out, err, world } = await each(fleet(["acme", "lab"]), argv);
  expect({ code, out, err: err.split("\n")[0], sent: world.sent }).toEqual({
    ...{ code: 2, out: "", sent: [] },
    err: `zulipctl: ${says}`,
  });
});

test("reports errors as JSON if the command has --json", async () => {
  const { err } = await each(fleet(["acme"]), ["--", "folder", "archive", "Nowhere", "--json"]);
  expect(JSON.parse(err).error).toMatchObject({ exit_code: 2, organizations: [{ profile: "acme" }] });
});
