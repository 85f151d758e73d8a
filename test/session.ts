/** Runs command lines at a terminal. They share files, profiles and the server's state. */
import { Interrupted } from "../src/errors.ts";
import { main } from "../src/main.ts";
import type { createSandbox } from "../src/sandbox/index.ts";
import { type EmbeddedServer, Secret, type World } from "../src/world/world.ts";
import { type Program, runLine } from "./transcripts/shell.ts";
import { type Captured, captured, type Setup, testWorld } from "./world.ts";

export interface Typed {
  code: number;
  /** The screen below the line: results, notices and answered questions, in their order. */
  shown: string;
}

export class Session {
  readonly files = new Map<string, string>();
  readonly keys = new Map<string, string>();
  /** The answer to questions for a password. */
  password = "";
  #config: unknown;
  readonly #logs = new Map<string, string>();

  constructor(
    readonly sandbox: Pick<ReturnType<typeof createSandbox>, "handle" | "info">,
    readonly env: Record<string, string>,
  ) {}

  /** Returns a session that goes on from here on a copy of the sandbox. */
  copy(sandbox: Session["sandbox"]): Session {
    const copy = new Session(sandbox, this.env);
    for (const [path, text] of this.files) copy.files.set(path, text);
    for (const [account, key] of this.keys) copy.keys.set(account, key);
    for (const [path, text] of this.#logs) copy.#logs.set(path, text);
    copy.password = this.password;
    copy.#config = structuredClone(this.#config);
    return copy;
  }

  /** Runs a line of shell, without its comment. */
  async type(line: string): Promise<Typed> {
    const screen = captured(true);
    const zulipctl: Program = (argv, { input, stdout }) => this.#zulipctl(argv, input, stdout, screen);
    const typed = line.replace(/ # .*$/, "").replace(/(?<= )~(?=\/)/g, "/home/test");
    const code = await runLine(typed, { files: this.files, programs: { zulipctl }, stdout: screen });
    return { code, shown: screen.text };
  }

  async #zulipctl(
    argv: readonly string[],
    input: string | undefined,
    stdout: Captured,
    screen: Captured,
  ): Promise<number> {
    const setup: Setup = {
      http: async (request) => {
        if (request.method !== "GET" || !request.url.includes("/api/v1/events?")) return this.sandbox.handle(request);
        // `watch` ends after the events that are there.
        Object.assign(stdout, { isClosed: true });
        return this.sandbox.handle({ ...request, url: `${request.url}&dont_block=true` });
      },
      env: this.env,
      input,
      terminal: true,
      files: this.files,
      logs: this.#logs,
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
        // As a terminal shows them after the answer.
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
        // `sandbox start` ends at once.
        if (argv[1] === "start") base.interrupt(new Interrupted("SIGINT"));
        return embedded;
      },
      runWithStreams: async (words, env) => {
        const { request, info } = embedded!;
        const inside = new Session({ handle: request, info: () => info }, env as Record<string, string>);
        if (words[0] !== "zulipctl") throw new Error(`unknown program: ${words[0]}`);
        return inside.#zulipctl(words.slice(1), undefined, stdout, screen);
      },
    };
    const code = await main(argv, world);
    this.#config = base.config();
    return code;
  }
}
