import { promises as fs } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { realWorld } from "../../src/node/real-world.ts";
import { directory } from "./directory.ts";

test("syncs files of the configuration to disk, but none of the cache", async () => {
  const [cache, config] = [directory(), directory()];
  vi.stubEnv("ZULIPCTL_CACHE_DIR", cache);
  vi.stubEnv("ZULIPCTL_CONFIG_DIR", config);
  const handle = await fs.open(join(config, "any"), "w");
  const sync = vi.spyOn(Object.getPrototypeOf(handle), "sync");
  await handle.close();
  try {
    const { files } = realWorld("1.0.0", () => false);
    await files.write(join(cache, "names", "work"), "text");
    expect(sync).not.toHaveBeenCalled();
    await files.write(join(config, "keys", "work"), "key");
    expect(sync).toHaveBeenCalledOnce();
  } finally {
    sync.mockRestore();
    vi.unstubAllEnvs();
  }
});
