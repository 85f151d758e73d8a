/** An undo that was interrupted, or got no answer, and is run again. */
import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh } from "../run.ts";
import { answer, type TestWorld, testWorld } from "../world.ts";

type Fault = (send: () => ReturnType<Http>, world: TestWorld) => ReturnType<Http>;

/** A batch of three rows was made. Returns what runs further commands, each in a process of its own. */
async function afterBatch() {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  /** `fault` answers the second change. */
  const zulipctl = async (line: string, { fault, input }: { fault?: Fault; input?: string } = {}) => {
    let changes = 0;
    const http: Http = async (request) => {
      const send = () => sandbox.handle(request);
      return fault && request.method === "PATCH" && ++changes === 2 ? fault(send, world) : send();
    };
    const world = testWorld({ http, env: credentials(sandbox), files, logs, ...(input !== undefined && { input }) });
    const code = await main(line.split(" "), world);
    return { code, out: world.stdout.text, err: world.stderr.text };
  };
  const input = ["design", "general", "staff"].map((name) => `channel update ${name} --description x\n`).join("");
  expect((await zulipctl("batch - --format lines", { input })).code).toBe(0);
  const states = async () => (await zulipctl("batch list --fields state -o tsv")).out.split("\n").slice(1, -1);
  return { zulipctl, states, files };
}

const rest = "Check with: zulipctl undo 20260115-1 --dry-run. Resume with: zulipctl undo --yes 20260115-1\n";

test.each<[string, Fault]>([
  ["was not made", async () => answer(502, "")],
  ["was made", async (send) => ({ ...(await send()), status: 502 })],
])("undo without a run continues one whose change that %s had no answer", async (_, fault) => {
  const { zulipctl } = await afterBatch();
  const described = async () => (await zulipctl("channel list --fields description -o tsv")).out.match(/^x$/gm) ?? [];
  expect((await zulipctl("undo --yes", { fault })).code).toBe(7);
  const { code, err } = await zulipctl("undo --yes");
  expect(code, err).toBe(0);
  expect(err).toMatch(/^zulipctl: the undo 20260115-2 of run 20260115-1 .*: zulipctl undo 20260115-2\n/);
  expect(await described()).toEqual([]);
});

test("undo without a run continues one that was interrupted, with its --only", async () => {
  const { zulipctl } = await afterBatch();
  const interrupts: Fault = (send, world) => {
    world.interrupt(new Interrupted("SIGINT"));
    return send();
  };
  expect((await zulipctl("undo --yes --only design,general,staff", { fault: interrupts })).code).toBe(130);
  const { code, err } = await zulipctl("undo last --yes");
  expect(code, err).toBe(0);
  expect(err).toContain("continuing it");
  const again = await zulipctl("undo --yes");
  expect(again.code, again.err).toBe(0);
  expect(again.err).toContain("nothing to undo: everything that run 20260115-1 changed is back");
});

test("an undo that was interrupted names the run that it takes back", async () => {
  const { zulipctl } = await afterBatch();
  const interrupts: Fault = (send, world) => {
    world.interrupt(new Interrupted("SIGINT"));
    return send();
  };
  const { code, err } = await zulipctl("undo --yes", { fault: interrupts });
  expect(code).toBe(130);
  expect(err).toContain("interrupted: 2 of 3 changes done, 1 not sent\nResume with: zulipctl undo --yes 20260115-1\n");
});

test.each<[string, Fault, string]>([
  ["was not made", async () => answer(502, ""), ""],
  [
    "was made",
    async (send) => ({ ...(await send()), status: 502 }),
    "1 of 3 changes had no answer. Verified: everything that could go back is back, but it is unknown by whom\n",
  ],
])("undo ends with 7 if a change that %s has no answer, and is finished by the same undo", async (_, fault, says) => {
  const { zulipctl, states } = await afterBatch();
  const { code, err } = await zulipctl("undo --yes", { fault });
  expect(code).toBe(7);
  expect(err).toContain(says || "zulipctl: 1 of 3 not done (1 unknown): general: chat.example answered 502");
  expect(err.includes("not done")).toBe(!says);
  expect(err).toContain(rest);
  expect(await states()).toEqual([says ? "finished" : "unfinished", "finished"]);
  expect((await zulipctl("batch show last")).out.includes("Resume\tzulipctl undo 20260115-1\n")).toBe(!says);
  const again = await zulipctl("undo 20260115-1 --yes");
  expect(again.code, again.err).toBe(0);
  expect(again.err.includes("nothing to undo")).toBe(says !== "");
  expect(new Set(await states())).toEqual(new Set(["finished"]));
});

