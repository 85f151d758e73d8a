/** Each way in which a connection or an answer can die, as the built program tells it, and how often it asked. */
import { describe, expect, test } from "vitest";
import { freePort, securePeer } from "../node/peer.ts";
import { answer, hostile, type Says } from "./hostile-server.ts";
import { environment, zulipctl } from "./program.ts";

const read = ["linkifier", "list", "-o", "json"];
const change = ["attachment", "rm", "3", "--yes", "-o", "json"];
const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Exit codes of a read and of a change, and how many requests each makes. */
const ways: [name: string, says: Says, read: [number, number], change: [number, number]][] = [
  ["closed before the answer", (socket) => socket.end(), [4, 4], [7, 1]],
  ["reset before the answer", (socket) => socket.resetAndDestroy(), [4, 4], [7, 1]],
  ["closed within the headers", (socket) => socket.end("HTTP/1.1 200 OK\r\nx-a: "), [4, 4], [7, 1]],
  [
    "reset in the body",
    (socket) => socket.write(`${chunked}5\r\n{"res\r\n`, () => socket.resetAndDestroy()),
    [4, 4],
    [7, 1],
  ],
  ["body cut short", (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"result":'), [4, 4], [7, 1]],
  [
    "cut short without a length",
    (socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"result":"success",'),
    [4, 1],
    [7, 1],
  ],
  ["never answered", () => undefined, [4, 1], [7, 1]],
  ["an answer that never ends", (socket) => socket.write(`${chunked}5\r\n{"res\r\n`), [4, 1], [7, 1]],
  ["not HTTP", (socket) => socket.end("SSH-2.0-OpenSSH\r\n"), [4, 1], [7, 1]],
  ["a captive portal", (socket) => socket.write(answer(200, "<html><title>Hotel</title>")), [4, 1], [7, 1]],
  ["an empty answer", (socket) => socket.write(answer(200, "")), [4, 1], [7, 1]],
  ["a redirect", (socket) => socket.write(answer(302, "", "location: https://sso.example/\r\n")), [4, 1], [4, 1]],
  ["a proxy's refusal", (socket) => socket.write(answer(403, "<h1>Forbidden</h1>")), [4, 1], [4, 1]],
  ["a proxy's 502", (socket) => socket.write(answer(502, "<h1>Bad Gateway</h1>")), [4, 4], [7, 1]],
  [
    "a huge answer",
    (socket) => socket.write(answer(200, `{"result":"${"x".repeat(17 * 1024 * 1024)}"}`)),
    [4, 1],
    [7, 1],
  ],
];

const told = (err: string) => JSON.parse(err.trim().split("\n").at(-1)!).error;

test.each(ways)("%s", async (_, says, ...ends) => {
  const runs = [read, change].map(async (argv) => {
    const server = await hostile(says);
    const ended = await zulipctl([...argv, "--timeout", "1"], { env: { ...environment(), ...server.env } });
    const { exit_code, outcome, message } = told(ended.err);
    expect(message).toContain(new URL(server.site).host);
    expect(message).not.toMatch(/[\n<>]|\bat .*:\d+/);
    return { code: ended.code, exit_code, outcome, asked: server.asked.length };
  });
  const [[readCode, reads], [changeCode, changes]] = ends;
  expect(await Promise.all(runs)).toEqual([
    { code: readCode, exit_code: readCode, outcome: undefined, asked: reads },
    { code: changeCode, exit_code: changeCode, outcome: changeCode === 7 ? "unknown" : "not_applied", asked: changes },
  ]);
});

describe("where nothing can have left this machine", () => {
  test.each([
    ["nobody listens", async () => `http://127.0.0.1:${await freePort()}`],
    ["the name is not known", async () => "https://chat.invalid"],
    ["the certificate is nobody's", async () => `https://127.0.0.1:${(await securePeer(() => {})).port}`],
  ])("a change says so: %s", async (_, site) => {
    const env = { ...environment(), ZULIP_SITE: await site(), ZULIP_EMAIL: "a@x.example", ZULIP_API_KEY: "k" };
    const { code, err } = await zulipctl(change, { env });
    expect({ code, outcome: told(err).outcome }).toEqual({ code: 4, outcome: "not_sent" });
  });
});

describe("a long list", () => {
  const user = (id: number) => ({
    user_id: id,
    full_name: `U${id}`,
    email: `u${id}@x`,
    role: 400,
    is_active: true,
    is_bot: false,
  });
  const users = Array.from({ length: 2000 }, (_, id) => user(id));
  const text = JSON.stringify({ result: "success", msg: "", members: users });
  const half = text.slice(0, text.length / 2);
  const piece = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`;
  const cuts: [string, Says][] = [
    ["closed", (socket) => socket.end(`${chunked}${piece(half)}`)],
    [
      "shorter than its length",
      (socket) => socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${half}`),
    ],
    ["ended without a length", (socket) => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${half}`)],
    ["ended as if it were whole", (socket) => socket.write(`${chunked}${piece(half)}0\r\n\r\n`)],
    ["silent", (socket) => socket.write(`${chunked}${piece(half)}`)],
    ["followed by rubbish", (socket) => socket.write(answer(200, `${text}<html>`))],
    ["an error in the end", (socket) => socket.write(answer(200, `${text.slice(0, -1)},"result":"error"}`))],
  ];

  test.each(cuts)("that is cut never looks whole: %s", async (_, says) => {
    const runs = ["ndjson", "csv", "ids", "json", "table"].map(async (form) => {
      const server = await hostile(says);
      const env = { ...environment(), ...server.env };
      const { code, out, err } = await zulipctl(["users", "list", "-o", form, "--timeout", "2"], { env });
      const printed = out.split("\n").length - 1 - (form === "csv" ? 1 : 0);
      expect({ form, code: code === 1 ? 4 : code }).toEqual({ form, code: 4 });
      if (form === "json" || form === "table") return expect(out).toBe("");
      expect(printed).toBeGreaterThan(900);
      expect(err).toContain(`${printed} records were printed before that`);
      return expect(server.asked).toHaveLength(1);
    });
    await Promise.all(runs);
  });
});
