import type { OutputOptions, Result } from "../../src/output/form.ts";
import { print } from "../../src/output/printer.ts";
import type { Output } from "../../src/world/world.ts";

export interface Recorded extends Output {
  text: string;
  writes: string[];
}

interface Behavior {
  /** The reader goes after this many writes. */
  goneAfter?: number;
  /** Called after each write. */
  onWrite?: (text: string) => Promise<void>;
}

/** An output that records what is written. */
export function recording({
  goneAfter = Number.POSITIVE_INFINITY,
  onWrite,
  ...rest
}: Partial<Output> & Behavior = {}): Recorded {
  const writes: string[] = [];
  return {
    isTerminal: false,
    columns: undefined,
    colorLevel: 0,
    ...rest,
    writes,
    get text() {
      return writes.join("");
    },
    get isClosed() {
      return writes.length >= goneAfter;
    },
    async write(text) {
      if (writes.length >= goneAfter) return;
      writes.push(String(text));
      await onWrite?.(String(text));
    },
  };
}

export const terminal = (columns = 80): Recorded => recording({ isTerminal: true, columns, colorLevel: 1 });

export const place = (stdout = recording(), stderr = recording()) => ({
  stdout,
  stderr,
  env: {},
  version: "1.2.3",
});

/** Prints a result, and returns what was written to stdout. */
export async function printed(
  result: Result,
  choice: Partial<OutputOptions> = {},
  world: { stdout: Recorded; stderr: Recorded; env: Record<string, string> } = place(),
): Promise<string> {
  await print(result, { form: "table", color: "auto", ...choice }, world);
  return world.stdout.text;
}
