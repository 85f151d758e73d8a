/** Runs a transcript. `test/transcripts.test.ts` describes the format. */
import { main } from "../../src/main.ts";
import { type Disturbance, injectFaults, parseFault, respond } from "../../src/sandbox/index.ts";
import { type Fleet, fleet } from "../fleet.ts";
import { prepare } from "../organization/cases.ts";
import { credentials, fresh, inProfile } from "../run.ts";
import { sendRequest } from "../sandbox/client.ts";
import { captured, type Setup, testWorld } from "../world.ts";
import { setups } from "./setups.ts";
import { type Program, runLine } from "./shell.ts";

type Sandbox = ReturnType<typeof fresh>;

/** Splits `answer yes "a text" no` after its first word. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
};

/** Converts to plain JSON: maps become objects, sets become lists. */
const plain = (_: string, value: unknown): unknown =>
  value instanceof Map ? Object.fromEntries(value) : value instanceof Set ? [...value] : value;

/** Follows a path such as `channels.1.subscribers`. */
function memberOf(value: unknown, path: string | undefined): unknown {
  let member = value;
  for (const word of path?.split(".") ?? [])
    member = member instanceof Map ? member.get(Number(word)) : Object(member)[word];
  return member;
}

/** One block of a transcript: an organization, files and profiles that its commands share. */
class Block {
  readonly #files = new Map<string, string>();
  readonly #logs = new Map<string, string>();
  #sandbox: Sandbox | undefined;
  #fleet: Fleet | undefined;
  #level: number | undefined;
  #disturb: Disturbance = async ({ serve }) => respond(serve());
  #profile: Pick<Setup, "config" | "keys"> = {};
  #env: Record<string, string> | undefined;
  #terminal: number | undefined;
  #showsReads = false;
  #confirm: boolean[] = [];
  #texts: string[] = [];
  #password: string | undefined;
  /** Names of runs. They differ from process to process, so a transcript has `RUN1` and `RUN2` in place of them. */
  /** Changes of the organization that somebody makes when a request of this kind arrives, after `skip` others. */
  #others: { request: string; skip: number; change: string }[] = [];

  get sandbox(): Sandbox {
    this.#sandbox ??= fresh({ level: this.#level, disturb: (passing) => this.#disturb(passing) });
    return this.#sandbox;
  }

  /** Applies a line such as `level 371`. */
  apply(line: string): void {
    const [, name = "", rest = ""] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    const directives: Record<string, () => void> = {
      level: () => {
        this.#level = Number(rest);
        this.#sandbox = undefined;
      },
      given: () => prepare(this.sandbox.state, rest, setups),
      before: () => {
        const [, nth = "1", request = "", change = ""] = /^(?:(\d+) )?(.*?): given (.*)$/.exec(rest) ?? [];
        this.#others.push({ request, skip: Number(nth) - 1, change });
      },
      fault: () => {
        const faults = rest.split(" ").map(parseFault);
        this.#disturb = injectFaults(faults, async () => undefined);
      },
      as: () => {
        this.#env = credentials(this.sandbox, /^\d+$/.test(rest) ? Number(rest) : rest);
      },
      anonymous: () => {
        this.#env = {};
      },
      profile: () => {
        const [profile = "", who = "100"] = rest.split(" ");
        const { config, keys } = inProfile(this.sandbox, profile, /^\d+$/.test(who) ? Number(who) : who);
        this.#profile = { config, keys };
        this.#env = {};
      },
      organizations: () => {
        this.#fleet = fleet(rest.split(" "));
        this.#profile = this.#fleet.setup;
        this.#env = {};
      },
      in: () => {
        this.#sandbox = this.#fleet!.sandboxes.get(rest);
      },
      terminal: () => {
        this.#terminal = Number(rest || 100);
      },
      pipe: () => {
        this.#terminal = undefined;
      },
      reads: () => {
        this.#showsReads = true;
      },
      answer: () => {
        for (const word of wordsOf(rest))
          if (word === "yes" || word === "no") this.#confirm.push(word === "yes");
          else this.#texts.push(word);
      },
      password: () => {
        this.#password = rest;
      },
    };
    const directive = directives[name];
    if (!directive) throw new Error(`unknown directive: % ${line}`);
    directive();
  }

