/** Files that others could have written, or can read: what they say is used with a warning, or not at all. */
import { Usage } from "../errors.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { Access, World } from "../world.ts";

type Warned = Pick<World, "files" | "stderr">;

const told = new WeakMap<World["files"], Set<string>>();

export function warningOf({ owner, readable, writable }: Access, path: string): string | undefined {
  if (owner) return `${path} belongs to ${owner}, who can change it; put a copy of your own in its place`;
  if (!readable && !writable) return undefined;
  const may = [readable && "read", writable && "change"].filter(Boolean).join(" and ");
  return `others can ${may} ${path}; make it yours alone with: chmod 600 ${path}`;
}

/** Says once a run what others can do with a file. */
export async function warnOf({ files, stderr }: Warned, path: string, access: Access): Promise<void> {
  const warning = warningOf(access, path);
  if (!warning) return;
  const paths = told.get(files) ?? new Set();
  told.set(files, paths);
  if (paths.has(path)) return;
  paths.add(path);
  await stderr.write(`${sanitizeLine(`zulipctl: warning: ${warning}`)}\n`);
}

/** Throws where somebody else may have written a file that names a command. `what` names both. */
export function refuseForeign({ owner, writable }: Access, path: string, what: string): void {
  if (owner)
    throw new Usage(`${what}, and the file belongs to ${owner}, who can change it`, {
      hint: `Look at what it says, then make it yours: install -m 600 ${path} ${path}.mine && mv ${path}.mine ${path}`,
      outcome: "not_sent",
    });
  if (writable)
    throw new Usage(`${what}, and others can change the file`, {
      hint: `Look at what it says, then make it yours alone: chmod 600 ${path}`,
      outcome: "not_sent",
    });
}
