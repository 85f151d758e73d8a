/** Takes snapshots of sandboxes without a command. */
import type { Server } from "../../src/client/server.ts";
import { takeSnapshot } from "../../src/organization/fetch-snapshot.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import type { createSandbox } from "../../src/sandbox/index.ts";
import { call } from "../../src/wire/call.ts";
import { encode } from "../../src/wire/encode.ts";
import { person, site } from "../run.ts";

const moment = Date.UTC(2026, 0, 15, 12);

/** Returns what the owner, or `as`, sees. */
export async function snapshotIn(
  sandbox: ReturnType<typeof createSandbox>,
  as: number | string = 100,
): Promise<Snapshot> {
  const { email, api_key } = person(sandbox, as);
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString("base64")}`;
  const server = {
    site,
    email,
    host: new URL(site).host,
    call: async (operation: never, args: never) => {
      const { method, target, body } = encode(call(operation, args));
      const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
      const request = { method, url: `${site}${target}`, headers, timeout: 1000, ...(body !== undefined && { body }) };
      const parts: Uint8Array[] = [];
      for await (const part of (await sandbox.handle(request)).body) parts.push(part);
      return JSON.parse(Buffer.concat(parts).toString());
    },
  } as unknown as Server;
  return takeSnapshot(server, { command: "test", now: moment });
}
