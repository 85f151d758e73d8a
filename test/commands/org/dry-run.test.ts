/** What a dry run shows, and which commands are named. */
import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../../run.ts";
import { changing, channelNamed, dying, filesOf, hinted } from "./applying.ts";

const twoFolders = "folders: [{ name: One }, { name: Two }]";
const journal = ["--journal", "run.jsonl", "--yes"];

interface Shown {
  readonly operation: string;
  readonly parameters: object;
}

async function planned(text: string, sandbox = fresh()) {
  const files = filesOf(text);
  await zulipctl(["org", "plan", "organization.yaml", "--out", "plan.json"], { sandbox, files });
  return { sandbox, files };
}

describe("a dry run", () => {
  test("shows no requests for an applied plan", async () => {
    const { sandbox, files } = await planned(twoFolders);
    await zulipctl(["org", "apply", "--yes", "plan.json"], { sandbox, files });
    const { code, out, err } = await zulipctl(["org", "apply", "plan.json", "-n", "-o", "json"], { sandbox, files });
    expect({ code, out: JSON.parse(out), err }).toEqual({
      code: 0,
      out: [],
      err: "zulipctl: https://chat.example already matches: no changes\n",
    });
  });

  test("refuses a plan after somebody changed something", async () => {
    const { sandbox, files } = await planned(
      "channels: [{ name: design, description: Sketches }]\nfolders: [{ name: One }]",
    );
    channelNamed(sandbox.state, "design").description = "by another";
    const { code, err, out } = await zulipctl(["org", "apply", "plan.json", "-n"], { sandbox, files });
    expect({ code, out }).toEqual({ code: 6, out: "" });
    expect(err).toContain('channel design now has another description: "by another"');
  });

  test("ends with what a guard says about a plan", async () => {
    const { sandbox, files } = await planned("groups: [{ name: designers, members: [] }]");
    const { code, err, out } = await zulipctl(["org", "apply", "plan.json", "-n"], { sandbox, files });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("all members of group designers would be removed");
    const lifted = await zulipctl(["org", "apply", "plan.json", "-n", "--allow-empty"], { sandbox, files });
    expect(lifted.code).toBe(0);
  });
});

test("asks no question about a plan that a guard stops", async () => {
  const { sandbox, files } = await planned("groups: [{ name: designers, members: [] }]");
  const words = ["org", "apply", "--yes", "plan.json"];
  const { code, err, asked } = await zulipctlAsking(words, { sandbox, files, terminal: true, confirm: [true] });
  expect({ code, asked }).toEqual({ code: 2, asked: [] });
  expect(err).toContain("--allow-empty");
});

describe("names the command to check with", () => {
  const folder = "what we do";
  const name = `${folder}/organization.yaml`;

  test.each([
    ["with files", ["org", "apply", "--yes", name, "--prune"]],
    ["with flags before, behind and between", ["--timeout", "30", "org", "apply", "--prune", name, "--yes"]],
    ["behind --", ["org", "apply", "--yes", "--no-verify", "--", name]],
    ["whose file is called as the value of a flag", ["--color", "never", "org", "apply", "--yes", "never"]],
  ])("does the rest of a run %s", async (_, words) => {
    const sandbox = fresh();
    const files = new Map([[words.at(-1) === "never" ? "never" : name, twoFolders]]);
    const line = words.includes("--")
      ? [...words.slice(0, -2), ...journal, ...words.slice(-2)]
      : [...words, ...journal.slice(0, words.includes("--yes") ? -1 : undefined)];
    const { err } = await zulipctl(line, { sandbox, files, http: dying(sandbox, 1) });
    const on = hinted(err, "Go on with");
    const dry = await zulipctl([...on, "-n", "-o", "json"], { sandbox, files });
    expect((JSON.parse(dry.out) as Shown[]).length).toBe(1);
    const gone = await zulipctl(on, { sandbox, files });
    expect({ code: gone.code, err: gone.err.split("\n")[0] }).toEqual({
      code: 0,
      err: expect.any(String),
    });
  });

  test.each([
    ["files", ["org", "apply", "--yes", name], ["org", "plan", name]],
    ["files that are pruned", ["org", "apply", "--yes", name, "--prune"], ["org", "plan", "--prune", name]],
    ["stdin", ["org", "apply", "-"], ["org", "apply", "-n", "-"]],
    ["a file called like a flag", ["org", "apply", "--", "-odd"], ["org", "plan", "--", "-odd"]],
    ["a plan", ["org", "apply", "plan.json"], ["org", "apply", "-n", "plan.json"]],
  ])("finds out what became of %s", async (_, words, finds) => {
    const sandbox = fresh();
    const text = "linkifiers: [{ pattern: 'Q(?P<n>[0-9]+)', url_template: 'https://t.example/{n}' }]";
    const { files } = await planned(text, sandbox);
    files.set(name, text).set("-odd", text);
    const stdin = words.includes("-") ? { input: text } : {};
    const { err, code } = await zulipctl(words.toSpliced(2, 0, ...journal), {
      sandbox,
      files,
      ...stdin,
      http: dying(sandbox, 0),
    });
    expect(code).toBe(7);
    const find = hinted(err, "Check with");
    expect(find).toEqual(finds);
    const found = await zulipctl(find, { sandbox, files, ...stdin });
    expect({ code: found.code, changes: changing(found.sent) }).toEqual({ code: 0, changes: [] });
    expect(found.out).toContain("Q(?P<n>[0-9]+)");
  });
});

test("records the command line in the journal, for batch list", async () => {
  const sandbox = fresh();
  const files = filesOf(twoFolders);
  await zulipctl(["org", "apply", "organization.yaml", "--yes"], { sandbox, files });
  const { out } = await zulipctl(["batch", "list", "--json", "--fields", "state,done,command"], { sandbox, files });
  expect(JSON.parse(out)).toEqual([
    { state: "finished", done: 2, command: "zulipctl org apply organization.yaml --yes" },
  ]);
});
