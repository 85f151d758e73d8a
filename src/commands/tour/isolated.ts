import type { World } from "../../world.ts";

const missing = (path: string) => Object.assign(new Error(`${path} is not there`), { code: "ENOENT" });

/** The world without its files, settings and keychain: nothing is remembered, and nothing that is there is read. */
export const isolated = (world: World): World => ({
  ...world,
  files: {
    read: async () => undefined,
    // biome-ignore lint/correctness/useYield: there is nothing to yield.
    async *stream(path) {
      throw missing(path);
    },
    guarded: async () => undefined,
    write: async () => undefined,
    incoming: async (path) => Promise.reject(missing(path)),
    kind: async () => undefined,
    remove: async () => undefined,
    list: async () => [],
    sweep: async () => undefined,
    identity: async () => undefined,
    actual: async () => undefined,
    append: async (path) => Promise.reject(missing(path)),
    rolling: () => ({ add: async () => undefined, close: async () => undefined }),
    lock: async () => ({ held: () => true, release: async () => undefined }),
  },
  settings: {
    path: world.settings.path,
    load: async () => undefined,
    edit: (work) => work(undefined, async () => undefined),
  },
  keychain: { get: async () => undefined, set: async () => undefined, forget: async () => false },
});
