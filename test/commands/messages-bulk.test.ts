import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { addMessages } from "../transcripts/setups.ts";
import { answer, memoryFiles, testWorld } from "../world.ts";

const spam = ["--narrow", "channel:design sender:otis@sandbox.example"];

function spammed(count: number) {
  const sandbox = fresh();
  addMessages(sandbox.state, count);
  return sandbox;
}

test("messages delete saves whole messages in a new file before the first request", async () => {
  const sandbox = spammed(2);
  const files = memoryFiles();
  const argv = ["messages", "delete", ...spam, "--keep", "spam.ndjson", "--yes", "-q"];
  let copied = "";
  const http: typeof sandbox.handle = async (request) => {
    if (request.method === "DELETE") copied ||= files.content.get("spam.ndjson") ?? "";
    return sandbox.handle(request);
  };
  expect(await zulipctl(argv, { sandbox, http, files: files.content })).toMatchObject({ code: 0 });
  const saved = copied
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(saved).toMatchObject([
    { id: 3, content: "Settled: green & white", subject: "✔ colours", sender_full_name: "Otis Member" },
    { id: 100, content: "spam 0" },
    { id: 101, content: "spam 1" },
  ]);
});

test("messages delete resumes an interrupted run with only the messages of that run", async () => {
  const sandbox = spammed(5);
  const files = new Map<string, string>();
  let left = 2;
  const http: typeof sandbox.handle = async (request) => {
    if (request.method === "DELETE" && request.url.includes("/messages/") && left-- <= 0)
      return answer(401, { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" });
    return sandbox.handle(request);
  };
  const first = await zulipctl(["messages", "delete", ...spam, "--yes", "-q"], { sandbox, http, files });
  expect(first.err).toContain("Resume with: zulipctl messages delete --yes -q --resume ");
  const like = sandbox.state.messages.get(104)!;
  sandbox.state.messages.set(200, { ...like, id: 200 });
  const { code, out } = await zulipctl(["messages", "delete", "--resume", "last", "--yes", "-o", "json"], {
    sandbox,
    files,
  });
  expect({
    code,
    outcomes: JSON.parse(out).map(({ target, outcome }: Record<string, string>) => `${target} ${outcome}`),
  }).toEqual({
    code: 0,
    outcomes: ["3 done", "100 done", "101 done", "102 done", "103 done", "104 done"],
  });
  expect(sandbox.state.messages.has(200)).toBe(true);
  expect([...sandbox.state.messages.keys()].filter((id) => id >= 100)).toEqual([200]);
});

test("messages find streams all pages with --all", async () => {
  const sandbox = spammed(6000);
  const { out, sent } = await zulipctl(["messages", "find", ...spam, "--all", "-o", "ids"], { sandbox });
  expect(out.trim().split("\n").map(Number)).toEqual([...Array.from({ length: 6000 }, (_, n) => 6099 - n), 3]);
  expect(sent.filter(({ url }) => url.includes("/messages?"))).toHaveLength(2);
});

test("a copy that cannot be written leaves no file, and the next run makes it", async () => {
  const sandbox = spammed(2);
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  const argv = ["messages", "delete", ...spam, "--keep", "spam.ndjson", "--yes", "-q", "-o", "none"];
  const full = async () => Promise.reject(new Error("no space left"));
  const createFile = async (path: string) => ({ ...(await world.files.createFile(path)), write: full });
  expect(await main(argv, { ...world, files: { ...world.files, createFile } })).toBe(2);
  expect(world.stderr.text).toContain("zulipctl: --keep: cannot write spam.ndjson: no space left\n");
  expect([...world.files.content.keys()]).not.toContain("spam.ndjson");
  expect(await main(argv, world)).toBe(0);
  expect(world.files.content.get("spam.ndjson")).toContain("spam 1");
});

test("a journal that cannot be written leaves neither journal nor copy", async () => {
  const sandbox = spammed(2);
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox) });
  const argv = ["messages", "delete", ...spam, "--keep", "spam.ndjson", "--journal", "j.jsonl", "--yes", "-o", "none"];
  const full = async () => Promise.reject(new Error("no space left"));
  const append: typeof world.files.append = async (...all) => ({ ...(await world.files.append(...all)), append: full });
  expect(await main(argv, { ...world, files: { ...world.files, append } })).toBe(2);
  expect(world.stderr.text).toContain("cannot write the journal j.jsonl: no space left");
  expect([...world.files.content.keys()].filter((path) => !path.startsWith("/"))).toEqual([]);
  expect(await main(argv, world)).toBe(0);
});

test("--resume last takes the run that began last, also after the clock was ahead", async () => {
  const sandbox = spammed(2);
  const files = new Map<string, string>();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), files });
  const run = (time: number) =>
    main(["messages", "delete", "--ids", time > 4e12 ? "100" : "101", "--yes", "-o", "none"], {
      ...world,
      clock: { ...world.clock, now: () => time },
    });
  expect(await run(Date.UTC(2099, 0, 1))).toBe(0);
  expect(await run(Date.UTC(2026, 0, 1))).toBe(0);
  const runs = [...files.keys()].filter((path) => path.includes("/messages-delete/")).sort();
  expect(files.get(runs[1]!)).toContain('"began":"2026-');
});
