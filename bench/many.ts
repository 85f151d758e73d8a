/** Many changes, each a request, one at a time: `many client|bare <count>`. Prints the milliseconds they took. */
import { updateChannel } from "../src/api/channels.ts";
import { RetryBudget } from "../src/client/retry.ts";
import { Server } from "../src/client/server.ts";
import { realWorld } from "../src/node/real-world.ts";
import { defaultLevel } from "../src/sandbox/index.ts";
import { call } from "../src/wire/call.ts";
import { Secret } from "../src/world/world.ts";
import { bareLoop } from "./bare-loop.ts";

const [, , who, count] = process.argv;
const { ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY } = process.env as Record<string, string>;
const site = ZULIP_SITE!;

type Send = (id: number) => Promise<unknown>;

function client(): { send: Send; close(): Promise<unknown> } {
  const key = async () => new Secret(ZULIP_API_KEY!);
  const account = { site, email: ZULIP_EMAIL!, key, tls: {} };
  const manner = {
    timeout: 30_000,
    retryBudget: new RetryBudget(120_000),
    allowIgnored: false,
    grace: 2000,
    level: defaultLevel,
    many: true,
  };
  const world = { ...realWorld("0", () => false), embed: () => Promise.reject(new Error("there is no sandbox here")) };
  const server = new Server(world, account, manner);
  const send = (stream_id: number) =>
    server.deliver(call(updateChannel, { stream_id, description: `channel ${stream_id}` }));
  return { send, close: () => server.close() };
}

function bare(): { send: Send; close(): Promise<unknown> } {
  const { send, close } = bareLoop();
  return { send: (id) => send(id, `channel ${id}`), close };
}

async function main(): Promise<void> {
  const { send, close } = who === "client" ? client() : bare();
  const begun = performance.now();
  for (let id = 1; id <= Number(count); id++) await send(id);
  process.stdout.write(`${performance.now() - begun}\n`);
  await close();
}

void main();