test("an undo that was killed is finished when nothing of it is left, and only then", async () => {
  const { zulipctl, states, files } = await afterBatch();
  const lines = (path: string) => (files.get(path) ?? "").split("\n");
  expect((await zulipctl("undo --yes --only general")).code).toBe(0);
  const [path = ""] = [...files.keys()].filter((name) => name.startsWith("/state/undo/"));
  // Nothing was written after the request was sent.
  files.set(path, `${lines(path).slice(0, 2).join("\n")}\n`);
  expect(await states()).toEqual(["unfinished", "finished"]);
  expect((await zulipctl("batch show last")).out).toContain("Resume\tzulipctl undo 20260115-1 --only general\n");
  expect((await zulipctl("undo 20260115-1 --only general --dry-run")).err).toContain("nothing to undo");
  expect((await zulipctl("undo 20260115-1 --only design --yes")).code).toBe(0);
  expect(await states()).toEqual(["finished", "unfinished", "finished"]);
  expect((await zulipctl("undo 20260115-1 --yes")).code).toBe(0);
  expect(await states()).toEqual(["finished", "finished", "finished", "finished"]);
});

test("undo names no flag that it lacks if the journal cannot be written", async () => {
  const { zulipctl, files } = await afterBatch();
  files.set = () => {
    throw new Error("EROFS: read-only file system");
  };
  const { code, err } = await zulipctl("undo --yes");
  expect(code).toBe(2);
  expect(err).toMatch(/cannot write the journal .*\nZULIPCTL_STATE_DIR names another directory for journals\.\n$/);
});

/** `lose`: the next change at such a path gets 502 and is not applied. `lock`: another process has locks of such paths. */
function organization() {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  let lost: string | undefined;
  let locked: string | undefined;
  const zulipctl = async (...argv: string[]) => {
    const http: Http = async (request) => {
      if (lost === undefined || request.method === "GET" || !request.url.includes(lost)) return sandbox.handle(request);
      lost = undefined;
      return answer(502, "");
    };
    const world = testWorld({ http, env: credentials(sandbox), files, logs });
    const { lock: take } = world.files;
    world.files.lock = async (path, ...rest) =>
      locked !== undefined && path.includes(locked) ? undefined : take(path, ...rest);
    const code = await main(argv, world);
    return { code, out: world.stdout.text, err: world.stderr.text };
  };
  const lock = (path: string) => {
    locked = path;
  };
  const lose = (path: string) => {
    lost = path;
  };
  return { files, zulipctl, lose, lock };
}

test("undo does not call a group back that it only took out of its own permission", async () => {
  const { files, zulipctl, lose } = organization();
  files.set("f.yaml", "groups:\n  - name: gg\n    can_mention_group: gg\n    members: [iris@sandbox.example]\n");
  expect((await zulipctl("org", "apply", "f.yaml", "--yes")).code).toBe(0);
  lose("/deactivate");
  const first = await zulipctl("undo", "--yes");
  expect([first.code, first.err.includes("everything that could go back is back")]).toEqual([7, false]);
  expect((await zulipctl("batch", "list", "--fields", "state", "-o", "tsv")).out).toContain("unfinished");
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code, err).toBe(0);
  expect(err).toContain("- group gg: deactivated\n");
});

test("undo leaves a channel that a later run made in place of a lost one", async () => {
  const { zulipctl, lose } = organization();
  lose("/channels/create");
  expect((await zulipctl("channel", "create", "zzz")).code).toBe(7);
  expect((await zulipctl("channel", "create", "zzz")).code).toBe(0);
  const { code, err } = await zulipctl("undo", "20260115-1", "--yes");
  expect(code, err).toBe(6);
  expect(err).toContain("a later run made it; look with: zulipctl channel show zzz");
});

test("a continued undo keeps its --only in the command that resumes it", async () => {
  const { zulipctl, lose } = organization();
  await zulipctl("channel", "update", "design", "--description", "x");
  lose("/streams/");
  expect((await zulipctl("undo", "--yes", "--only", "design")).code).toBe(7);
  lose("/streams/");
  const { code, err } = await zulipctl("undo", "--yes");
  expect(code).toBe(7);
  expect(err).toContain("Resume with: zulipctl undo --yes --only design 20260115-1\n");
});

test("undo refuses a run that is still going", async () => {
  const { files, zulipctl, lock } = organization();
  files.set("rows.csv", "name\ndesign\n");
  const words = ["batch", "rows.csv", "--", "channel", "update", "{name}", "--description", "x"];
  expect((await zulipctl(...words)).code).toBe(0);
  lock(".jsonl");
  const { code, err } = await zulipctl("undo", "--yes");
  expect([code, err]).toEqual([
    2,
    "zulipctl: run 20260115-1 is still running\nWait until that run ends, or stop it.\n",
  ]);
  lock("/organization/");
  const other = await zulipctl("undo", "--yes");
  expect([other.code, other.err]).toEqual([
    2,
    expect.stringContaining(
      "zulipctl: another zulipctl org apply, users offboard or undo of this account is running\n",
    ),
  ]);
});
