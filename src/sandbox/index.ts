/** A server in memory: a function from request to response. Other rooms import only this file. */

import { MiB } from "../common/unit-sizes.ts";
import { Usage } from "../errors.ts";
import type { EmbeddedSetup, SandboxInfo } from "../world/embedded.ts";
import type { Clock, EmbeddedServer, HttpRequest } from "../world/world.ts";
import { respond } from "./answers.ts";
import { waitForEvent } from "./events/queue.ts";
import { injectFaults } from "./fault-injection.ts";
import { parseFault } from "./faults.ts";
import { activeOnly } from "./groups.ts";
import { listen } from "./listen.ts";
import { collectBody } from "./multipart.ts";
import { addUsers } from "./organization.ts";
import type { Disturbance, Sandbox, SandboxOptions } from "./sandbox-options.ts";
import { seed } from "./seed.ts";
import { operationOf, requestHandler } from "./serve.ts";
import type { SandboxState } from "./state.ts";
import { randomText } from "./text.ts";
import { versionAt } from "./versions.ts";
import { build, readWorld } from "./world-file.ts";

export { ApiError, respond } from "./answers.ts";
export { injectFaults } from "./fault-injection.ts";
export { faultKinds, parseFault } from "./faults.ts";
export { files } from "./files.ts";
export { joinSystemGroups, systemGroupId, updateFullMembers } from "./groups.ts";
export { listen } from "./listen.ts";
export { addChannel, addGroup } from "./organization.ts";
export { Limits, type RateLimit, rateLimitHeaders } from "./rate-limits.ts";
export { routes } from "./routes.ts";
export type { Disturbance, PendingRequest, Sandbox, SandboxOptions } from "./sandbox-options.ts";
export { operationOf } from "./serve.ts";
export { isBot, nextId, type SandboxState, type StoredGroup, type StoredUser } from "./state.ts";
export { readWorld } from "./world-file.ts";

/** The feature level of Zulip 12.3. */
export const defaultLevel = 500;

export function createSandbox(options: SandboxOptions): Sandbox {
  const { clock, random, site, level = defaultLevel, rateLimits = true, users = 0 } = options;
  const buildOptions = { site, level, now: clock.now(), random };
  const state = options.state ?? (options.world ? build(options.world, buildOptions) : seed(buildOptions));
  addUsers(state, users, buildOptions);
  if (options.randomPasswords && !options.world)
    for (const user of state.users.values()) if (user.password) user.password = randomText(random, 20);
  if (options.exportSize !== undefined) state.organization.export_size = options.exportSize;
  const answerTo = requestHandler({ state, level, site, clock, rateLimits, random });
  const disturb: Disturbance = options.disturb ?? (async ({ serve }) => respond(serve()));
  return {
    state,
    info: () => sandboxInfo(state, site, level),
    async handle(incoming, address = "127.0.0.1") {
      if (incoming.method === "GET") await waitForNextEvent(state, clock.now(), incoming);
      const request = await collectBody(incoming);
      const operation = operationOf(request, level);
      return disturb({ operation, request, serve: (isIgnored) => answerTo(request, address, isIgnored) });
    },
  };
}

/** How long a request for events waits, in milliseconds. */
const longestPoll = 50_000;

/** Waits for an event if the request is one for events and may block. */
async function waitForNextEvent(
  { queues, exports }: SandboxState,
  now: number,
  { url, signal }: HttpRequest,
): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  const queue = queues.get(searchParams.get("queue_id") ?? "");
  if (pathname !== "/api/v1/events" || !queue || searchParams.get("dont_block") === "true") return;
  // Exports become complete without a request. Timers may be a millisecond early.
  const times = [...exports.values()].map(({ ready_time }) => ready_time + 2 - now).filter((ms) => ms > 0);
  const timeout = Math.min(longestPoll, ...times);
  await waitForEvent(queue, Number(searchParams.get("last_event_id") ?? -1), timeout, signal);
}

/** Lists records in the order of their creation, system groups last. Omits direct messages. */
function sandboxInfo(state: SandboxState, site: string, level: number): SandboxInfo {
  return {
    site,
    feature_level: level,
    zulip_version: versionAt(level),
    users: [...state.users.values()].map((user) => ({
      user_id: user.user_id,
      email: user.delivery_email,
      full_name: user.full_name,
      role: user.role,
      is_bot: user.bot_type !== null,
      is_active: user.is_active,
      api_key: user.api_key,
      password: user.password ?? "",
    })),
    channels: [...state.channels.values()].map((channel) => ({
      stream_id: channel.stream_id,
      name: channel.name,
      is_private: channel.invite_only,
      is_web_public: channel.is_web_public,
      is_archived: channel.is_archived,
      subscribers: activeOnly(state, channel.subscribers),
    })),
    groups: [...state.groups.values()]
      .sort((a, b) => Number(a.is_system_group) - Number(b.is_system_group))
      .map(({ id, name, is_system_group, members }) => {
        return { id, name, is_system_group, members: activeOnly(state, members) };
      }),
    attachments: [...state.attachments.values()].map(({ id, owner_id }) => ({ id, owner_id })),
    messages: [...state.messages.values()].flatMap(({ id, stream_id, content }) =>
      stream_id === null ? [] : [{ id, stream_id, content }],
    ),
  };
}

/** Errors of the sandbox itself go to `defect`. */
export async function embed(
  { port, level, rateLimits, users, exportSize, world, faults, fixedPasswords }: EmbeddedSetup,
  clock: Clock,
  defect: (error: unknown) => void,
): Promise<EmbeddedServer> {
  const options: Omit<SandboxOptions, "site"> = {
    clock,
    random: clock.random,
    rateLimits,
    users,
    disturb: injectFaults(faults.map(parseFault), clock.sleep),
    randomPasswords: port !== undefined && !fixedPasswords,
    level,
    exportSize: exportSize === undefined ? undefined : exportSize * MiB,
    world: world && readWorld(world.text, world.file),
  };
  const make = (site: string) => createSandbox({ ...options, site });
  const { sandbox, close } =
    port === undefined
      ? { sandbox: make("https://sandbox.example"), close: async () => undefined }
      : await listen(port, make, defect).catch((error) => {
          if (error.code === "EADDRINUSE") throw new Usage(`--port ${port} is in use by another program`);
          if (error.code === "EACCES") throw new Usage(`--port ${port}: permission denied`);
          throw error;
        });
  const info = sandbox.info();
  return { info, request: (request) => sandbox.handle(request), close };
}
