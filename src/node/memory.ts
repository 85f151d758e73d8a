/** How V8 goes about its memory. */
import { setFlagsFromString } from "node:v8";

/**
 * What V8 is told, and what it does without, by the versions of Node that this was tried on: of a flag that it does not
 * know it would complain on stderr. On Node 20 optimising undici's parser takes 29 MiB for a moment, a third of that for
 * loops that are unrolled. Where little gathers, the threads that would share its collection take longer to wake than it does.
 */
const flags = [
  { frugal: "--heap-growing-percent=20", usual: "--heap-growing-percent=0", from: 20, to: 26 },
  { frugal: "--semi-space-growth-factor=1", usual: "--semi-space-growth-factor=2", from: 20, to: 26 },
  { frugal: "--no-parallel-scavenge", usual: "--parallel-scavenge", from: 20, to: 26 },
  { frugal: "--no-wasm-loop-unrolling", usual: "--wasm-loop-unrolling", from: 20, to: 20 },
] as const;

let frugal = false;

/**
 * Lets no more garbage gather than is needed, for a run that makes much of it and would otherwise take several times
 * the memory of what it holds. While a flag is changed V8 takes nothing that was compiled before, and what it compiles
 * then is of no use to a process without it: so this is for late in a command, and undone before anything is kept.
 */
export function collectSooner(): void {
  const major = Number(process.versions.node.split(".")[0]);
  const known = flags.filter(({ from, to }) => from <= major && major <= to);
  if (frugal || !known.length) return;
  frugal = true;
  for (const { frugal } of known) setFlagsFromString(frugal);
  process.prependOnceListener("exit", () => {
    for (const { usual } of known) setFlagsFromString(usual);
  });
}
