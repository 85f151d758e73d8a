/** Prompts for terminals without escape sequences. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { type Prompts, Secret } from "../world.ts";

export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { columns?: number };
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** `cancelled` makes the error for Ctrl-C, the end of the input, and `stop`. */
export function plainPrompts(stop: AbortSignal, terminal: () => Terminal, cancelled: () => Error): Prompts {
  async function line(question: string, { echo }: { echo: boolean }): Promise<string> {
    const { input, output } = terminal();
    if (stop.aborted) throw cancelled();
    // With echo, the terminal edits the line. Without it, keys are read one by one.
    const lines = createInterface(
      echo ? { input, terminal: false } : { input, output: nowhere(), terminal: true, historySize: 0 },
    );
    // The reader exists before the question, so nothing typed is echoed.
    output.write(question);
    let given: string | undefined;
    const end = () => lines.close();
    stop.addEventListener("abort", end, { once: true });
    try {
      await new Promise<void>((resolve) => {
        lines.once("line", (text) => {
          given = text;
          resolve();
        });
        lines.once("SIGINT", end);
        lines.once("close", resolve);
      });
    } finally {
      stop.removeEventListener("abort", end);
      lines.close();
    }
    // The return was not echoed, or never came.
    if (!echo || given === undefined) output.write("\n");
    if (given === undefined) throw cancelled();
    return given;
  }
  return {
    confirm: async (question) => /^y(es)?$/i.test((await line(`${question} [y/N] `, { echo: true })).trim()),
    text: (question) => line(`${question}: `, { echo: true }),
    password: async (question) => new Secret(await line(`${question}: `, { echo: false })),
  };
}
