/** A terminal shows every wait of over a second, and nothing of it stays. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hostile, refusal, success } from "../binary/hostile-server.ts";
import { environment, run } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { emulated } from "./emulator.ts";
import { left, note, startedFrom, terminal } from "./terminal.ts";

const columns = 120;
/** The delay of answers, in milliseconds. */
const late = 1800;

interface Case {
  argv: string[];
  env: Record<string, string>;
  /** The text on the screen during the wait. */
  seen: string;
  /** The text on the screen at the end. */
  result: string[];
  /** The bash command that starts it. */
  from?: string;
}

/** A server with slow answers. */
const slow = (then: (request: string) => string) =>
  hostile((socket, _, request) => setTimeout(() => socket.write(then(request)), late));

const named = (name: string, text: string) => {
  const file = join(directory(), name);
  writeFileSync(file, text);
  return file;
};

const pipe = "/dev/fd/9";
/** Starts the program with a pipe of the shell that gets a text after four seconds, when the program has started. */
const withPipe = (text: string) => `exec "$@" 9< <(sleep 4; printf '${text}')`;

const list = ["folder", "list", "-o", "ids"];
const create = ["folder", "create", "New", "--feature-level", "442"];
const folder = { name: "a", description: "", rendered_description: "", is_archived: false, order: 1, creator_id: 1 };
const folders = success({ channel_folders: [{ ...folder, id: 7, date_created: 1 }] });
const made = success({ channel_folder_id: 9 });
/** A batch reads the list before it creates anything. */
const isRead = (request: string) => request.startsWith("GET ");
const host = ({ ZULIP_SITE }: Record<string, string>) => new URL(ZULIP_SITE!).host;

const cases: Record<string, () => Promise<Case>> = {
  async "a read"() {
    const { env } = await slow(() => folders);
    return { argv: list, env, seen: `zulipctl: waiting for ${host(env)}; giving up in `, result: ["7"] };
  },
  async "a change"() {
    const { env } = await slow(() => made);
    const seen = `zulipctl: waiting for ${host(env)}; giving up in `;
    return { argv: create, env, seen, result: ["Created folder 9."] };
  },
  async "a rate limit"() {
    const limit = refusal(429, "RATE_LIMIT_HIT", { "retry-after": late / 1000 });
    const { env } = await hostile((socket, nth) => socket.write(nth === 1 ? limit : folders));
    const seen = `zulipctl: ${host(env)} refuses more requests for now (429); trying again in `;
    return { argv: list, env, seen, result: ["7"] };
  },
  async "a download"() {
    const { env } = await hostile((socket, _, request) => {
      const link = `http://${/^host: (\S+)/im.exec(request)![1]}/x/all.tar.gz`;
      const record = { id: 7, acting_user_id: 1, export_time: 1, pending: false, export_url: link };
      if (request.startsWith("GET /api/")) return socket.write(success({ exports: [record] }));
      socket.write("HTTP/1.1 200 X\r\ncontent-length: 20\r\n\r\n0123456789");
      return setTimeout(() => socket.write("0123456789"), late);
    });
    const to = join(directory(), "x");
    const result = [`Export 7 saved as ${to} (20 B).`];
    return { argv: ["export", "download", "7", "--to", to], env, seen: "10 B of 20 B", result };
  },
  async "a batch"() {
    const { env } = await hostile((socket, _, request) => {
      if (isRead(request)) return socket.write(folders);
      return setTimeout(() => socket.write(made), late);
    });
    const file = named("rows.csv", "name\nNew\n");
    const words = ["--", "folder", "create", "{name}"];
    const argv = ["batch", file, "--feature-level", "442", "--journal", join(directory(), "j"), ...words];
    return { argv, env, seen: "0 of 1 row | ", result: ["zulipctl: 1 of 1 row done"] };
  },
  async "rows that somebody still writes"() {
    const { env } = await hostile((socket, _, request) => socket.write(isRead(request) ? folders : made));
    const from = withPipe("name\\nNew\\n");
    const words = ["--", "folder", "create", "{name}"];
    return {
      from,
      argv: ["batch", pipe, "--feature-level", "442", "--format", "csv", "--journal", join(directory(), "j"), ...words],
      env,
      seen: `zulipctl: examining ${pipe}, 0 rows so far`,
      result: ["zulipctl: 1 of 1 row done"],
    };
  },
  async "a text that somebody still writes"() {
    const { env } = await hostile((socket) => socket.write(made));
    const argv = [...create, "--description", `@${pipe}`];
    const seen = `zulipctl: still reading ${pipe}`;
    return { argv, env, seen, result: ["Created folder 9."], from: withPipe("About it") };
  },
};

