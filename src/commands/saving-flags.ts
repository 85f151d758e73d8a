import { path, toggle } from "../cli/kinds.ts";

/** Where a file goes that is fetched. */
export const savingFlags = {
  to: path("where to save it (default: its own name, in this directory)", "file|directory|-"),
  overwrite: toggle("overwrite an existing file"),
};
