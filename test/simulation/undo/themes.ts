/** What happens more often in some stories: otherwise such things would rarely come together. */
import type { Kind } from "./runs.ts";

export const themes = [
  ...(["jobs", "rest", "killed", "resumed", "going", "clock", "again"] as const),
  ...(["asked", "verified", "journal", "redone", "unfinished"] as const),
];

/** Themes with stories of their own, about a few things that runs and others change in turn. No seed chooses them. */
export const scenes = ["contested", "remade", "adopted", "topics", "leaving", "stopped", "lost", "idle"] as const;

export type Scene = (typeof scenes)[number];

export type Theme = (typeof themes)[number] | Scene;

export const isScene = (theme: Theme | undefined): theme is Scene => scenes.some((scene) => scene === theme);

export const everyTheme: readonly Theme[] = [...themes, ...scenes];

/** The kind of all runs of a theme. Others have runs of any kind. */
export const kindsOf: Readonly<Partial<Record<Theme, Kind>>> = {
  ...{ jobs: "single", again: "single", clock: "single" },
  ...{ resumed: "batch", going: "batch", journal: "batch", unfinished: "batch" },
};
