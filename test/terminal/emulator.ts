/** Shows a program's output in a terminal emulator, which measures characters itself. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Terminal } = require("@xterm/headless") as typeof import("@xterm/headless");

// The add-on reads the whole buffer of its tables, so they must not be in a pool.
const { poolSize } = Buffer;
Buffer.poolSize = 0;
const { UnicodeGraphemesAddon } =
  require("@xterm/addon-unicode-graphemes") as typeof import("@xterm/addon-unicode-graphemes");
Buffer.poolSize = poolSize;

export interface Screen {
  /** The cells of each line: " " for an empty one, "" for the second half of a wide character. */
  lines: string[][];
  /** Whether a line was wider than the screen. */
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
