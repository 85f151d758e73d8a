/** What a terminal emulator, which has a measure of its own for every sign, makes of a program's output. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");

// The add-on takes all memory that its tables lie in for the tables, which is right where they lie in no pool.
const { poolSize } = Buffer;
Buffer.poolSize = 0;
const { UnicodeGraphemesAddon } =
  require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes");
Buffer.poolSize = poolSize;

export interface Screen {
  /** Each line as what stands in its columns: " " where there is nothing, "" in the second half of a wide sign. */
  lines: string[][];
  /** Whether something was wider than the screen. */
  wrapped: boolean;
}

export async function emulated(text: string, columns: number): Promise<Screen> {
  const emulator = new Terminal({ cols: columns, rows: 50, scrollback: 1000, allowProposedApi: true });
  emulator.loadAddon(new UnicodeGraphemesAddon());
  emulator.unicode.activeVersion = "15-graphemes";
  await new Promise<void>((resolve) => emulator.write(text, resolve));
  const { active } = emulator.buffer;
  const lines = Array.from({ length: active.length }, (_, n) => active.getLine(n)!);
  const signs = (line: (typeof lines)[number]) =>
    Array.from({ length: columns }, (_, at) => {
      const cell = line.getCell(at)!;
      return cell.getWidth() ? cell.getChars() || " " : "";
    });
  return {
    wrapped: lines.some((line) => line.isWrapped),
    lines: lines.filter((line) => line.translateToString(true)).map(signs),
  };
}
