import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes an empty directory, which is removed after the test. */
export function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "zulipctl-test-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
