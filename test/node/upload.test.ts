/** Uploads: files are read while they are sent, with a known length. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withUpload } from "../../src/client/multipart.ts";
import { filesOf } from "../../src/node/files.ts";
import { connect } from "../../src/node/http.ts";
import type { FileToSend } from "../../src/wire/params.ts";
import { directory } from "./directory.ts";

const files = filesOf({});
const MB = 1_000_000;

interface Received {
  site: string;
  head: string;
  /** Bytes of the body. */
  bytes: number;
  /** The first and last kilobyte of the body. */
  first: string;
  last: string;
}

/** A server that answers after the whole body, and keeps only its ends. `during` is called with each part. */
async function receiving(during: (received: Received) => void = () => undefined): Promise<Received> {
  const received: Received = { site: "", head: "", bytes: 0, first: "", last: "" };
  const server = createServer((socket) => {
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      const text = chunk.toString("latin1");
      const end = received.head.includes("\r\n\r\n") ? -4 : text.indexOf("\r\n\r\n");
      if (end >= 0) received.head = text.slice(0, end + 4);
      const body = text.slice(end + 4);
      received.bytes += body.length;
      received.first = (received.first + body).slice(0, 1000);
      received.last = (received.last + body).slice(-1000);
      during(received);
      if (received.bytes >= length(received)) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
  });
  onTestFinished(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  received.site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return received;
}

const length = ({ head }: Received): number => Number(/content-length: (\d+)/i.exec(head)?.[1]);

async function sent({ site }: Received, file: FileToSend, fields: [string, string][] = []): Promise<number> {
  const connection = await connect({}, {});
  onTestFinished(() => connection.close());
  const form = { fields, files: [["file", file] as const] as [string, FileToSend][] };
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  return withUpload(form, "b", files, async (upload) => {
    const { status, body } = await connection.request({
      ...{ method: "POST", url: `${site}/api/v1/x`, headers, timeout: 5000 },
      upload,
    });
    for await (const _ of body);
    return status;
  });
}

function made(bytes: number): FileToSend {
  const path = join(directory(), 'a "b".bin');
  writeFileSync(path, Buffer.alloc(bytes, 0xff));
  return { path, size: bytes, type: "image/png" };
}

test("sends a form with its length, fields and files", async () => {
  const received = await receiving();
  expect(await sent(received, made(3), [["name", "Ä"]])).toBe(200);
  expect(received.head).toContain("content-type: multipart/form-data; boundary=b\r\n");
  expect(received.first).toBe(
    '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n\xc3\x84\r\n' +
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22.bin"\r\nContent-Type: image/png\r\n\r\n' +
      "\xff\xff\xff\r\n--b--\r\n",
  );
  expect(length(received)).toBe(received.bytes);
});

test("does not keep a file of 200 MB in memory", async () => {
  let most = 0;
  const received = await receiving(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  });
  const file = { ...made(1), size: 200 * MB };
  truncateSync(file.path, file.size);
  const before = process.memoryUsage().arrayBuffers;
  expect(await sent(received, file)).toBe(200);
  expect(received.bytes).toBeGreaterThan(file.size);
  expect(received.last.endsWith("\0\r\n--b--\r\n")).toBe(true);
  // V8 collects buffers when they have grown by 64 MB.
  expect(most - before).toBeLessThan(file.size / 2);
});

test.each([
  ["longer", (path: string) => appendFileSync(path, "x")],
  ["shorter", (path: string) => truncateSync(path, 1 * MB)],
])("does not complete a file that becomes %s while it is sent", async (_, change) => {
  const file = made(20 * MB);
  let changed = false;
  const received = await receiving(() => {
    if (!changed) change(file.path);
    changed = true;
  });
  await expect(sent(received, file)).rejects.toMatchObject({
    message: `${file.path}: the file changed while it was sent; nothing was uploaded`,
    exitCode: 6,
    details: { outcome: "not_applied" },
  });
  expect(received.bytes).toBeLessThan(length(received));
  expect(received.last).not.toContain("--b--");
});

test("does not send a file that changed after it was checked", async () => {
  const received = await receiving();
  const file = made(10);
  appendFileSync(file.path, "x");
  await expect(sent(received, file)).rejects.toThrow("the file changed after it was checked; nothing was uploaded");
  expect(received.head).toBe("");
});

test("opens only regular files, and does not wait for a pipe", async () => {
  const place = directory();
  execFileSync("mkfifo", [join(place, "pipe")]);
  for (const path of [place, join(place, "pipe"), "/dev/null"])
    await expect(files.open(path)).rejects.toThrow(/EISDIR|not a regular file/);
  await expect(files.open(join(place, "none"))).rejects.toThrow("ENOENT");
});
