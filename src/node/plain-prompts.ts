/** Prompts for terminals without escape sequences. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { wrapping } from "../output/line.ts";
import { type Prompts, Secret } from "../world/world.ts";

export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { columns?: number };
}

/** Wraps a question at words. */
async function wrapped(question: string, { columns }: Terminal["output"]): Promise<string> {
  const wrap = await wrapping({ isTerminal: columns !== undefined, columns });
  return question.split("\n").map(wrap).join("\n");
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** `cancelled` makes the error for Ctrl-C, the end of the input, and `stop`. */
export function plainPrompts(stop: AbortSignal, terminal: () => Terminal, cancelled: () => Error): Prompts {
  async function line(question: string, { echo }: { echo: boolean }): Promise<string> {
    const { input, output } = terminal();
    const shown = await wrapped(question, output);
    if (stop.aborted) throw cancelled();
    // With echo, the terminal edits the line. Without it, keys are read one by one.
    const lines = createInterface(
      echo ? { input, terminal: false } : { input, output: nowhere(), terminal: true, historySize: 0 },
    );
    // The reader exists before the question, so nothing typed is echoed.
    output.write(shown);
    const end = () => lines.close();
    stop.addEventListener("abort", end, { once: true });
    const answer = await new Promise<string | undefined>((resolve) => {
      lines.once("line", resolve);
      lines.once("SIGINT", end);
      lines.once("close", () => resolve(undefined));
    });
    stop.removeEventListener("abort", end);
    lines.close();
    // The return was not echoed, or never came.
    if (!echo || answer === undefined) output.write("\n");
    if (answer === undefined) throw cancelled();
    return answer;
  }
  return {
    confirm: async (question) => /^y(es)?$/i.test((await line(`${question} [y/N] `, { echo: true })).trim()),
    text: (question) => line(`${question}: `, { echo: true }),
    password: async (question) => new Secret(await line(`${question}: `, { echo: false })),
  };
}
