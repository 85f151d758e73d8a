/** Releases by their first feature level. The text of a server's version decides nothing: Zulip Cloud says 12.0 for years. */
const releases: readonly (readonly [first: number, name: string])[] = [
  [513, "newer than this version of zulipctl knows"],
  [502, "13.0 in development"],
  [501, "12.x, later than 12.3"],
  [500, "12.1 to 12.3"],
  [499, "between 12.0 and 12.1"],
  [498, "12.0"],
  [426, "12.0 in development"],
  [421, "11.x"],
  [377, "11.0 in development"],
  [371, "10.x"],
  [280, "10.0 in development"],
  [277, "9.x"],
  [240, "9.0 in development"],
  [237, "8.x"],
  [188, "8.0 in development"],
  [185, "7.x"],
  [159, "7.0 in development"],
  [156, "6.x"],
  [0, "older than 6.0"],
];

/** The level of the newest release. What is newer, no release has. */
export const newestRelease = 500;

export const releaseOf = (level: number): string => releases.find(([first]) => level >= first)?.[1] ?? "unknown";
