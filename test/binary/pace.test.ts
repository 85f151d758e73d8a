/** Processes of one account at a server that takes twelve calls in any four seconds. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directory } from "../node/directory.ts";
import { hostile, refusal } from "./hostile-server.ts";
import { environment, zulipctl } from "./program.ts";

const window = 4000;
const hits = 12;

async function limited() {
  const times: number[] = [];
  let refused = 0;
  const server = await hostile((socket) => {
    const now = Date.now();
    while (times.length && times[0]! <= now - window) times.shift();
    if (times.length >= hits) {
      refused++;
      return socket.write(refusal(429, "RATE_LIMIT_HIT", { "retry-after": (times[0]! + window - now) / 1000 }));
    }
    times.push(now);
    const left = [
      `x-ratelimit-limit: ${hits}`,
      `x-ratelimit-remaining: ${hits - times.length}`,
      `x-ratelimit-reset: ${Math.ceil((now + window) / 1000)}`,
    ];
    const body = '{"result":"success","msg":""}';
    return socket.write(`HTTP/1.1 200 OK\r\n${left.join("\r\n")}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  });
  return { server, refused: () => refused };
}

const removing = (count: number) => [
  "attachment",
  "rm",
  ...Array.from({ length: count }, (_, n) => String(n + 1)),
  "--yes",
];

async function run(processes: number, home: string, before: (site: string) => void = () => undefined) {
  const { server, refused } = await limited();
  before(server.site);
  const env = { ...environment(home), ...server.env };
  const ended = await Promise.all(Array.from({ length: processes }, () => zulipctl(removing(10), { env })));
  expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(ended.map(() => ({ code: 0, err: "" })));
  expect(server.asked.length - refused()).toBe(10 * processes);
  return refused();
}

const paceIn = (home: string) => join(home, ".local/state/zulipctl/pace");

test("two processes share what is left through a file, so that hardly a call is refused", async () => {
  const home = directory();
  expect(await run(2, home)).toBeLessThanOrEqual(1);
  expect(readdirSync(paceIn(home))).toHaveLength(1);
});

test("where the file is locked by another machine, each goes its own way and all is done", async () => {
  const home = directory();
  await run(2, home, (site) => {
    const name = createHash("sha256").update(`${site} ada@chat.example`).digest("hex").slice(0, 16);
    const lock = join(paceIn(home), `${name}.json.lock`);
    mkdirSync(lock, { recursive: true });
    writeFileSync(join(lock, "1~1~elsewhere~0"), "");
  });
});

test("a limit that lifts in days ends a batch in time, with what is known of each row", async () => {
  let left = 12;
  const server = await hostile((socket) => {
    const body = '{"result":"success","msg":""}';
    const reset = Math.floor(Date.now() / 1000) + 2 * 24 * 3600 - 600;
    const headers = ["limit: 12", `remaining: ${--left}`, `reset: ${reset}`].map((each) => `x-ratelimit-${each}`);
    socket.write(`HTTP/1.1 200 OK\r\n${headers.join("\r\n")}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  });
  const home = directory();
  const rows = join(home, "rows.csv");
  writeFileSync(rows, `id\n${Array.from({ length: 20 }, (_, n) => n + 1).join("\n")}\n`);
  const words = ["batch", rows, "-o", "ndjson", "--yes", "--", "attachment", "rm", "{id}"];
  const { code, out, err } = await zulipctl(words, { env: { ...environment(home), ...server.env } });
  const outcomes = out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).outcome);
  expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(12);
  expect(outcomes.filter((outcome) => outcome === "not_sent")).toHaveLength(8);
  expect(code).toBe(5);
  expect(err).toMatch(/Rest not sent: 127\.0\.0\.1:\d+ takes the next request of this account in 47 h \d+ min/);
});
