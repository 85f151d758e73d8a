/** Several organizations in one world. Each is a sandbox with a profile. */
import { main } from "../src/main.ts";
import type { Http } from "../src/world/world.ts";
import { fresh, person } from "./run.ts";
import { type Setup, type TestWorld, testWorld } from "./world.ts";

type Sandbox = ReturnType<typeof fresh>;

export interface Fleet {
  /** By profile: `acme` is https://acme.example. */
  sandboxes: ReadonlyMap<string, Sandbox>;
  setup: Setup;
}

/** `broken`: answers that replace those of a sandbox. */
export function fleet(names: readonly string[], broken: Readonly<Record<string, Http>> = {}): Fleet {
  const sandboxes = new Map(names.map((name) => [name, fresh({ site: `https://${name}.example` })]));
  const keys = new Map<string, string>();
  const profiles: Record<string, object> = {};
  for (const [name, sandbox] of sandboxes) {
    const { email, api_key } = person(sandbox, 100);
    profiles[name] = { site: `https://${name}.example`, email, store: "keychain", account: name };
    keys.set(name, api_key);
  }
  const http: Http = (request) => {
    const name = new URL(request.url).hostname.replace(".example", "");
    return (broken[name] ?? sandboxes.get(name)!.handle)(request);
  };
  return { sandboxes, setup: { http, keys, config: { profiles } } };
}

export interface FleetRun {
  code: number;
  out: string;
  err: string;
  asked: string[];
  world: TestWorld;
}

export async function each({ setup }: Fleet, argv: readonly string[], more: Setup = {}): Promise<FleetRun> {
  const world = testWorld({ ...setup, ...more });
  // Each run gets a name of its own.
  let n = 0;
  const random = () => {
    n = (n + 7919) % 100_000;
    return n / 100_000;
  };
  const code = await main(["each", ...argv], { ...world, clock: { ...world.clock, random } });
  return { code, out: world.stdout.text, err: world.stderr.text, asked: world.asked, world };
}

/** Returns the folders that were added to each organization. */
export const newFolders = ({ sandboxes }: Fleet): Record<string, string[]> =>
  Object.fromEntries(
    [...sandboxes].map(([name, { state }]) => [
      name,
      [...state.folders.values()].map((folder) => folder.name).filter((each) => !["Projects", "Past"].includes(each)),
    ]),
  );
