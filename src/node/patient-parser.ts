/**
 * Node 20 soon optimizes undici's WebAssembly parser in the background, and waits for that before it exits. A list of ten
 * people would take twice as long and 35 MiB more. V8 reads the flag when it compiles the parser. It is put back at once:
 * with other flags than before, V8 rejects code that it compiled earlier.
 */
import { setFlagsFromString } from "node:v8";

const budget = { usual: 1_800_000, highest: 2 ** 31 - 1 };
let isCompiled = !process.versions.node.startsWith("20.");

/** undici compiles its parser when it takes over its first connection. */
export function withPatientParser(takeOver: () => void): void {
  if (isCompiled) {
    takeOver();
    return;
  }
  isCompiled = true;
  setFlagsFromString(`--wasm-tiering-budget=${budget.highest}`);
  try {
    takeOver();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${budget.usual}`);
  }
}
