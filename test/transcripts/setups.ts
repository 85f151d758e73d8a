/** Organizations that a transcript names with `% given NAME`. */
import type { State } from "../../src/sandbox/index.ts";

export const setups: Readonly<Record<string, (state: State) => void>> = {};
