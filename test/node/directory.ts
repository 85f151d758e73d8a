import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty directory that is gone after the test. */
export function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "zulipctl-test-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
