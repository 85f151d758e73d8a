/** The sandbox on a loopback socket. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback } from "../common/loopback.ts";
import { type HttpRequest, type HttpResponse, type Method, NoAnswer, type Upload } from "../world/world.ts";
import { proxyPage, respond } from "./answers.ts";
import type { Sandbox } from "./sandbox-options.ts";
import { largestBody } from "./serve.ts";

export interface ListeningSandbox {
  sandbox: Sandbox;
  /** `http://127.0.0.1:9991`. */
  site: string;
  /** Ends every connection, also those in the middle of an answer. */
  close(): Promise<void>;
}

const host = "127.0.0.1";
const wholeRequest = 60_000;

/** Reads the body; undefined if it is larger than a proxy accepts. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const limit = largestBody((incoming.url ?? "").replace(/\?.*/, ""));
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const onLoopback = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname);

/** Returns whether a page of a web site sent the request. Such requests are refused. */
const isCrossSite = ({ headers: { host: named, origin } }: IncomingMessage): boolean =>
  (named !== undefined && !onLoopback(`http://${named}`)) || (origin !== undefined && !onLoopback(origin));

const singleChunkUpload = (bytes: Uint8Array): Upload => ({
  size: bytes.length,
  async *bytes() {
    yield bytes;
  },
});

async function answer(
  sandbox: Sandbox,
  site: string,
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<HttpResponse> {
  if (isCrossSite(incoming)) return respond(proxyPage(403, "Forbidden"));
  const body = await readBody(incoming);
  if (body === undefined) return respond(proxyPage(413, "Request Entity Too Large"));
  if ((incoming.headersDistinct.authorization?.length ?? 0) > 1) return respond(proxyPage(400, "Bad Request"));
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]);
  const request: HttpRequest = {
    method: incoming.method as Method,
    url: `${site}${incoming.url}`,
    headers: Object.fromEntries(headers),
    ...(/^\s*multipart\//i.test(incoming.headers["content-type"] ?? "")
      ? { upload: singleChunkUpload(body) }
      : { body: body.toString("utf8") }),
    timeout: wholeRequest,
    signal,
  };
  if (!URL.canParse(request.url)) return respond(proxyPage(400, "Bad Request"));
  return sandbox.handle(request, incoming.socket.remoteAddress);
}

async function serveRequest(sandbox: Sandbox, site: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const aborter = new AbortController();
  outgoing.once("close", () => aborter.abort());
  const { status, headers, body } = await answer(sandbox, site, incoming, aborter.signal);
  // Real servers let pages of any site read answers. The sandbox gives its keys to everybody, so it does not.
  const ownHeaders = Object.entries(headers).filter(([name]) => !name.startsWith("access-control-"));
  outgoing.writeHead(status, Object.fromEntries(ownHeaders));
  // Sends the head with the first part of the body, or without it if the body is slow.
  const flush = setImmediate(() => outgoing.flushHeaders());
  try {
    for await (const chunk of body) {
      if (!outgoing.write(chunk)) await once(outgoing, "drain");
    }
  } finally {
    clearImmediate(flush);
  }
  outgoing.end();
}

/**
 * Serves the sandbox that `make` returns for the address. Port 0 finds a free one. Rejects if the port is in use.
 * Errors of the sandbox itself reset the connection and go to `defect`.
 */
export async function listen(
  port: number,
  make: (site: string) => Sandbox,
  defect: (error: unknown) => void,
): Promise<ListeningSandbox> {
  // Twice the limit of a real server's proxy, so that the sandbox refuses large headers, not Node.
  const server: Server = createServer({ maxHeaderSize: 64 * 1024 });
  server.listen(port, host);
  await once(server, "listening");
  const site = `http://${host}:${(server.address() as AddressInfo).port}`;
  const sandbox = make(site);
  server.on("request", (incoming, outgoing) => {
    serveRequest(sandbox, site, incoming, outgoing).catch((error) => {
      // A disturbance without an answer, or with half of one, ends the connection as a broken network does.
      // A reset also discards data that was sent but not read yet.
      if (error instanceof NoAnswer && error.why === "cut") incoming.socket.destroySoon();
      else incoming.socket.resetAndDestroy();
      if (!(error instanceof NoAnswer)) defect(error);
    });
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { sandbox, site, close };
}
