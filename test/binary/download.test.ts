/** Downloads from servers that break connections or send wrong data: the file is complete, or does not exist. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { injectFaults, parseFault } from "../../src/sandbox/index.ts";
import { directory } from "../node/directory.ts";
import { answer, hostile, key, success } from "./hostile-server.ts";
import { commandLine, environment, run, serving, startZulipctl, zulipctl } from "./program.ts";

const content = "0123456789".repeat(100);
const tag = '"one"';

/** An answer with any headers, whatever its body is. */
const part = (status: number, headers: Record<string, string | number>, body: string) =>
  `HTTP/1.1 ${status} X\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${body}`;

const whole = (more: Record<string, string | number> = {}) =>
  part(200, { "content-length": content.length, etag: tag, ...more }, content);

/** Sends the first `to` bytes, and ends the connection. */
const broken = (socket: Socket, to: number) => {
  socket.write(part(200, { "content-length": content.length, etag: tag }, content.slice(0, to)));
  setTimeout(() => socket.destroySoon(), 20);
};

const rest = (from: number, more: Record<string, string | number> = {}) =>
  part(
    206,
    {
      "content-length": content.length - from,
      "content-range": `bytes ${from}-${content.length - 1}/${content.length}`,
      etag: tag,
      ...more,
    },
    content.slice(from),
  );

const settings = success({ zulip_version: "11.0", zulip_feature_level: 442 });

type Conversation = (socket: Socket, nth: number, request: string) => unknown;

/** A server with one upload. The test answers requests for its file. */
async function uploaded(file: Conversation) {
  let nth = 0;
  const heads: string[] = [];
  const attachment = { id: 2, name: "budget.csv", path_id: "2/02/abc/budget.csv", size: content.length };
  const all = { ...attachment, create_time: 1795307989, message_ids: [] };
  const server = await hostile((socket, _, request) => {
    if (request.startsWith("GET /api/v1/server_settings")) return socket.write(settings);
    if (request.startsWith("GET /api/v1/attachments "))
      return socket.write(success({ attachments: [all], upload_space_used: 9 }));
    heads.push(request.toLowerCase());
    return file(socket, ++nth, request);
  });
  return { ...server, heads };
}

/** Runs the program in a directory of its own, and returns the files that are there afterwards. */
async function fetching(env: Record<string, string>, argv = ["attachment", "download", "2"], cwd = directory()) {
  const ended = await zulipctl(argv, { cwd, env: { ...environment(), ...env } });
  return { ...ended, there: readdirSync(cwd), cwd };
}

test("saves a complete, private file under its own name", async () => {
  const { env, heads } = await uploaded((socket) => socket.write(whole()));
  const { code, out, err, there, cwd } = await fetching(env);
  expect({ code, out, err, there }).toEqual({
    code: 0,
    out: "Attachment 2 saved as budget.csv (1000 B).\n",
    err: "",
    there: ["budget.csv"],
  });
  expect(readFileSync(join(cwd, "budget.csv"), "utf8")).toBe(content);
  expect(statSync(join(cwd, "budget.csv")).mode & 0o777).toBe(0o600);
  expect(heads).toEqual([expect.stringContaining("get /user_uploads/2/02/abc/budget.csv ")]);
  expect(heads[0]).toContain(`authorization: basic ${btoa(`ada@chat.example:${key}`).toLowerCase()}`);
});

test("requests the rest after a broken connection, if the file is still the same", async () => {
  const { env, heads } = await uploaded((socket, nth) => {
    if (nth === 1) broken(socket, 300);
    else if (nth === 2) {
      socket.write(rest(300).slice(0, -500));
      setTimeout(() => socket.destroySoon(), 20);
    } else socket.write(rest(500));
  });
  const { code, there, cwd } = await fetching(env);
  expect({ code, there }).toEqual({ code: 0, there: ["budget.csv"] });
  expect(readFileSync(join(cwd, "budget.csv"), "utf8")).toBe(content);
  expect(heads.map((head) => /range: (\S+)\r/.exec(head)?.[1])).toEqual([undefined, "bytes=300-", "bytes=500-"]);
  expect(heads[1]).toContain(`if-range: ${tag}`);
});

