/** Names processes in names of files, so that later ones find out whether they still run. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

function textOf(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/**
 * Returns when a process of this machine began, if the system tells. A later process can have the same id. Empty for one
 * that has ended, also if nobody waits for it: the first process of a container often does not.
 */
function startOf(pid: number | "self"): string {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "");
}

/** The machine and its namespace of process ids: containers can have the same host name. */
const machine = `${hostname()}.${textOf(() => readlinkSync("/proc/self/ns/pid"))}`.replace(/[^\w-]+/g, ".");
/** The beginning of the names that this process gives. */
export const ownPrefix = `${process.pid}~${startOf("self")}~${machine}~`;

/** Returns whether the process that gave a name still runs. Unknown for processes of other machines. */
export function processState(name: string): "alive" | "dead" | "unknown" {
  if (name.startsWith(ownPrefix)) return "alive";
  const [pid, start, where] = name.split("~");
  if (where !== machine || !start) return "unknown";
  return startOf(Number(pid)) === start ? "alive" : "dead";
}
