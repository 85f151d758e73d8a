/** Paths that begin with what is typed, as shells complete them. */
import { readdirSync, statSync } from "node:fs";

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

interface PathOptions {
  /** So many at most. */
  most: number;
  /** What `~` stands for at the beginning. */
  home?: string | undefined;
}

/** Directories with a slash at their end; hidden ones where a dot is typed. */
export function pathsFrom(typed: string, { most, home }: PathOptions): string[] {
  const directory = typed.slice(0, typed.lastIndexOf("/") + 1);
  const begun = typed.slice(directory.length);
  const place = home !== undefined && directory.startsWith("~/") ? home + directory.slice(1) : directory;
  let names: string[];
  try {
    names = readdirSync(place || ".");
  } catch {
    return [];
  }
  return (
    names
      .filter((name) => name.startsWith(begun) && (begun.startsWith(".") || !name.startsWith(".")))
      // An answer is lines.
      .filter((name) => !/[\n\t]/.test(name))
      .sort()
      .slice(0, most)
      .map((name) => (isDirectory(place + name) ? `${directory}${name}/` : directory + name))
  );
}