/** Returns the error without the host. */
const said = (err: string) => err.replace(/127\.0\.0\.1:\d+/g, "chat.example").split("\n")[0];

describe("reports an error and leaves no file if the server", () => {
  const resumed =
    (then: string): Conversation =>
    (socket, nth) =>
      nth === 1 ? broken(socket, 300) : socket.write(then);
  test.each<[string, Conversation, string]>([
    ...[
      { title: "ignores Range", next: whole() },
      { title: "goes on with another file", next: rest(300, { etag: '"two"' }) },
      { title: "goes on at another place", next: rest(200) },
    ].map(({ title, next }): [string, Conversation, string] => [
      title,
      resumed(next),
      "the download stopped, and the server did not send the rest of the same file",
    ]),
    [
      "tells nothing by which a change could be seen",
      (socket) => {
        socket.write(part(200, { "content-length": 1000 }, content.slice(0, 300)));
        setTimeout(() => socket.destroySoon(), 20);
      },
      "the download stopped, and zulipctl cannot tell whether the file changed since",
    ],
    [
      "sends less, and announces nothing",
      (socket) => socket.write(part(200, { "transfer-encoding": "chunked" }, "a\r\n0123456789\r\n0\r\n\r\n")),
      "the download ended after 10 bytes of 1000",
    ],
    [
      "compresses it",
      (socket) => socket.write(whole({ "content-encoding": "gzip" })),
      "the answer is compressed (gzip), which zulipctl did not request",
    ],
    [
      "redirects to another host",
      (socket) => socket.write(answer(302, "", "location: https://elsewhere.example/x\r\n")),
      "it answered 302 with a redirect to https://elsewhere.example/x",
    ],
  ])("%s", async (_, file, expected) => {
    const { env } = await uploaded(file);
    const { code, out, err, there } = await fetching(env);
    expect({ code, out, there }).toEqual({ code: 4, out: "", there: [] });
    expect(said(err)).toContain("zulipctl: the download from chat.example failed: ");
    expect(said(err)).toContain(expected);
  });

  test("stops sending", async () => {
    const { env, heads } = await uploaded((socket, nth) => {
      if (nth === 1) socket.write(part(200, { "content-length": 1000, etag: tag }, content.slice(0, 300)));
      else socket.write(rest(300));
    });
    const { code, cwd } = await fetching(env, ["attachment", "download", "2", "--timeout", "1"]);
    expect(code).toBe(0);
    expect(heads).toHaveLength(2);
    expect(readFileSync(join(cwd, "budget.csv"), "utf8")).toBe(content);
  });
});

/** An organization with an export at `link`. */
async function exported(link: (site: string) => string, file: Conversation = () => undefined) {
  const heads: string[] = [];
  const server = await hostile((socket, nth, request) => {
    if (request.startsWith("GET /api/v1/server_settings")) return socket.write(settings);
    if (!request.startsWith("GET /api/v1/export/realm ")) {
      heads.push(request.toLowerCase());
      return file(socket, nth, request);
    }
    const record = { id: 7, acting_user_id: 1, export_time: 1, pending: false, export_url: link(server.site) };
    return socket.write(success({ exports: [record] }));
  });
  return { ...server, heads };
}

const get = ["export", "download", "7"];

