/** How V8 goes about its memory. */
import { setFlagsFromString } from "node:v8";

/** What V8 is told, and what it does without. Numbers are those of Node 20 to 26; a flag that it does not know it would complain of on stderr. */
const flags = [
  { flag: "--heap-growing-percent", frugal: 20, usual: 0 },
  { flag: "--semi-space-growth-factor", frugal: 1, usual: 2 },
] as const;
const tried = { from: 20, to: 26 };

let frugal = false;

/**
 * Lets no more garbage gather than is needed, for a run that makes much of it and would otherwise take several times
 * the memory of what it holds. While a flag is changed V8 takes nothing that was compiled before, and what it compiles
 * then is of no use to a process without it: so this is for late in a command, and undone before anything is kept.
 */
export function collectSooner(): void {
  const major = Number(process.versions.node.split(".")[0]);
  if (frugal || major < tried.from || major > tried.to) return;
  frugal = true;
  for (const { flag, frugal } of flags) setFlagsFromString(`${flag}=${frugal}`);
  process.prependOnceListener("exit", () => {
    for (const { flag, usual } of flags) setFlagsFromString(`${flag}=${usual}`);
  });
}
