/** Command lines typed one after the other, as at a terminal: files, profiles and the server's state stay from one to the next. */
import { split } from "shellwords-ts";
import { Interrupted } from "../src/errors.ts";
import { main } from "../src/main.ts";
import type { createSandbox } from "../src/sandbox/index.ts";
import { type EmbeddedServer, Secret, type World } from "../src/world.ts";
import { type Captured, captured, type Setup, testWorld } from "./world.ts";

export interface Typed {
  code: number;
  /** What stands on the screen below the line: results, notices and answered questions in the order in which they came. */
  shown: string;
}

interface Piped {
  code: number;
  out: string;
}

/** The words between pipes, and the file that the last of them writes. */
function pipeline(line: string): { commands: string[][]; into: string | undefined } {
  const words = split(line.replace(/ # .*$/, "")).map((word) => word.replace(/^~(?=\/)/, "/home/test"));
  const to = words.findIndex((word) => word === ">" || word === ">>");
  const into = to < 0 ? undefined : words.splice(to, 2)[1];
  const commands: string[][] = [[]];
  for (const word of words)
    if (word === "|") commands.push([]);
    else commands.at(-1)!.push(word);
  return { commands, into };
}

const escapes: Record<string, string> = { n: "\n", t: "\t", "\\": "\\" };

export class Session {
  readonly files = new Map<string, string>();
  readonly keys = new Map<string, string>();
  /** What is answered to questions for a text that is not shown. */
  password = "";
  #config: unknown;

  constructor(
    readonly sandbox: Pick<ReturnType<typeof createSandbox>, "handle" | "info">,
    readonly env: Record<string, string>,
  ) {}

  /** Runs `zulipctl`, `echo`, `printf`, `cat` and pipes of them. */
  async type(line: string): Promise<Typed> {
    const { commands, into } = pipeline(line);
    const screen = captured(true);
    let piped: Piped = { code: 0, out: "" };
    for (const [n, words] of commands.entries()) {
      const last = n === commands.length - 1;
      const stdout = last && into === undefined ? screen : captured();
      const code = await this.#run(words, n > 0 ? piped.out : undefined, stdout, screen);
      piped = { code, out: stdout.text };
    }
    if (into !== undefined) this.files.set(into, piped.out);
    return { code: piped.code, shown: screen.text };
  }

  async #run([name, ...argv]: string[], input: string | undefined, stdout: Captured, screen: Captured) {
    if (name === "echo") await stdout.write(`${argv.join(" ")}\n`);
    else if (name === "printf") await stdout.write(argv[0]!.replace(/\\(.)/g, (_, letter) => escapes[letter] ?? ""));
    else if (name === "cat") for (const path of argv) await stdout.write(this.files.get(path)!);
    else if (name === "zulipctl") return this.#zulipctl(argv, input, stdout, screen);
    else throw new Error(`only zulipctl, echo, printf and cat are understood here, not ${name}`);
    return 0;
  }

  async #zulipctl(argv: string[], input: string | undefined, stdout: Captured, screen: Captured): Promise<number> {
    const setup: Setup = {
      http: async (request) => {
        if (request.method !== "GET" || !request.url.includes("/api/v1/events?")) return this.sandbox.handle(request);
        // Nobody here waits for what happens.
        Object.assign(stdout, { isClosed: true });
        return this.sandbox.handle({ ...request, url: `${request.url}&dont_block=true` });
      },
      env: this.env,
      input,
      terminal: true,
      files: this.files,
      keys: this.keys,
      config: this.#config,
    };
    const base = testWorld(setup);
    let embedded: EmbeddedServer | undefined;
    const world: World = {
      ...base,
      stdin: { ...base.stdin, isTerminal: input === undefined },
      stdout,
      stderr: screen,
      prompts: {
        ...base.prompts,
        // As they stand on the screen once they are answered.
        confirm: async (question) => {
          await screen.write(`✔ ${question} Yes\n`);
          return true;
        },
        password: async (question) => {
          await screen.write(`? ${question}\n`);
          return new Secret(this.password);
        },
      },
      embed: async (setup) => {
        embedded = await base.embed(setup);
        // Nobody here presses Ctrl-C later.
        if (argv[1] === "start") base.interrupt(new Interrupted("SIGINT"));
        return embedded;
      },
      host: async (words, env) => {
        const { request, info } = embedded!;
        const inside = new Session({ handle: request, info: () => info }, env as Record<string, string>);
        return inside.#run([...words], undefined, stdout, screen);
      },
    };
    const code = await main(argv, world);
    this.#config = base.config();
    return code;
  }
}
