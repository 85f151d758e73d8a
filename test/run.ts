/** Runs a command line in this process on a fresh sandbox, and returns all that a person would see. */
import { main } from "../src/main.ts";
import { createSandbox, defaultLevel, type SandboxOptions } from "../src/sandbox/index.ts";
import type { HttpRequest } from "../src/world/world.ts";
import { type Setup, testWorld } from "./world.ts";

export const site = "https://chat.example";

export interface Run {
  code: number;
  out: string;
  err: string;
  /** The requests, without reads of the feature level. */
  sent: HttpRequest[];
}

type Sandbox = ReturnType<typeof createSandbox>;

export interface Options extends Setup {
  /** By default a fresh one. */
  sandbox?: Sandbox;
  level?: number;
  /** The account in the environment: an address, or the first person with this role. By default the owner. */
  as?: number | string;
}

const clock = { now: () => Date.UTC(2026, 0, 15, 12) };

/** A fixed sequence, so that keys and passwords are the same in every run. */
export const sequence = (n = 0) => ({
  next: () => {
    n = (n * 1103515245 + 12345) % 2147483648;
    return n / 2147483648;
  },
  at: () => n,
});

/** Makes the first state of a sandbox, and the position of the sequence. Copying it is three times as fast. */
function seededAt(level: number | undefined) {
  const { next: random, at } = sequence();
  const { state } = createSandbox({ site, clock, random, level });
  return { state: structuredClone(state), at: at() };
}
const seededNow = seededAt(undefined);
const seededThen = seededAt(371);

export function fresh(options: Partial<SandboxOptions> = {}): Sandbox {
  const others = ["site", "clock", "random", "world", "state"].some((name) => name in options);
  const seeded = (options.level ?? defaultLevel) > 371 ? seededNow : seededThen;
  const made = others
    ? { random: sequence().next }
    : { random: sequence(seeded.at).next, state: structuredClone(seeded.state) };
  return createSandbox({ site, rateLimits: false, clock, ...made, ...options });
}

export function person(sandbox: Sandbox, who: number | string) {
  const users = sandbox.info().users;
  const found = users.find((user) =>
    typeof who === "number" ? user.role === who && user.is_active && !user.is_bot : user.email === who,
  );
  if (!found) throw new Error(`nobody in the sandbox is ${who}`);
  return found;
}

export const credentials = (sandbox: Sandbox, who: number | string = 100): Record<string, string> => {
  const { email, api_key } = person(sandbox, who);
  return { ZULIP_SITE: site, ZULIP_EMAIL: email, ZULIP_API_KEY: api_key };
};

/** Makes a current profile instead, with its key in the keychain. */
export function inProfile(
  sandbox: Sandbox,
  name: string,
  who: number | string = 100,
): Pick<Setup, "config" | "env" | "keys"> {
  const { email, api_key } = person(sandbox, who);
  const profile = { site, email, store: "keychain", account: name };
  return { config: { current: name, profiles: { [name]: profile } }, env: {}, keys: new Map([[name, api_key]]) };
}

export async function zulipctl(argv: readonly string[], options: Options = {}): Promise<Run> {
  const { asked: _, ...run } = await zulipctlAsking(argv, options);
  return run;
}

/** Also returns the questions. `confirm` answers them. */
export async function zulipctlAsking(
  argv: readonly string[],
  options: Options = {},
): Promise<Run & { asked: string[] }> {
  const sandbox = options.sandbox ?? fresh({ level: options.level });
  const world = testWorld({
    http: sandbox.handle,
    ...options,
    env: options.env ?? credentials(sandbox, options.as),
  });
  const code = await main(argv, world);
  const sent = world.sent.filter(({ url }) => !url.endsWith("/api/v1/server_settings"));
  return { code, out: world.stdout.text, err: world.stderr.text, sent, asked: world.asked };
}
