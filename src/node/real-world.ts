/** Makes the real world. Nothing is opened or loaded before it is used. */
import { type } from "node:os";
import { dirname } from "node:path";
import { isatty } from "node:tty";
import type { World } from "../world/world.ts";
import { clock } from "./clock.ts";
import { directoriesOf } from "./directories.ts";
import { filesOf, type OwnDirectories } from "./files.ts";
import { keychain } from "./keychain.ts";
import { prompts } from "./prompts.ts";
import { settingsFile } from "./settings-file.ts";
import { listenForSignals, writeNow } from "./signals.ts";
import { input, output } from "./streams.ts";

/** `json` returns whether errors are printed as JSON. */
export function realWorld(version: string, json: () => boolean): Omit<World, "embed"> {
  const env = { ...process.env };
  // Programs that zulipctl starts do not need the key.
  const { ZULIP_API_KEY: _, ...childEnv } = env;
  const { settings: configuration, ...where } = directoriesOf(env);
  const signals = listenForSignals(process, writeNow, json);
  const own: OwnDirectories = {
    written: [dirname(configuration), where.cache, where.state],
    read: [where.cache, where.state],
    disposable: [where.cache],
  };
  const files = filesOf(own, { stop: signals.stop });
  return {
    version,
    installation: async () => (await import("./installation.ts")).installation(where.cache),
    platform: `${type()}; node ${process.versions.node}`,
    env,
    directories: where,
    stdin: input(() => process.stdin, signals.stop),
    stdout: output(1, () => process.stdout, env, false),
    stderr: output(2, () => process.stderr, env, true),
    clock,
    connect: async (tls) => (await import("./http.ts")).connect(tls, env),
    peers: {
      proxyFor: async (site) => (await import("./proxy.ts")).proxyFor(new URL(site), env)?.url.host,
      addressesOf: async (site) => (await import("./peers.ts")).peerAddresses(site),
      certificateOf: async (site, tls, timeout) =>
        (await import("./peers.ts")).certificateOf(site, { tls, env, timeout, stop: signals.stop }),
    },
    prompts: prompts(signals.stop, () => ({ input: process.stdin, output: process.stderr }), env.TERM),
    keychain: keychain(childEnv, signals.stop),
    files,
    settings: settingsFile(configuration, files, signals.stop),
    signals,
    processes: async () => {
      const { ownPrefix, processState } = await import("./process-name.ts");
      return { own: ownPrefix, stateOf: processState };
    },
    run: async (argv, timeout) => (await import("./run-program.ts")).runProgram(argv, timeout, childEnv, signals.stop),
    runWithStreams: async (argv, env, options) => {
      const { runWithInput, runWithStreams } = await import("./run-with-streams.ts");
      return options
        ? runWithInput(argv, { env, ...options }, signals.stop)
        : runWithStreams(argv, { env }, signals, isatty(0));
    },
  };
}
