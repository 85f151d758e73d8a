/** Files that name accounts and hold keys: refused where others could have written them, used with a warning where others can read them. */
import { Usage } from "../errors.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { Access, World } from "../world.ts";

const warned = new WeakMap<World["files"], Set<string>>();

/** Throws `Usage` where somebody else may have written the file. */
export function refuseForeign({ owner, writable }: Access, path: string): void {
  if (!owner && !writable) return;
  throw new Usage(`refused to use ${path}: ${owner ? `it belongs to ${owner}` : "others can change it"}`, {
    hint: owner
      ? `Look at what it says, then make it yours: install -m 600 ${path} ${path}.mine && mv ${path}.mine ${path}`
      : `Look at what it says, then make it yours alone: chmod 600 ${path}`,
    outcome: "not_sent",
  });
}

export const warningOf = ({ readable }: Access, path: string): string | undefined =>
  readable ? `others can read ${path}; make it yours alone with: chmod 600 ${path}` : undefined;

/** Refuses a file that others could have written, and warns once a run of one that others can read. */
export async function checkAccess(
  { files, stderr }: Pick<World, "files" | "stderr">,
  path: string,
  access: Access,
): Promise<void> {
  refuseForeign(access, path);
  const warning = warningOf(access, path);
  if (!warning) return;
  const paths = warned.get(files) ?? new Set();
  warned.set(files, paths);
  if (paths.has(path)) return;
  paths.add(path);
  await stderr.write(`${sanitizeLine(`zulipctl: warning: ${warning}`)}\n`);
}