  readonly #http: Sandbox["handle"] = (request, ...rest) => {
    const path = request.url.replace(/^.*?\/api\/v1/, "");
    this.#others = this.#others.filter((other) => {
      if (!`${request.method} ${path}`.startsWith(other.request) || other.skip-- > 0) return true;
      prepare(this.sandbox.state, other.change, setups);
      return false;
    });
    return (this.#fleet?.setup.http ?? this.sandbox.handle)(request, ...rest);
  };

  /** Returns the lines that the command shows: questions, stdout, stderr, requests, exit code. */
  async run(line: string, document: string | undefined): Promise<string[]> {
    const shown: string[] = [];
    const zulipctl: Program = async (argv, { input, stdout, env }) => {
      const isTerminal = this.#terminal !== undefined;
      const base = testWorld({
        ...this.#profile,
        http: this.#http,
        env: { NO_COLOR: "1", ...(this.#env ?? credentials(this.sandbox)), ...env },
        input: input ?? "",
        terminal: isTerminal,
        files: this.#files,
        logs: this.#logs,
        confirm: this.#confirm,
        text: this.#texts,
        ...(this.#password !== undefined && { password: this.#password }),
      });
      const stderr = captured(isTerminal, this.#terminal);
      const world = {
        ...base,
        stdin: { ...base.stdin, isTerminal: isTerminal && input === undefined },
        stdout,
        stderr,
      };
      const code = await main(argv, world);
      this.#profile = { ...this.#profile, keys: base.keys, config: base.config() };
      shown.push(...base.asked.map((question) => `? ${question}`));
      errors.push(...linesOf(stderr.text).map((text) => `! ${text}`));
      // Organizations are asked at the same time.
      const hostOf = ({ url }: { url: string }) => new URL(url).host;
      const sent = this.#fleet ? base.sent.sort((a, b) => hostOf(a).localeCompare(hostOf(b))) : base.sent;
      for (const { method, url, body } of sent) {
        const [, host = "", path = ""] = /^https:\/\/(.*?)\/api\/v1(.*)$/.exec(url) ?? [];
        const isRead = method === "GET" || /^\/(register|events)\b/.test(path);
        if (path === "/server_settings" || (isRead && !this.#showsReads)) continue;
        const target = this.#fleet ? host + path : path;
        errors.push(`> ${[method, decoded(target), body && decoded(body)].filter(Boolean).join(" ")}`);
      }
      return code;
    };
    const errors: string[] = [];
    const state: Program = async ([path], { stdout }) => {
      await stdout.write(`${JSON.stringify(memberOf(this.sandbox.state, path), plain)}\n`);
      return 0;
    };
    const request: Program = async ([as = "", method = "", path = "", ...words], { stdout }) => {
      const member = words.at(-1)?.startsWith(".") ? words.pop()!.slice(1) : undefined;
      const values = Object.fromEntries(words.map((each) => each.split(/=(.*)/s)));
      const sent = method === "GET" ? { query: values } : { form: values };
      const { status, body } = await sendRequest(this.sandbox, method, path, { as, ...sent });
      await stdout.write(`${status} ${JSON.stringify(memberOf(body, member), plain)}\n`);
      return 0;
    };
    const stdout = captured(this.#terminal !== undefined, this.#terminal);
    const programs = { zulipctl, state, request };
    const code = await runLine(line, { files: this.#files, programs, stdout, input: document });
    return [...shown, ...linesOf(stdout.text), ...errors, ...(code ? [`[${code}]`] : [])];
  }
}

/** Splits text into lines. Shows what a reader would not see: control characters, and a last line without its end. */
const linesOf = (text: string): string[] => {
  const visible = text
    .replaceAll("\r\n", "\n")
    .replace(/[\x00-\x09\x0b-\x1f\x7f]/g, (sign) =>
      sign === "\t" ? "→" : `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`,
    );
  const lines = visible.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : [...lines.slice(0, -1), `${lines.at(-1)} (no newline)`];
};

/** Runs all commands of a transcript, and returns it with the output that they print now. */
export async function replay(transcript: string): Promise<string> {
  const written: string[] = [];
  let block = new Block();
  const lines = transcript.split("\n");
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n]!;
    const content = line.slice(4);
    if (/^\S/.test(line)) {
      if (written.length) written.push("");
      written.push(line);
      if (!line.startsWith("#")) block = new Block();
    } else if (content.startsWith("% ")) {
      written.push(line);
      block.apply(content.slice(2));
    } else if (content.startsWith("$ ")) {
      written.push(line);
      let document: string | undefined;
      if (content.includes(" <<EOF")) {
        const end = lines.indexOf("    EOF", n);
        document = lines
          .slice(n + 1, end)
          .map((each) => `${each.slice(4)}\n`)
          .join("");
        written.push(...lines.slice(n + 1, end + 1));
        n = end;
      }
      const output = await block.run(content.slice(2), document);
      written.push(...output.map((each) => (each ? `    ${each}` : "")));
    }
  }
  return `${written.join("\n")}\n`;
}
