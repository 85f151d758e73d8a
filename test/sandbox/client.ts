/** Sends requests to a sandbox in this process, as people of the seeded organization. */

import { seededRandom } from "../../src/sandbox/fault-injection.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import type { StoredUser } from "../../src/sandbox/state.ts";
import type { HttpResponse, Method } from "../../src/world/world.ts";

export { seededRandom };

export const site = "https://chat.example";
export const noon = Date.UTC(2026, 10, 21, 12);

/** A clock that only moves with `forward`. */
export function clockAt(start: number) {
  let now = start;
  return {
    now: () => now,
    forward: (ms: number) => {
      now += ms;
    },
  };
}

export const sandboxOf = (options: Partial<SandboxOptions> = {}): Sandbox =>
  createSandbox({ site, clock: clockAt(noon), random: seededRandom(7), ...options });

export function person({ state }: Sandbox, key: string): StoredUser {
  const found = [...state.users.values()].find(({ delivery_email }) => delivery_email.startsWith(`${key}@`));
  if (!found) throw new Error(`unknown person ${key}`);
  return found;
}

export const basicAuth = ({ delivery_email, api_key }: StoredUser): string =>
  `Basic ${Buffer.from(`${delivery_email}:${api_key}`).toString("base64")}`;

export interface RequestOptions {
  /** The beginning of an address. Default: no credentials. */
  as?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  form?: Record<string, string>;
  /** Sent instead of `form`. */
  body?: string;
  address?: string;
  signal?: AbortSignal;
}

export async function textOf({ body }: HttpResponse): Promise<string> {
  let text = "";
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  return text;
}

/** The path is below `/api/v1`. Returns the parsed body, or its text if it is not JSON. */
export async function sendRequest(sandbox: Sandbox, method: string, path: string, options: RequestOptions = {}) {
  const { as, headers = {}, query = {}, form, body, address, signal } = options;
  const search = new URLSearchParams(query).toString();
  const response = await sandbox.handle(
    {
      method: method as Method,
      url: `${site}/api/v1${path}${search && `?${search}`}`,
      headers: {
        ...(as === undefined ? {} : { authorization: basicAuth(person(sandbox, as)) }),
        ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
        ...headers,
      },
      body: body ?? (form && new URLSearchParams(form).toString()),
      timeout: 1000,
      signal,
    },
    address,
  );
  const text = await textOf(response);
  const json = /^[[{]/.test(text);
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Registers an event queue. Each call of the result returns the new events. */
export async function openQueue(sandbox: Sandbox, as: string, types: string[], more: Record<string, string> = {}) {
  const capabilities = { notification_settings_null: false, bulk_message_deletion: true };
  const form = { event_types: JSON.stringify(types), client_capabilities: JSON.stringify(capabilities), ...more };
  const { body } = await sendRequest(sandbox, "POST", "/register", { as, form });
  let last = "-1";
  return async (): Promise<Record<string, unknown>[]> => {
    const query = { queue_id: body.queue_id, last_event_id: last, dont_block: "true" };
    const { events } = (await sendRequest(sandbox, "GET", "/events", { as, query })).body;
    last = String(events.at(-1)?.id ?? last);
    return events;
  };
}

/** The error body of a refusal. */
export const errorBody = (msg: string, more: object = {}, code = "BAD_REQUEST") => ({
  result: "error",
  msg,
  ...more,
  code,
});

/** A channel, group or folder of the seeded organization by its name. */
export const findByName = <T extends { name: string }>(records: ReadonlyMap<number, T>, name: string): T =>
  [...records.values()].find((each) => each.name === name)!;

/** JSON with sorted members, for comparison. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
