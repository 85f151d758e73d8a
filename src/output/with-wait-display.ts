import { keychainTimeout, lockTimeout, type World } from "../world/world.ts";
import type { WaitDisplay } from "./wait-display.ts";

/** Returns a world whose slow calls are shown in the status line, and whose output replaces it. */
export function withWaitDisplay(world: World, waits: WaitDisplay): World {
  const { stdin, stdout, stderr, prompts, keychain, run, runWithStreams, files, peers, clock } = world;
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
  const reading = (what: string, bytes: AsyncIterable<Uint8Array>) =>
    waits.each({ what: `still reading ${what}` }, bytes);
  const typed = (path: string) =>
    path === "/dev/tty" || (["/dev/stdin", "/dev/fd/0"].includes(path) && stdin.isTerminal);
  const read = <T>(path: string, work: Promise<T>) => waits.during({ what: `still reading ${path}` }, work);
  const key = <T>(work: Promise<T>) => within("waiting for the keychain", keychainTimeout, work);
  return {
    ...world,
    // The user who types knows what zulipctl waits for.
    stdin: Object.create(stdin, {
      bytes: { value: () => (stdin.isTerminal ? stdin.bytes() : reading("stdin", stdin.bytes())) },
    }),
    stdout: waits.watching(stdout),
    stderr: waits.watching(stderr),
    peers: {
      proxyFor: (site) => peers.proxyFor(site),
      addressesOf: (site) => {
        const { hostname } = new URL(site);
        return waits.during({ what: `looking up ${hostname}` }, peers.addressesOf(site));
      },
      certificateOf: (site, tls, timeout) => {
        const { host } = new URL(site);
        return within(`connecting to ${host}`, timeout, peers.certificateOf(site, tls, timeout));
      },
    },
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
      // A named file can be a pipe without a writer.
      read: (path, largest) => read(path, files.read(path, largest)),
      readWithAccess: (path) => read(path, files.readWithAccess(path)),
      stream: (path) => (typed(path) ? files.stream(path) : reading(path, files.stream(path))),
      lock: (path, wait, stop) =>
        within(
          `waiting for another process: ${path} is locked`,
          Math.max(wait, lockTimeout),
          files.lock(path, wait, stop),
        ),
    },
    run: (argv, timeout) => within(`waiting for the command ${argv[0]}`, timeout, run(argv, timeout)),
    runWithStreams: (...all) => aside(() => runWithStreams(...all)),
  };
}
