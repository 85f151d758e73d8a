/** Questions to the person at the terminal, on stderr. The library is loaded when the first one is asked. */
import { Cancelled, Interrupted } from "../errors.ts";
import { type Prompts, Secret } from "../world.ts";

export function prompts(stop: AbortSignal): Prompts {
  async function ask<T>(question: {
    type: "confirm" | "input" | "password";
    message: string;
    default?: boolean;
  }): Promise<T> {
    const { createPromptModule } = (await import("inquirer")).default;
    const prompt = createPromptModule({ input: process.stdin, output: process.stderr, signal: stop });
    try {
      const { answer } = await prompt([{ name: "answer", ...question } as never]);
      return answer as T;
    } catch (error) {
      const { name } = error as Error;
      if (name !== "ExitPromptError" && name !== "AbortPromptError") throw error;
      const { reason } = stop;
      throw new Cancelled("cancelled; nothing was sent", reason instanceof Interrupted ? reason.signal : "SIGINT", {
        outcome: "not_sent",
      });
    }
  }
  return {
    confirm: (message) => ask<boolean>({ type: "confirm", message, default: false }),
    text: (message) => ask<string>({ type: "input", message }),
    password: async (message) => new Secret(await ask<string>({ type: "password", message })),
  };
}
