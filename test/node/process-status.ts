/** What Linux says of processes. */
import { readFileSync } from "node:fs";

/** Throws if there is no such process. `state`: Z and X have ended. `began`: in ticks since the machine started, as text. */
export function statusOf(pid: number | string): { state: string; group: number; began: string } {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name of the program, in parentheses, can have any character.
  const values = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: values[0]!, group: Number(values[2]), began: values[19]! };
}
