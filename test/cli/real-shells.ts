/** Shells that are on this machine, and the completion scripts as files. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stubs } from "../../src/cli/completion/stubs.ts";

export function writeStubs(directory: string): void {
  writeFileSync(join(directory, "stub.bash"), stubs.bash);
  writeFileSync(join(directory, "_zulipctl"), stubs.zsh);
  writeFileSync(join(directory, "stub.fish"), stubs.fish);
}

export const installed = (shell: string): boolean => {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
