/** What happens more often in some stories: otherwise such things would rarely come together. */
import type { Kind } from "./runs.ts";

export const themes = [
  ...(["jobs", "rest", "killed", "resumed", "going", "clock", "again"] as const),
  ...(["asked", "verified", "journal", "redone", "unfinished"] as const),
];

export type Theme = (typeof themes)[number];

/** The kind of all runs of a theme. Others have runs of any kind. */
export const kindsOf: Readonly<Partial<Record<Theme, Kind>>> = {
  ...{ jobs: "single", again: "single", clock: "single" },
  ...{ resumed: "batch", going: "batch", journal: "batch", unfinished: "batch" },
};
