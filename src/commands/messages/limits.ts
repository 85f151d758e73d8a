/** Without a terminal, more deletions than this require `--keep` or `--no-keep`. */
export const mostWithoutCopy = 20;
