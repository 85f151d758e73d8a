// Writes completions/ as `zulipctl completion` prints it.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const files = { bash: "zulipctl.bash", zsh: "_zulipctl", fish: "zulipctl.fish" };
for (const [shell, file] of Object.entries(files))
  writeFileSync(`completions/${file}`, execFileSync(process.execPath, ["bin/zulipctl.js", "completion", shell]));
