/** How this program was installed, for `doctor`. */
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Installation } from "../world/installation.ts";

/** Returns the kind and the place of what runs. */
function placeOf(): Pick<Installation, "kind" | "path"> {
  const { execPath } = process;
  if (import.meta.build?.isExecutable)
    return {
      kind: /[/]usr[/]lib[/]zulipctl[/]zulipctl$/.test(execPath) ? "Debian package" : "executable",
      path: execPath,
    };
  // The file of the loader is in dist.
  const path = fileURLToPath(new URL("..", import.meta.url)).slice(0, -1);
  return { kind: path.endsWith(join(sep, "node_modules", "zulipctl")) ? "npm package" : "clone", path };
}

export function installation(cache: string): Installation {
  const problem = import.meta.build?.compiledCodeProblem(cache);
  return {
    ...placeOf(),
    node: process.versions.node,
    compiledCode: { directory: join(cache, "compiled"), ...(problem !== undefined && { problem }) },
  };
}
