import { keychainPatience, longestSilence, type World } from "../world.ts";
import type { Waits } from "./waiting.ts";

/** The same world, in which what may take long is told, and nothing that is written or asked meets the status line. */
export function watched(world: World, waits: Waits): World {
  const { stdout, stderr, prompts, keychain, run, host, files, clock } = world;
  const aside = async <T>(work: () => Promise<T>): Promise<T> => {
    const resume = waits.pause();
    try {
      return await work();
    } finally {
      resume();
    }
  };
  const within = <T>(what: string, ms: number, work: Promise<T>) =>
    waits.during({ what, next: "giving up", until: clock.monotonic() + ms }, work);
  const key = <T>(work: Promise<T>) => within("the keychain has not answered yet", keychainPatience, work);
  return {
    ...world,
    stdout: waits.watching(stdout),
    stderr: waits.watching(stderr),
    prompts: {
      confirm: (question) => aside(() => prompts.confirm(question)),
      text: (question) => aside(() => prompts.text(question)),
      password: (question) => aside(() => prompts.password(question)),
    },
    keychain: {
      get: (account) => key(keychain.get(account)),
      set: (account, secret) => key(keychain.set(account, secret)),
      forget: (account) => key(keychain.forget(account)),
    },
    files: {
      ...files,
      lock: (path, wait, stop) =>
        within(
          `another process holds the lock of ${path}`,
          Math.max(wait, longestSilence),
          files.lock(path, wait, stop),
        ),
    },
    run: (argv, timeout) => within(`the command ${argv[0]} has not ended yet`, timeout, run(argv, timeout)),
    host: (argv, env) => aside(() => host(argv, env)),
  };
}
