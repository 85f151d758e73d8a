/** Processes of one account on a server that accepts twelve calls in four seconds. */
import { readdirSync } from "node:fs";
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

async function run(processes: number, home: string) {
  const { server, refused } = await limited();
  const env = { ...environment(home), ...server.env };
  const ended = await Promise.all(Array.from({ length: processes }, () => zulipctl(removing(10), { env })));
  expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(ended.map(() => ({ code: 0, err: "" })));
  expect(server.asked.length - refused()).toBe(10 * processes);
  return refused();
}

const paceIn = (home: string) => join(home, ".local/state/zulipctl/pace");

test("two processes share the rate limit through a file", async () => {
  const home = directory();
  expect(await run(2, home)).toBeLessThanOrEqual(1);
  expect(readdirSync(paceIn(home))).toHaveLength(1);
});
