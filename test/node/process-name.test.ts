/** Whether processes still run, by the names that they gave. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { ownPrefix, processState } from "../../src/node/process-name.ts";
import { statusOf } from "./process-status.ts";

test.skipIf(!existsSync("/proc/self/stat"))("a process that ended is dead, also if nobody waits for it", async () => {
  // The shell becomes `sleep`, which never waits for its child.
  const parent = spawn("sh", ["-c", "sleep 0.3 & echo $!; exec sleep 30"]);
  try {
    const [line] = await once(parent.stdout, "data");
    const pid = Number(line);
    const name = `${pid}~${statusOf(pid).began}~${ownPrefix.split("~")[2]}~1`;
    expect(processState(name)).toBe("alive");
    await expect.poll(() => statusOf(pid).state).toBe("Z");
    expect(processState(name)).toBe("dead");
  } finally {
    parent.kill("SIGKILL");
  }
});
