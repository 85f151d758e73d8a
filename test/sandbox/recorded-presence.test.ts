import { expect, test } from "vitest";
import { createSandbox } from "../../src/sandbox/index.ts";
import { differs, readRecorded, setUp } from "./recorded.ts";

/** Cases that are not asked, and why. */
const leftOut: readonly [why: string, cases: RegExp][] = [
  ["times that were put into the server by hand", /\[state:|present|^organization: (?:can_access|somebody)/],
  ["people who were present by calls that the recording leaves out", /^own: (?:guest|new_user|slim|last_update_id=)/],
  ["people of whom the recording tells nothing", /^one person: by |another organization|hides it/],
  ["register tells of last messages where nobody was present", /^register: presence, presence_history_limit_days=/],
  ["settings of one's own account", /presence_enabled|switching presence|away switches/],
  ["events of queues that were made before", /^events/],
  ["codes of built-in emoji", /wrong code/],
  ["texts that the recording does not hold", /^status of a person: (?:emoji taken away|by a (?:guest|bot)|of oneself)/],
  ["minutes passed before it", /^one person: unknown parameter/],
];

test("the sandbox answers as a server of level 371 did when asked about presence, one after the other", async () => {
  const state = setUp({ emoji: { 1: { name: "q7" } } });
  const differences = [];
  let asked = 0;
  for (const recorded of readRecorded("presence")) {
    if (leftOut.some(([, cases]) => cases.test(recorded.case))) continue;
    asked += 1;
    const difference = await differs({ ...recorded, only: true }, state);
    if (difference) differences.push(difference);
  }
  expect(differences).toEqual([]);
  expect(asked).toBeGreaterThan(40);
});

test("people come, become idle and go", async () => {
  const state = setUp({});
  let now = Date.UTC(2026, 10, 24);
  const sandbox = createSandbox({
    ...{ site: "https://chat.example", clock: { now: () => now }, random: () => 0.5, state, level: 371 },
    rateLimits: false,
  });
  const call = async (id: number, method: "GET" | "POST", path: string, form: Record<string, string> = {}) => {
    const { delivery_email, api_key } = state.users.get(id)!;
    const authorization = `Basic ${Buffer.from(`${delivery_email}:${api_key}`).toString("base64")}`;
    const text = new URLSearchParams(form).toString();
    const url = `https://chat.example/api/v1${path}${method === "GET" && text ? `?${text}` : ""}`;
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    const { body } = await sandbox.handle({
      method,
      url,
      headers,
      timeout: 1000,
      ...(method === "POST" && { body: text }),
    });
    let answer = "";
    for await (const chunk of body) answer += new TextDecoder().decode(chunk);
    return JSON.parse(answer);
  };
  const seconds = now / 1000;
  const { queue_id } = await call(107, "POST", "/register", { event_types: '["presence"]' });
  const ping = (id: number, form: Record<string, string>) => call(id, "POST", "/users/me/presence", form);

  await ping(106, { status: "active", ping_only: "true" });
  now += 100_000;
  const slim = await ping(106, { status: "idle", slim_presence: "true" });
  expect(slim.presences).toEqual({ 106: { active_timestamp: seconds, idle_timestamp: seconds + 100 } });
  expect((await call(107, "GET", "/users/106/presence")).presence.aggregated).toEqual({
    status: "idle",
    timestamp: seconds + 100,
  });
  now += 300_000;
  expect((await call(107, "GET", "/users/106/presence")).presence).toEqual({
    aggregated: { status: "offline", timestamp: seconds + 100 },
    website: { status: "idle", timestamp: seconds + 100 },
  });
  await ping(106, { status: "active" });
  expect(
    (await ping(107, { status: "active", last_update_id: String(slim.presence_last_update_id) })).presences,
  ).toEqual({
    106: { active_timestamp: seconds + 400, idle_timestamp: seconds + 400 },
    107: { active_timestamp: seconds + 400, idle_timestamp: seconds + 400 },
  });
  const { events } = await call(107, "GET", "/events", { queue_id, last_event_id: "-1", dont_block: "true" });
  expect(events.map(({ user_id, presence }: Record<string, never>) => [user_id, presence])).toEqual(
    [
      [106, "active", seconds],
      [106, "active", seconds + 400],
      [107, "active", seconds + 400],
    ].map(([id, status, timestamp]) => [id, { website: { client: "website", status, timestamp, pushable: false } }]),
  );
  now += 20 * 86_400_000;
  expect((await call(107, "GET", "/realm/presence")).presences).toEqual({});
  expect(Object.keys((await ping(108, { status: "idle", history_limit_days: "30" })).presences)).toHaveLength(3);
});
