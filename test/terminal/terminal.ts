/** The built program in a pseudo-terminal, with a keyboard. */
import { onTestFinished } from "vitest";
import { command, environment } from "../binary/program.ts";

const pty = await import("@lydell/node-pty").catch(() => undefined);

// CI must have it: nobody would notice skipped tests there.
export const left = pty === undefined && process.env.CI !== "true";
export const note = left ? " (NOT TESTED: @lydell/node-pty has no binary for this platform)" : "";

/** Returns text without colors and cursor movements. */
export const plain = (screen: string): string => screen.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");

export interface Terminal {
  /** All output so far, with escape sequences. */
  readonly screen: string;
  /** Resolves when the text has appeared after the last one. Rejects if the program ends without it. */
  sees(text: string): Promise<void>;
  types(keys: string): void;
  /** Resolves with the exit code. */
  ends(): Promise<number>;
  /** Closes the terminal, like a window. */
  closes(): void;
}

interface Options {
  env?: Record<string, string>;
  columns?: number;
  /** A bash command that starts the program, which is `"$@"`. */
  from?: string;
}

/** Returns the words that start the program. */
export function startedFrom(from: string | undefined, argv: readonly string[]): [string, ...string[]] {
  const words: [string, ...string[]] = [...command, ...argv];
  return from === undefined ? words : ["bash", "-c", from, "bash", ...words];
}

/** Starts the program in a terminal. */
export const terminal = (argv: string[], { env = {}, columns = 100, from }: Options = {}): Terminal =>
  open(startedFrom(from, argv), { ...environment(), TERM: "xterm-256color", ...env }, columns);

function open([file, ...argv]: [string, ...string[]], env: Record<string, string>, columns: number): Terminal {
  const child = pty!.spawn(file, argv, { name: env.TERM!, cols: columns, rows: 30, cwd: process.cwd(), env });
  let screen = "";
  let seen = 0;
  let code: number | undefined;
  let look = () => {};
  child.onData((text) => {
    screen += text;
    look();
  });
  const ended = new Promise<number>((resolve) =>
    child.onExit(({ exitCode }) => {
      code = exitCode;
      look();
      resolve(exitCode);
    }),
  );
  onTestFinished(() => {
    if (code === undefined) child.kill("SIGKILL");
  });
  return {
    get screen() {
      return screen;
    },
    sees: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          const at = plain(screen).indexOf(text, seen);
          if (at >= 0) {
            seen = at + text.length;
            resolve();
          } else if (code !== undefined) reject(new Error(`ended with ${code} without "${text}":\n${screen}`));
        };
        look();
      }),
    types: (keys) => child.write(keys),
    ends: () => ended,
    closes: () => (child as unknown as { destroy(): void }).destroy(),
  };
}
