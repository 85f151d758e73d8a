/** Asking a sandbox in-process, as somebody of the seeded organization. */

import { seededRandom } from "../../src/sandbox/disturb.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/index.ts";
import type { User } from "../../src/sandbox/state.ts";
import type { HttpResponse, Method } from "../../src/world.ts";

export { seededRandom };

export const site = "https://chat.example";
export const noon = Date.UTC(2026, 10, 21, 12);

/** A clock that stands still until it is moved. */
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

export function person({ state }: Sandbox, key: string): User {
  const found = [...state.users.values()].find(({ delivery_email }) => delivery_email.startsWith(`${key}@`));
  if (!found) throw new Error(`nobody is called ${key}`);
  return found;
}

export const basic = ({ delivery_email, api_key }: User): string =>
  `Basic ${Buffer.from(`${delivery_email}:${api_key}`).toString("base64")}`;

export interface Asked {
  /** The beginning of an address; nobody where absent. */
  as?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  form?: Record<string, string>;
  /** Sent as it is, instead of `form`. */
  body?: string;
  address?: string;
}

export async function textOf({ body }: HttpResponse): Promise<string> {
  let text = "";
  for await (const chunk of body) text += new TextDecoder().decode(chunk);
  return text;
}

/** Asks below `/api/v1`; `body` is the JSON of the answer, or its text where it is none. */
export async function ask(sandbox: Sandbox, method: string, path: string, asked: Asked = {}) {
  const { as, headers = {}, query = {}, form, body, address } = asked;
  const search = new URLSearchParams(query).toString();
  const response = await sandbox.handle(
    {
      method: method as Method,
      url: `${site}/api/v1${path}${search && `?${search}`}`,
      headers: {
        ...(as === undefined ? {} : { authorization: basic(person(sandbox, as)) }),
        ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
        ...headers,
      },
      body: body ?? (form && new URLSearchParams(form).toString()),
      timeout: 1000,
    },
    address,
  );
  const text = await textOf(response);
  const json = /^[[{]/.test(text);
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Registers an event queue. Each call of the result returns the new events. */
export async function queueOf(sandbox: Sandbox, as: string, types: string[], more: Record<string, string> = {}) {
  const capabilities = { notification_settings_null: false, bulk_message_deletion: true };
  const form = { event_types: JSON.stringify(types), client_capabilities: JSON.stringify(capabilities), ...more };
  const { body } = await ask(sandbox, "POST", "/register", { as, form });
  let last = "-1";
  return async (): Promise<Record<string, unknown>[]> => {
    const query = { queue_id: body.queue_id, last_event_id: last, dont_block: "true" };
    const { events } = (await ask(sandbox, "GET", "/events", { as, query })).body;
    last = String(events.at(-1)?.id ?? last);
    return events;
  };
}

/** The error body of a refusal. */
export const refusal = (msg: string, more: object = {}, code = "BAD_REQUEST") => ({
  result: "error",
  msg,
  ...more,
  code,
});

/** A channel, group or folder of the seeded organization by its name. */
export const named = <T extends { name: string }>(records: ReadonlyMap<number, T>, name: string): T =>
  [...records.values()].find((each) => each.name === name)!;

/** JSON whose members stand in one order, for comparing. */
export const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
