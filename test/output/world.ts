import type { Output } from "../../src/world.ts";

export interface Recorded extends Output {
  text: string;
  writes: string[];
}

interface Behaviour {
  /** After so many writes the reader has gone. */
  goneAfter?: number;
  /** What happens to each text once it is kept. */
  onWrite?: (text: string) => Promise<void>;
}

/** Keeps what is written. */
export function recording({
  goneAfter = Number.POSITIVE_INFINITY,
  onWrite,
  ...rest
}: Partial<Output> & Behaviour = {}): Recorded {
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
      if (writes.length >= goneAfter) return;
      writes.push(String(text));
      await onWrite?.(String(text));
    },
  };
}

export const terminal = (columns = 80): Recorded => recording({ isTerminal: true, columns, colorLevel: 1 });

export const place = (stdout = recording(), stderr = recording(), env: Record<string, string> = {}) => ({
  stdout,
  stderr,
  env,
  version: "1.2.3",
});
