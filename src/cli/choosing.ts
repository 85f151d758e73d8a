/** The flags by which a command line chooses one organization. `each` takes `--profiles` in place of them. */
export const choosingFlags: readonly string[] = ["--profile", "--site", "--zuliprc"];
