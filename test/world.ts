/** A world in memory. It records what zulipctl does. */

import { setMaxListeners } from "node:events";
import { resolve } from "node:path";
import { Cancelled, Usage } from "../src/errors.ts";
import type { Access } from "../src/world/file-access.ts";
import {
  type Connection,
  type Files,
  type Http,
  type HttpRequest,
  type HttpResponse,
  NoAnswer,
  type Output,
  Secret,
  type Upload,
  type World,
} from "../src/world/world.ts";

export interface Captured extends Output {
  text: string;
}

export const captured = (isTerminal = false, columns = 100): Captured => ({
  text: "",
  isClosed: false,
  isTerminal,
  columns: isTerminal ? columns : undefined,
  colorLevel: isTerminal ? 1 : 0,
  async write(text) {
    this.text += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
  },
});

/** No access for others. */
export const owned: Access = { readable: false, writable: false };

export interface MemoryFiles extends Files {
  content: Map<string, string>;
  /** The content of rolling logs. Every change writes there. */
  logs: Map<string, string>;
}

/** Files as a map from path to text. */
export const memoryFiles = (
  content: Map<string, string> = new Map(),
  logs: Map<string, string> = new Map(),
): MemoryFiles => {
  const locks = new Set<string>();
  async function* stream(path: string) {
    const text = content.get(path) ?? logs.get(path);
    if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    // Downloads have a character for each byte.
    yield Buffer.from(text, text.startsWith("\x1f\x8b") ? "latin1" : "utf8");
  }
  return {
    content,
    logs,
    read: async (path) => content.get(path),
    stream,
    streamFromEnd: stream,
    // A character for each byte.
    open: async (path) => {
      const text = content.get(path);
      if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
      return { ...inOnePart(Buffer.from(text, "latin1")), close: async () => undefined };
    },
    readWithAccess: async (path) => {
      const text = content.get(path);
      return text === undefined ? undefined : { text, access: owned };
    },
    write: async (path, text) => void content.set(path, text),
    createFile: async (path) => {
      const chunks: Uint8Array[] = [];
      const part = `${path}.part`;
      content.set(part, "");
      return {
        write: async (bytes) => void chunks.push(Buffer.from(bytes)),
        complete: async (replace) => {
          if (content.has(path) && !replace) return false;
          content.delete(part);
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          // A text is read as text, and other files as their bytes.
          content.set(path, Buffer.from(text).equals(bytes) ? text : bytes.toString("latin1"));
          return true;
        },
        discard: async () => void content.delete(part),
      };
    },
    kind: async (path) =>
      content.has(path) || logs.has(path)
        ? "file"
        : [...content.keys()].some((one) => one.startsWith(`${path}/`)) || path === "."
          ? "directory"
          : undefined,
    remove: async (path) => void content.delete(path),
    sweep: async (directory, _names, keeps) => {
      for (const path of content.keys())
        if (path.startsWith(`${directory}/`) && !keeps(path.slice(directory.length + 1).split("/")[0]!, Infinity))
          content.delete(path);
    },
    list: async (directory) =>
      [...content.keys()]
        .filter((path) => path.startsWith(`${directory}/`))
        .map((path) => path.slice(directory.length + 1)),
    identity: async (path) => (content.has(path) ? { id: path, plain: true } : undefined),
    temporary: (work) => work("/temporary"),
    realPath: async (path) => resolve("/", path),
    append: async (path, { exclusive, truncateTo } = {}) => {
      if (exclusive && content.has(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: "EEXIST" });
      content.set(path, (content.get(path) ?? "").slice(0, truncateTo));
      return {
        append: async (text) => void content.set(path, content.get(path)! + text),
        sync: async () => undefined,
        close: async () => undefined,
      };
    },
    rollingLog: (path) => ({
      add: async (line) => void logs.set(path, (logs.get(path) ?? "") + line),
      close: async () => undefined,
    }),
    lock: async (path) => {
      if (locks.has(path)) return undefined;
      locks.add(path);
      return { isHeld: () => locks.has(path), release: async () => void locks.delete(path) };
    },
  };
};

export interface Setup {
  runWithStreams?: World["runWithStreams"];
  http?: Http;
  env?: Record<string, string>;
  /** The content of stdin. */
  input?: string;
  /** stdin and both outputs are terminals. */
  terminal?: boolean;
  /** The width of the terminal. */
  columns?: number;
  /** Answers to confirmations, in order. A missing one is Ctrl-C. */
  confirm?: boolean[];
  /** Answers to other questions, in order. A missing one is Ctrl-C. */
  text?: string[];
  password?: string;
  files?: Map<string, string>;
  /** The content of rolling logs. */
  logs?: Map<string, string>;
  config?: unknown;
  /** The access of others to the configuration. By default none. */
  access?: Access;
  keys?: Map<string, string>;
  peers?: Partial<World["peers"]>;
}

/** Makes an answer of a server or proxy. */
export const answer = (status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: (async function* () {
    yield Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  })(),
});

export const inOnePart = (bytes: Uint8Array): Upload => ({
  size: bytes.length,
  async *bytes() {
    yield bytes;
  },
});

