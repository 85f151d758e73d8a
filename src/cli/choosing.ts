/** The flags that choose one organization. `each` has `--profiles` instead. */
export const choosingFlags: readonly string[] = ["--profile", "--site", "--zuliprc"];
