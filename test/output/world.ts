import type { Output } from "../../src/world.ts";

export interface Recorded extends Output {
  text: string;
  writes: string[];
  gone: boolean;
}

/** Keeps what is written. `goneAfter`: so many writes and the reader has gone. */
export function recording(options: Partial<Output> & { goneAfter?: number } = {}): Recorded {
  const { goneAfter = Number.POSITIVE_INFINITY, ...rest } = options;
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
    get gone() {
      return writes.length >= goneAfter;
    },
    async write(text) {
      if (writes.length < goneAfter) writes.push(String(text));
    },
  } as Recorded;
}

export const terminal = (columns = 80): Recorded => recording({ isTerminal: true, columns, colorLevel: 1 });

export const place = (stdout = recording(), stderr = recording(), env: Record<string, string> = {}) => ({
  stdout,
  stderr,
  env,
  version: "1.2.3",
});
