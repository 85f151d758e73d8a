/** The built program in a pseudo-terminal, with somebody at its keyboard. */
import { onTestFinished } from "vitest";
import { environment, program } from "../binary/program.ts";

const pty = await import("@lydell/node-pty").catch(() => undefined);

// In CI it must be there: a test that is left out there would be left out for ever.
export const left = pty === undefined && process.env.CI !== "true";
export const note = left ? " (NOT TESTED: @lydell/node-pty has no binary for this platform)" : "";

/** What was written to a screen, without colours and cursor movements. */
export const plain = (screen: string): string => screen.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");

export interface Terminal {
  /** Everything that reached the terminal so far, escape sequences included. */
  readonly screen: string;
  /** Resolves when the text has appeared after what `sees` saw before; rejects where the program ends without it. */
  sees(text: string): Promise<void>;
  types(keys: string): void;
  /** Resolves with the exit code. */
  ends(): Promise<number>;
  /** Takes the terminal away, as a window that is closed does. */
  closes(): void;
}

interface Options {
  env?: Record<string, string>;
  columns?: number;
}

/** The program in a terminal of its own. */
export const terminal = (argv: string[], { env = {}, columns = 100 }: Options = {}): Terminal =>
  open([process.execPath, program, ...argv], { ...environment(), TERM: "xterm-256color", ...env }, columns);

/** A shell that is asked for commands. */
export const shell = (env: Record<string, string>): Terminal =>
  open(["bash", "--norc", "--noprofile", "-i"], { TERM: "xterm-256color", ...env }, 100);

function open([file, ...argv]: string[], env: Record<string, string>, columns: number): Terminal {
  const child = pty!.spawn(file!, argv, { name: env.TERM!, cols: columns, rows: 30, cwd: process.cwd(), env });
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
