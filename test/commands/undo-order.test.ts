/** The order of what an undo sends, and what it does not send because something else failed. */
import { expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import type { Http, HttpRequest } from "../../src/world/world.ts";
import { credentials, fresh } from "../run.ts";
import { answer, type TestWorld, testWorld } from "../world.ts";

type Fault = (request: HttpRequest, world: TestWorld) => ReturnType<Http> | undefined;

function machine() {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  const zulipctl = async (line: string, { fault, input = "" }: { fault?: Fault; input?: string } = {}) => {
    const http: Http = async (request) => (await fault?.(request, world)) ?? sandbox.handle(request);
    const world = testWorld({ http, env: credentials(sandbox), files, logs, input });
    const code = await main(line.split(" "), world);
    const changes = world.sent.filter(({ method, url }) => method !== "GET" && !/register|events/.test(url));
    return { code, out: world.stdout.text, err: world.stderr.text, changes };
  };
  const names = async () => (await zulipctl("group list --fields id,name -o tsv")).out;
  const renameInRing = async () => {
    const ring = ["17 between", "18 designers", "19 writers", "17 makers"];
    const input = ring.map((each) => `group update ${each.replace(" ", " --new-name ")}\n`).join("");
    const { code, err } = await zulipctl("batch - --format lines", { input });
    expect(code, err).toBe(0);
  };
  return { zulipctl, names, renameInRing };
}

test("undo gives names back that went round", async () => {
  const { zulipctl, names, renameInRing } = machine();
  const before = await names();
  await renameInRing();
  expect(await names()).not.toBe(before);
  const { code, err } = await zulipctl("undo --yes");
  expect(code, err).toBe(0);
  expect(err).toContain("\n\n3 to change. 4 requests.\n");
  expect(await names()).toBe(before);
});

test("undo goes on from the temporary name that a killed one has left", async () => {
  const { zulipctl, names, renameInRing } = machine();
  const before = await names();
  await renameInRing();
  const interrupts: Fault = ({ method }, world) => {
    if (method === "PATCH") world.interrupt(new Interrupted("SIGINT"));
    return undefined;
  };
  expect((await zulipctl("undo --yes", { fault: interrupts })).code).toBe(130);
  expect(await names()).toContain("zulipctl renames");
  const { code, err } = await zulipctl("undo --yes");
  expect(code, err).toBe(0);
  expect(await names()).toBe(before);
});

test("undo adds nobody to lists whose reactivation was refused", async () => {
  const { zulipctl } = machine();
  const offboarded = await zulipctl("users offboard cora@sandbox.example --to otis@sandbox.example --yes");
  expect(offboarded.code, offboarded.err).toBe(0);
  const refuses: Fault = ({ url }) =>
    url.endsWith("/reactivate")
      ? Promise.resolve(answer(400, JSON.stringify({ result: "error", code: "BAD_REQUEST", msg: "Not now" })))
      : undefined;
  const { code, out, err, changes } = await zulipctl("undo --yes -o json", { fault: refuses });
  expect(code, err).toBe(5);
  expect(changes.map(({ url }) => new URL(url).pathname)).toEqual(["/api/v1/users/11/reactivate"]);
  expect(out).toContain("it needs cora@sandbox.example, which was refused: Not now");
});
