/** Prompts in the terminal. The library is loaded for the first one. */
import { styleText } from "node:util";
import { asError, Cancelled, signalOf } from "../errors.ts";
import { type Prompts, Secret } from "../world/world.ts";
import type { Terminal } from "./plain-prompts.ts";

/** `[y/N]`. */
const inBrackets = (text: string): string => styleText("dim", `[${text}]`);

/** Wraps a message at words. The library would break within words. It writes `? ` before the first line. */
async function wrapped(message: string, { output }: Terminal): Promise<string> {
  const { columns } = output;
  if (!columns) return message;
  const { wrapAnsi } = await import("fast-wrap-ansi");
  return wrapAnsi(`? ${message}`, columns).slice(2);
}

export function prompts(stop: AbortSignal, terminal: () => Terminal, term?: string): Prompts {
  const cancelled = () => new Cancelled("canceled; nothing was sent", signalOf(stop.reason), { outcome: "not_sent" });
  if (term === "dumb") {
    const plain = async () => (await import("./plain-prompts.ts")).plainPrompts(stop, terminal, cancelled);
    return {
      confirm: async (message) => (await plain()).confirm(message),
      text: async (message) => (await plain()).text(message),
      password: async (message) => (await plain()).password(message),
    };
  }
  async function ask<T>(question: { type: string; message: string } & Record<string, unknown>): Promise<T> {
    const { createPromptModule } = (await import("inquirer")).default;
    const { input, output } = terminal();
    // The library would wait forever after Ctrl-D or the end of the input.
    const ended = new AbortController();
    const end = () => ended.abort();
    const prompt = createPromptModule({ input, output, signal: AbortSignal.any([stop, ended.signal]) });
    for (const event of ["pause", "end", "close"]) input.once(event, end);
    try {
      const message = await wrapped(question.message, terminal());
      const { answer } = await prompt([{ name: "answer", ...question, message }]);
      return answer;
    } catch (error) {
      const { name } = asError(error);
      if (name !== "ExitPromptError" && name !== "AbortPromptError") throw error;
      throw cancelled();
    } finally {
      for (const event of ["pause", "end", "close"]) input.off(event, end);
    }
  }
  // Without the tick of the library: only the server knows whether an answer is right.
  const theme = () => ({ prefix: styleText("blue", "?") });
  return {
    confirm: (message) =>
      ask({ type: "confirm", message, default: false, theme: { style: { defaultAnswer: inBrackets } } }),
    text: (message) => ask({ type: "input", message, theme: theme() }),
    // Nothing is echoed, and no key shows the typed text.
    password: async (message) =>
      new Secret(await ask({ type: "password", message, mask: false, toggleMask: false, theme: theme() })),
  };
}
