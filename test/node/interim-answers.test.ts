/** `100 Continue` that nobody asked for. */
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/node/http.ts";

const interim = "HTTP/1.1 100 Continue\r\nX-Proxy: a\r\n\r\n";
const answer = (text: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

/** Answers every request with these pieces, each in a packet of its own. */
async function serverWith(pieces: readonly string[]): Promise<string> {
  const server = createServer((socket: Socket) => {
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.on("data", async () => {
      for (const piece of pieces) {
        await new Promise((resolve) => socket.write(piece, resolve));
        await new Promise(setImmediate);
      }
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`;
}

async function bodyFrom(pieces: readonly string[], times = 1): Promise<string[]> {
  const url = await serverWith(pieces);
  const connection = await connect({}, {});
  onTestFinished(() => connection.close());
  const bodies: string[] = [];
  for (let n = 0; n < times; n++) {
    const { body } = await connection.request({ method: "GET", url, headers: {}, timeout: 5000 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks).toString());
  }
  return bodies;
}

test("is read past, in one piece or in many, once or several times", async () => {
  const whole = interim + interim + answer("yes");
  expect(await bodyFrom([whole])).toEqual(["yes"]);
  expect(await bodyFrom([...whole])).toEqual(["yes"]);
  expect(await bodyFrom([interim, answer("yes")], 2)).toEqual(["yes", "yes"]);
});

test("is not looked for in the body of an answer", async () => {
  const body = `HTTP/1.1 100 Continue\r\n\r\n${"x".repeat(40)}`;
  const [head, rest] = answer(body).split(/(?=HTTP\/1\.1 100)/);
  expect(await bodyFrom([head ?? "", rest ?? ""])).toEqual([body]);
});
