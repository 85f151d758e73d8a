import { path, toggle } from "../cli/kinds.ts";

/** Where a file goes that is fetched. */
export const savingFlags = {
  to: path("where it goes; default: under its own name, here", "file|directory|-"),
  overwrite: toggle("replace a file that is there"),
};
