/** Versions and their first levels. From level 502 on the server is the main branch, which still says 12.0. */
const versions = [
  [502, "12.0-dev"],
  [500, "12.3"],
  [499, "12.1"],
  [498, "12.0"],
  [426, "12.0-dev"],
  [421, "11.0"],
  [377, "11.0-dev"],
  [371, "10.0"],
] as const;

export const versionAt = (level: number): string => versions.find(([first]) => level >= first)?.[1] ?? "9.0";