describe("a link", () => {
  test("to another host gets no credentials, and its query is never shown", async () => {
    const heads: string[] = [];
    const bucket = await hostile((socket, _, request) => {
      heads.push(request);
      socket.write(whole());
    });
    const { env } = await exported(() => `${bucket.site}/b/all.tar.gz?signature=abcdef`);
    const { code, out, err, there } = await fetching(env, [...get, "-v"]);
    expect({ code, out, there }).toEqual({
      code: 0,
      out: "Export 7 saved as all.tar.gz (1000 B).\n",
      there: ["all.tar.gz"],
    });
    expect(heads[0]).toContain("GET /b/all.tar.gz?signature=abcdef ");
    expect(heads[0]!.toLowerCase()).not.toContain("authorization");
    expect(err).toContain(`> GET ${bucket.site}/b/all.tar.gz?[secret]`);
  });

  test.each([
    ["file:///etc/passwd", "the file's address is not an https:// URL (file:)"],
    [
      "http://bucket.example/x.tar.gz",
      "the file's address is http://, over which everyone on the way to bucket.example",
    ],
    ["https://a:b@bucket.example/x", "the file's address has a user name or password in it"],
    ["nonsense", "the file's address is not a URL"],
  ])("to %s is refused before anything is sent there", async (link, expected) => {
    const { env, heads } = await exported(() => link);
    const { code, err, there } = await fetching(env, get);
    expect({ code, there, heads }).toEqual({ code: 4, there: [], heads: [] });
    expect(err).toContain(`zulipctl: ${expected}`);
  });

  test("with a path in its name is saved in the chosen directory", async () => {
    const { env } = await exported(
      (site) => `${site}/x/..%2F..%2F.bashrc`,
      (socket) => socket.write(whole()),
    );
    expect((await fetching(env, get)).there).toEqual(["__%2F..%2F.bashrc"]);
  });

  test.each([
    [
      "a page that asks for a password",
      answer(200, "<title>Log in</title>", "content-type: text/html; charset=utf-8\r\n"),
      "the server sent a web page instead of the file",
    ],
    [
      "what tells no length",
      "HTTP/1.1 200 X\r\nconnection: close\r\n\r\nabc",
      "the server announced no length, so zulipctl cannot tell whether the file is complete",
    ],
  ])("to %s is not an export", async (_, sent, expected) => {
    const { env } = await exported(
      (site) => `${site}/x.tar.gz`,
      (socket) => socket.end(sent),
    );
    const { code, err, there } = await fetching(env, get);
    expect({ code, there }).toEqual({ code: 4, there: [] });
    expect(err).toContain(expected);
  });
});