/** Reads an upload. Throws if its size is wrong. */
async function bytesOf(upload: Upload): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of upload.bytes()) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  if (all.length !== upload.size) throw new Error(`${all.length} bytes are sent and ${upload.size} were announced`);
  return all;
}

export interface TestWorld extends World {
  stdout: Captured;
  stderr: Captured;
  files: ReturnType<typeof memoryFiles>;
  sent: HttpRequest[];
  asked: string[];
  /** Milliseconds slept, in order. */
  slept: number[];
  keys: Map<string, string>;
  config: () => unknown;
  interrupt: (reason: unknown) => void;
}

let worlds = 0;

export function testWorld(setup: Setup = {}): TestWorld {
  const name = `process ${++worlds}`;
  const { env = {}, terminal = false, confirm = [], text = [], keys = new Map() } = setup;
  const sent: HttpRequest[] = [];
  const asked: string[] = [];
  const slept: number[] = [];
  const abort = new AbortController();
  // Each open request adds a listener.
  setMaxListeners(0, abort.signal);
  let config = setup.config;
  let editing: Promise<unknown> = Promise.resolve();
  let time = Date.UTC(2026, 0, 15, 12);
  const http: Http =
    setup.http ?? (async ({ url }) => Promise.reject(new NoAnswer(`no server at ${url}`, "refused", false)));
  const clock: World["clock"] = {
    now: () => time,
    monotonic: () => time,
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      time += ms;
    },
  };
  return {
    version: "0.0.0-test",
    installation: async () => ({
      kind: "npm package",
      path: "/lib/node_modules/zulipctl",
      node: "20.19.0",
      compiledCode: { directory: "/cache/compiled" },
    }),
    platform: "test",
    env,
    directories: { home: "/home/test", cache: "/cache", state: "/state" },
    stdin: {
      isTerminal: terminal,
      async *bytes() {
        yield Buffer.from(setup.input ?? "");
      },
    },
    stdout: captured(terminal, setup.columns),
    stderr: captured(terminal, setup.columns),
    clock,
    connect: async (): Promise<Connection> => ({
      request: async (request) => {
        const { upload, ...shown } = request;
        if (!upload) {
          sent.push(request);
          request.beforeSend?.();
          return http(request);
        }
        request.beforeSend?.();
        const bytes = await bytesOf(upload);
        sent.push({ ...shown, body: bytes.toString("latin1") });
        return http({ ...request, upload: inOnePart(bytes) });
      },
      close: async () => undefined,
    }),
    peers: {
      proxyFor: async () => undefined,
      addressesOf: async () => ["192.0.2.7"],
      certificateOf: async () => ({ expires: time + 61 * 24 * 3_600_000, issuer: "Example CA" }),
      ...setup.peers,
    },
    prompts: {
      confirm: async (question) => {
        asked.push(question);
        const answer = confirm.shift();
        if (answer === undefined) throw new Cancelled("cancelled");
        return answer;
      },
      text: async (question) => {
        asked.push(question);
        const answer = text.shift();
        if (answer === undefined) throw new Cancelled("cancelled");
        return answer;
      },
      password: async (question) => {
        asked.push(question);
        if (setup.password === undefined) throw new Cancelled("cancelled");
        return new Secret(setup.password);
      },
    },
    keychain: {
      get: async (account) => (keys.has(account) ? new Secret(keys.get(account)!) : undefined),
      set: async (account, secret) => void keys.set(account, secret.reveal()),
      forget: async (account) => keys.delete(account),
    },
    files: memoryFiles(setup.files, setup.logs),
    settings: {
      path: "/config/config.json",
      load: async () => {
        if (config instanceof Error) throw new Usage(config.message);
        return config === undefined ? undefined : { document: structuredClone(config), access: setup.access ?? owned };
      },
      edit(work) {
        // Edits run one after the other.
        editing = editing.then(async () =>
          work(await this.load(), async (document) => {
            config = structuredClone(document);
          }),
        );
        const done = editing;
        editing = editing.catch(() => undefined);
        // biome-ignore lint/suspicious/noExplicitAny: each edit has a result of another type.
        return done as Promise<any>;
      },
    },
    signals: { stop: abort.signal, unansweredChanges: 0, runBlocking: (work) => work() },
    processes: async () => ({ own: name, stateOf: (each) => (each === name ? "alive" : "dead") }),
    run: async () => ({ code: 127, stdout: "" }),
    runWithStreams:
      setup.runWithStreams ?? (async () => Promise.reject(Object.assign(new Error("no programs"), { code: "ENOENT" }))),
    embed: async (wanted) => {
      const { embed } = await import("../src/sandbox/index.ts");
      let n = 0;
      const random = () => {
        n = (n * 1103515245 + 12345) % 2147483648;
        return n / 2147483648;
      };
      return embed(wanted, { ...clock, random }, (error) => {
        throw error;
      });
    },
    sent,
    asked,
    slept,
    keys,
    config: () => config,
    interrupt: (reason) => abort.abort(reason),
  };
}
