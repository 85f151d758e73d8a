/** A loopback server whose answers a test chooses. It records complete requests. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export type Says = (socket: Socket, nth: number, request: string) => unknown;

export interface Hostile {
  /** Method and path of each request, in their order. */
  asked: string[];
  /** Resolves after so many requests. */
  came(count: number): Promise<void>;
  site: string;
  /** The environment with credentials for it. */
  env: Record<string, string>;
}

export const key = "SECRETKEYabcdefghijklmnop0123456";

export async function hostile(says: Says): Promise<Hostile> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const waiting: { count: number; resolve(): void }[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
      for (;;) {
        const head = text.indexOf("\r\n\r\n") + 4;
        if (head < 4) return;
        const length = head + Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
        if (text.length < length) return;
        const request = text.slice(0, length);
        text = text.slice(length);
        asked.push(request.split(" ", 2).join(" "));
        for (const { count, resolve } of waiting) if (asked.length >= count) resolve();
        says(socket, asked.length, request);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    came: (count) =>
      new Promise((resolve) => {
        if (asked.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    site,
    env: { ZULIP_SITE: site, ZULIP_EMAIL: "ada@chat.example", ZULIP_API_KEY: key },
  };
}

export const answer = (status: number, body: unknown, headers = "") => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return `HTTP/1.1 ${status} X\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${headers}\r\n${text}`;
};

export const success = (fields: object = {}) => answer(200, { result: "success", msg: "", ...fields });

export const refusal = (status: number, code: string, fields: object = {}) =>
  answer(status, { result: "error", msg: "No.", code, ...fields });
