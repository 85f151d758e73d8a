/**
 * Imported for its effect, before env-paths, which fails without a home directory. A command with credentials from the
 * environment needs no home.
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

// Nobody can make files below a file, so nothing ends up in the current directory or a shared one.
if (!isAbsolute(found() ?? "")) process.env.HOME = "/dev/null";

// By the XDG specification, relative paths are ignored.
for (const name of ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"])
  if (process.env[name] && !isAbsolute(process.env[name])) delete process.env[name];