const together = <T>(work: (each: Case) => Promise<T>) =>
  Promise.all(Object.entries(cases).map(async ([name, make]) => [name, await work(await make())] as const));

async function remains(screen: string): Promise<string[]> {
  const { lines } = await emulated(screen, columns);
  return lines.map((line) => line.join("").trimEnd());
}

describe.skipIf(left)(`in a terminal${note}`, () => {
  test("shows the wait, then only the result", async () => {
    const ended = await together(async ({ argv, env, seen, result, from }) => {
      const screen = terminal(argv, { env, columns, from });
      await screen.sees(seen);
      return { code: await screen.ends(), lines: await remains(screen.screen), result };
    });
    for (const [name, { result, ...end }] of ended) expect({ name, ...end }).toEqual({ name, code: 0, lines: result });
  }, 30_000);

  test("keeps lines of --verbose and records on separate lines", async () => {
    const { env } = await hostile((socket, nth) => {
      if (nth === 1) return socket.write(refusal(429, "RATE_LIMIT_HIT", { "retry-after": 1.3 }));
      const text = '{"result":"success","msg":"","members":[';
      const ada = { full_name: "Ada", email: "ada@chat.example", role: 400, is_active: true, is_bot: false };
      const user = (user_id: number) => JSON.stringify({ user_id, ...ada });
      socket.write(`HTTP/1.1 200 X\r\nconnection: close\r\n\r\n${text}${user(1)},${user(2)},`);
      return setTimeout(() => socket.end(`${user(3)}]}`), 2500);
    });
    const screen = terminal(["users", "list", "-o", "ids", "-v"], { env, columns });
    await screen.sees("receiving the answer of");
    expect(await screen.ends()).toBe(0);
    const lines = await remains(screen.screen);
    expect(lines.filter((line) => /^\d$/.test(line))).toEqual(["1", "2", "3"]);
    expect(lines.filter((line) => !/^(\d|[<>] .*)$/.test(line))).toEqual([]);
  });

  test("doctor: a server that never completes the TLS handshake", async () => {
    const { env } = await hostile(() => undefined);
    const site = env.ZULIP_SITE!.replace("http:", "https:");
    const screen = terminal(["doctor", "--timeout", "3"], { env: { ...env, ZULIP_SITE: site }, columns });
    await screen.sees(`zulipctl: connecting to ${host(env)}; giving up in `);
    expect(await screen.ends()).toBe(4);
    const lines = await remains(screen.screen);
    expect(lines.filter((line) => line.includes("giving up"))).toEqual([]);
    expect(lines.join(" ")).toContain("no secure connection within 3 seconds");
  }, 20_000);

  test("Ctrl-C removes the status line", async () => {
    const ended = await together(async ({ argv, env, seen, from }) => {
      const screen = terminal(argv, { env, columns, from });
      await screen.sees(seen);
      screen.types("\x03");
      return { code: await screen.ends(), lines: await remains(screen.screen), seen };
    });
    for (const [name, { code, lines, seen }] of ended) {
      // A change may be done before the program ends, or be unknown. Ctrl-C ends the writer of a pipe too: it may be empty.
      const right = [0, 7, 130, ...(name.includes("still writes") ? [2] : [])];
      expect({ name, code }).toEqual({ name, code: right.find((each) => each === code) });
      const left = lines.filter((line) => line.includes(seen) || /giving up|trying again| \| /.test(line));
      expect({ name, left }).toEqual({ name, left: [] });
    }
  }, 30_000);

  test.each([
    ["--quiet", ["--quiet"], {}],
    ["a terminal that can erase nothing", [], { TERM: "dumb" }],
  ])(
    "%s: prints no escape sequence",
    async (_, flags, more) => {
      const ended = await together(async ({ argv, env, from }) => {
        const screen = terminal([...flags, ...argv], { env: { ...env, ...more }, columns, from });
        return { code: await screen.ends(), escapes: screen.screen.includes("\x1b") };
      });
      for (const [name, end] of ended) expect({ name, ...end }).toEqual({ name, code: 0, escapes: false });
    },
    30_000,
  );
});

test("does not report a wait of a few seconds without a terminal", async () => {
  const ended = await together(async ({ argv, env, result, from }) => {
    const { code, out, err } = await run(startedFrom(from, argv), { env: { ...environment(), ...env } });
    // A batch prints a record for each row.
    const lines = argv[0] === "batch" ? err : out + err;
    return { code, lines: lines.trimEnd().split("\n"), result };
  });
  for (const [name, { result, ...end }] of ended) {
    expect({ name, ...end }).toEqual({ name, code: 0, lines: result });
  }
}, 30_000);
