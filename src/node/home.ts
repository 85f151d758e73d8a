/**
 * Imported for its effect, before anything that asks for the home directory: env-paths does so while it loads, and
 * fails where there is none. A command whose credentials come from the environment needs no home.
 */
import { homedir } from "node:os";
import { isAbsolute } from "node:path";

function found(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

// Below a file nobody, root included, can make anything: nothing ends up in the current directory or a shared one.
if (!isAbsolute(found() ?? "")) process.env.HOME = "/dev/null";

// The XDG specification has relative paths ignored.
for (const name of ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"])
  if (process.env[name] && !isAbsolute(process.env[name])) delete process.env[name];
