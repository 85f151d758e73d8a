/** Lists of ids as runs of consecutive ones: `[[1, 3], [7, 7]]`. */

/** Returns the runs of ids, sorted. */
export function runsOfIds(ids: readonly number[]): [first: number, last: number][] {
  const runs: [number, number][] = [];
  for (const id of [...new Set(ids)].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last && last[1] === id - 1) last[1] = id;
    else runs.push([id, id]);
  }
  return runs;
}

/** The largest number of ids that a list of another program may stand for. */
const mostIds = 100_000;

/** Returns the ids of runs. Undefined for anything else. */
export function idsOfRuns(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const ids: number[] = [];
  for (const run of value) {
    const [first, last] = Array.isArray(run) ? run : [];
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || last - first + ids.length >= mostIds)
      return undefined;
    for (let id = first; id <= last; id++) ids.push(id);
  }
  return ids;
}
