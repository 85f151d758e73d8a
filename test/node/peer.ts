/** Loopback servers whose answers a test chooses. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";
import type { Pem } from "../../src/world/peers.ts";

export const tlsFile = (name: string) => new URL(`../data/tls/${name}`, import.meta.url).pathname;
export const pem = (name: string): Pem => ({ path: tlsFile(name), text: readFileSync(tlsFile(name), "utf8") });

export interface Peer {
  port: number;
  /** The number of connections so far. */
  connections: number;
  /** The text of each request, in their order. Data that arrives at once is one request. */
  requests: string[];
  close(): Promise<void>;
}

type Conversation = (socket: Socket, request: string, nth: number) => void;

async function listening(server: Server, peer: Peer, sockets: Set<Socket>): Promise<Peer> {
  server.on("connection", (socket) => {
    peer.connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  peer.port = (server.address() as AddressInfo).port;
  peer.close = async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(() => peer.close());
  return peer;
}

const empty = (): Peer => ({ port: 0, connections: 0, requests: [], close: async () => {} });

/** A TCP server that calls `answer` for each piece that arrives, or `greet` when someone connects. */
export function plainPeer(answer: Conversation, greet?: (socket: Socket) => void): Promise<Peer> {
  const peer = empty();
  const server = createServer((socket) => {
    greet?.(socket);
    socket.on("data", (data) => {
      peer.requests.push(String(data));
      answer(socket, String(data), peer.requests.length);
    });
  });
  return listening(server, peer, new Set());
}

export function securePeer(answer: Conversation, options: TlsOptions & { name?: string } = {}): Promise<Peer> {
  const peer = empty();
  const { name = "server", ...rest } = options;
  const server = createTlsServer(
    { cert: readFileSync(tlsFile(`${name}.pem`)), key: readFileSync(tlsFile(`${name}.key`)), ...rest },
    (socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => {
        peer.requests.push(String(data));
        answer(socket, String(data), peer.requests.length);
      });
    },
  );
  return listening(server, peer, new Set());
}

/** A proxy that answers CONNECT with `answer`, or connects through to `port` of this machine. */
export const proxyPeer = (answer: string | number) =>
  plainPeer((socket, _, nth) => {
    if (nth > 1) return;
    if (typeof answer === "string") return void socket.end(answer);
    const onward = connect(answer, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.removeAllListeners("data");
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
  });

/** Returns a port of this machine on which nobody listens. */
export async function freePort(): Promise<number> {
  const peer = await plainPeer(() => {});
  await peer.close();
  return peer.port;
}

export const ok = (body: string, headers = "") =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`;
