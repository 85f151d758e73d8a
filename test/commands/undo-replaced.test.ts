/** Undo of what a run replaced, and of what others removed since. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

function organization() {
  const sandbox = fresh();
  const ownLogs = new Map<string, string>();
  const machine = (who = "iris@sandbox.example") => {
    const files = new Map<string, string>();
    const logs = who.startsWith("iris") ? ownLogs : new Map<string, string>();
    return async (words: string | readonly string[], lines: readonly string[] = []) => {
      if (lines.length) files.set("rows.txt", `${lines.join("\n")}\n`);
      const typed = typeof words === "string" ? words.split(" ") : words;
      const world = testWorld({ http: sandbox.handle, env: credentials(sandbox, who), files, logs });
      const code = await main([...typed, "--yes"], world);
      return { code, err: world.stderr.text };
    };
  };
  return { state: sandbox.state, machine, logs: ownLogs };
}

const batch = "batch rows.txt --format lines";
const python = (name: string, host: string) => `playground add python ${name} https://${host}.example/{code}`;

test.each(["--allow-subdomains", "--no-allow-subdomains"])(
  "undo of a domain that was replaced with %s ends with 0",
  async (flag) => {
    const { state, machine } = organization();
    const run = machine();
    expect(await run("domain add a.example --allow-subdomains")).toMatchObject({ code: 0 });
    expect(await run(batch, ["domain rm a.example", `domain add a.example ${flag}`])).toMatchObject({ code: 0 });
    const { code, err } = await run("undo");
    expect(code, err).toBe(0);
    expect(state.domains).toMatchObject([{ domain: "a.example", allow_subdomains: true }]);
  },
);

test("undo twice of a run that added a domain finds everything back", async () => {
  const { machine } = organization();
  const run = machine();
  await run("domain add a.example");
  expect(await run("undo")).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-1");
  expect([code, err]).toEqual([0, "zulipctl: nothing to undo: everything that run 20260115-1 changed is back\n"]);
});

test("undo adds nothing again in the place of what somebody else removed", async () => {
  const { state, machine } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  await run(python("Play", "old"));
  expect(await run(batch, ["playground rm 1", python("Play", "new")])).toMatchObject({ code: 0 });
  expect(await other("playground rm 2")).toMatchObject({ code: 0 });
  const { code, err } = await run("undo");
  expect([code, state.playgrounds], err).toEqual([6, []]);
  expect(err).toContain("conflict: what replaced it is gone, or not visible");
});

test("undo does not add a domain again that a run replaced and somebody else removed", async () => {
  const { state, machine } = organization();
  const run = machine();
  expect(await run("domain add a.example --allow-subdomains")).toMatchObject({ code: 0 });
  expect(await run(batch, ["domain rm a.example", "domain add a.example --allow-subdomains"])).toMatchObject({
    code: 0,
  });
  state.domains.length = 0;
  expect(await run("undo")).toMatchObject({ code: 6 });
  expect(state.domains).toEqual([]);
});

test("undo leaves a domain alone that later runs replaced with one like it", async () => {
  const { state, machine } = organization();
  const run = machine();
  await run("domain add a.example --allow-subdomains");
  for (const flag of ["--no-allow-subdomains", "--allow-subdomains", "--no-allow-subdomains"])
    expect(await run(batch, ["domain rm a.example", `domain add a.example ${flag}`])).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-2");
  expect([code, state.domains], err).toMatchObject([6, [{ domain: "a.example", allow_subdomains: false }]]);
  expect(err).toContain("conflict: it was changed by run 20260115-4 since");
});

test("undo of runs together does not add again what somebody else removed before the last of them", async () => {
  const { state, machine } = organization();
  const run = machine();
  await run(python("Play", "old"));
  await run(batch, ["playground rm 1", python("Play", "new")]);
  state.playgrounds.length = 0;
  expect(await run(python("Play", "newer"))).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-2 20260115-3");
  expect([code, state.playgrounds], err).toEqual([6, []]);
});

test("undo keeps no language of code blocks that the run itself set", async () => {
  const { state, machine } = organization();
  const run = machine();
  const lines = [python("One", "one"), python("Two", "two"), "settings update default_code_block_language=python"];
  expect(await run(batch, lines)).toMatchObject({ code: 0 });
  const { code, err } = await run("undo");
  expect([code, state.organization.settings.default_code_block_language], err).toEqual([0, ""]);
});

test("undo of lists alone leaves out people whose account stays deactivated", async () => {
  const { state, machine } = organization();
  const run = machine();
  await run("users offboard cora@sandbox.example --to otis@sandbox.example");
  const { code, err } = await run("undo --only designers");
  expect(code, err).toBe(6);
  expect(err).toContain("group designers: conflict: Cora Member is deactivated");
  expect([...state.users.values()].find(({ full_name }) => full_name === "Cora Member")?.is_active).toBe(false);
});

test("undo of a run whose changes an undo of an undo brought back does not call them back", async () => {
  const { state, machine } = organization();
  const run = machine();
  await run(python("Play", "old"));
  expect(await run("undo 20260115-1")).toMatchObject({ code: 0 });
  expect(await run("undo 20260115-2")).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-1");
  expect([code, state.playgrounds.length], err).toEqual([6, 1]);
  expect(err).toContain("playground Play: conflict: it is gone, or not visible");
});

test("undo knows that the last run changed something, although the log has only what was refused", async () => {
  const { machine, logs } = organization();
  const run = machine();
  const log = "/state/log.ndjson";
  expect(await run(batch, ["drafts rm 9", "drafts add --content x"])).toMatchObject({ code: 5 });
  logs.set(
    log,
    (logs.get(log) ?? "")
      .split(/(?<=\n)/)
      .filter((line) => line.includes("refused"))
      .join(""),
  );
  const { code, err } = await run("undo");
  expect(code, err).toBe(5);
  expect(err).toContain("1 change of this run is not in the log: left alone");
});

test("undo with --only does not say that everything is back", async () => {
  const { machine } = organization();
  const run = machine();
  await run(batch, ["channel update design --description x", "channel update general --description y"]);
  expect(await run("undo 20260115-1 --only design")).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-1 --only design");
  expect([code, err]).toEqual([0, "zulipctl: nothing to undo: what run 20260115-1 changed of design is back\n"]);
});

test.each([
  ["playground", python("Play", "old"), "playground rm"],
  ["draft", "drafts add --content one", "drafts rm"],
  ["domain", "domain add a.example", "domain rm a.example"],
])("undo twice does not add a %s again that a later run removed", async (kind, add, remove) => {
  const { machine } = organization();
  const run = machine();
  const removal = async (id: number) => run(kind === "domain" ? remove : `${remove} ${id}`);
  await run(add);
  expect(await removal(1)).toMatchObject({ code: 0 });
  expect(await run("undo")).toMatchObject({ code: 0 });
  expect(await removal(2)).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-2");
  expect(code, err).toBe(6);
  expect(err).toContain("conflict: it was removed by run 20260115-4 since");
  expect(await run("undo 20260115-4")).toMatchObject({ code: 0 });
});

test("undo does not add again what somebody else removed after an undo", async () => {
  const { state, machine } = organization();
  const [run, other] = [machine(), machine("adam@sandbox.example")];
  await run(python("Play", "old"));
  await run("playground rm 1");
  expect(await run("undo")).toMatchObject({ code: 0 });
  expect(await other("playground rm 2")).toMatchObject({ code: 0 });
  const { code, err } = await run("undo 20260115-2");
  expect([code, state.playgrounds], err).toEqual([6, []]);
  expect(err).toContain("conflict: it was taken back already, and removed since");
});