describe("an existing file", () => {
  test("is reported before anything is sent, and --overwrite replaces it", async () => {
    const { env, asked } = await uploaded((socket) => socket.write(whole()));
    const cwd = directory();
    const path = join(cwd, "old.csv");
    writeFileSync(path, "old");
    const argv = ["attachment", "download", "2", "--to", "old.csv"];
    const refused = await fetching(env, argv, cwd);
    expect(refused).toMatchObject({
      code: 2,
      err: "zulipctl: old.csv already exists\nPass --overwrite to replace it, or choose another name with --to.\n",
    });
    expect(asked).toEqual([]);
    expect(readFileSync(path, "utf8")).toBe("old");
    expect((await fetching(env, [...argv, "--overwrite"], cwd)).code).toBe(0);
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("that appears during the download is not overwritten", async () => {
    const cwd = directory();
    const { env } = await uploaded((socket) => {
      writeFileSync(join(cwd, "budget.csv"), "somebody's");
      socket.write(whole());
    });
    const { code, err, there } = await fetching(env, undefined, cwd);
    expect({ code, there }).toEqual({ code: 2, there: ["budget.csv"] });
    expect(err).toContain("budget.csv exists now, and was not changed");
    expect(readFileSync(join(cwd, "budget.csv"), "utf8")).toBe("somebody's");
  });

  test("that is a broken link or not a regular file is refused", async () => {
    const { env } = await uploaded((socket) => socket.write(whole()));
    const cwd = directory();
    symlinkSync(join(cwd, "nowhere"), join(cwd, "budget.csv"));
    for (const argv of [[], ["--overwrite"]]) {
      const { code, err } = await fetching(env, ["attachment", "download", "2", ...argv], cwd);
      expect({ code, err: err.split("\n")[0] }).toEqual({
        code: 2,
        err: "zulipctl: budget.csv is not a regular file",
      });
    }
    expect(existsSync(join(cwd, "nowhere"))).toBe(false);
    const { code, err } = await fetching(env, ["attachment", "download", "2", "--to", "/dev/null", "--overwrite"]);
    expect({ code, err: err.split("\n")[0] }).toEqual({
      code: 2,
      err: "zulipctl: /dev/null is not a regular file",
    });
  });

  test.each([
    [["--to", "none/x"], "cannot write none/x: its directory does not exist"],
    [["--to", "none/"], "--to: directory not found: none/"],
    [["--to", ""], `invalid --to "": must be the name of a file`],
    [["--to", "-", "-o", "csv"], "--to - writes the file to stdout, where the result of -o csv would go too"],
  ])("%j is refused as a place", async (argv, expected) => {
    const { env, heads } = await uploaded((socket) => socket.write(whole()));
    const { code, err } = await fetching(env, ["attachment", "download", "2", ...argv]);
    expect({ code, err: err.split("\n")[0], heads }).toEqual({ code: 2, err: `zulipctl: ${expected}`, heads: [] });
  });
});

const sum = async (path: string): Promise<string> => {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
};

/** The bytes of a complete export of the sandbox. */
async function madeBy(url: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of (await fetch(url)).body!) hash.update(chunk);
  return hash.digest("hex");
}

const mebibytes = 300;

test("downloads hundreds of megabytes through two broken connections, in little memory", async () => {
  const faults = [
    parseFault("cut:op=export.file,nth=1,at=80000001"),
    parseFault("cut:op=export.file,nth=2,at=120000003"),
  ];
  const size = mebibytes * 1024 * 1024;
  const { env } = await serving({
    exportSize: size,
    disturb: injectFaults(faults, async (ms) => pause(ms)),
  });
  const created = await zulipctl(["export", "create", "--wait", "-q", "--jq", ".export_url"], {
    env: { ...environment(), ...env },
  });
  expect(created).toMatchObject({ code: 0, err: "" });
  const cwd = directory();
  const { child, ended } = startZulipctl(["export", "download", "1", "--to", "all.tar.gz", "-v"], {
    cwd,
    env: { ...environment(), ...env },
  });
  let highest = 0;
  const look = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      highest = Math.max(highest, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended.
    }
  }, 50);
  const { code, err } = await ended;
  clearInterval(look);
  expect(code).toBe(0);
  expect(err.match(/from byte \d+ on/g)).toEqual(["from byte 80000001 on", "from byte 200000004 on"]);
  expect(readdirSync(cwd)).toEqual(["all.tar.gz"]);
  expect(statSync(join(cwd, "all.tar.gz")).size).toBe(size);
  expect(await sum(join(cwd, "all.tar.gz"))).toBe(await madeBy(created.out.trim()));
  if (process.platform === "linux") expect(highest / 1024).toBeLessThan(200);
}, 180_000);

test.each(["SIGINT", "SIGTERM"] as const)("%s leaves no partial file", async (signal) => {
  const { env, came } = await uploaded((socket) => {
    socket.write(part(200, { "content-length": 1000, etag: tag }, content.slice(0, 300)));
  });
  const cwd = directory();
  const { child, ended } = startZulipctl(["attachment", "download", "2"], { cwd, env: { ...environment(), ...env } });
  await came(2);
  while (!readdirSync(cwd).some((name) => name.startsWith(".zulipctl-"))) await pause(20);
  await pause(200);
  child.kill(signal);
  expect((await ended).code).toBe(signal === "SIGINT" ? 130 : 143);
  expect(readdirSync(cwd)).toEqual([]);
});

test("exits quietly when the reader closes the pipe", async () => {
  const { env } = await serving({ exportSize: 50 * 1024 * 1024 });
  const all = { ...environment(), ...env };
  expect((await zulipctl(["export", "create", "--wait", "-q"], { env: all })).code).toBe(0);
  const line = `${commandLine} export download 1 --to - | head -c 1000 | wc -c; echo \${PIPESTATUS[0]}`;
  const { out } = await run(["bash", "-c", line], { env: all });
  expect(out.split(/\s+/).filter(Boolean)).toEqual(["1000", "0"]);
}, 30_000);
