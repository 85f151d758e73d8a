import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/node/http.ts";
import type { Tls } from "../../src/world/peers.ts";
import { type HttpRequest, type HttpResponse, NoAnswer } from "../../src/world/world.ts";
import { freePort, ok, pem, plainPeer, proxyPeer, securePeer } from "./peer.ts";

const ca = pem("ca.pem");

async function asking(tls: Tls = {}, env: Record<string, string> = {}) {
  const connection = await connect(tls, env);
  onTestFinished(() => connection.close());
  return (url: string, more: Partial<HttpRequest> = {}) =>
    connection.request({ method: "POST", url, headers: {}, body: "a=1", timeout: 5000, ...more });
}

async function whole({ body }: HttpResponse): Promise<string> {
  let text = "";
  for await (const chunk of body) text += Buffer.from(chunk).toString();
  return text;
}

async function failure(
  promise: Promise<unknown>,
): Promise<{ why: string; left: boolean; message: string; hint?: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof NoAnswer)) throw error ?? new Error("it succeeded");
  const { why, maybeSent: left, message, hint } = error;
  return { why, left, message, ...(hint !== undefined && { hint }) };
}

const never = () => {};

const read = { method: "GET", body: undefined } as const;

test("sends the request and returns the answer", async () => {
  const peer = await plainPeer((socket) => socket.write(ok('{"id":7}', "X-Twice: a\r\nX-Twice: b\r\n")));
  const ask = await asking();
  const answer = await ask(`http://127.0.0.1:${peer.port}/api/v1/x?b=%20`, {
    method: "PATCH",
    headers: { "user-agent": "zulipctl/1", "content-type": "application/x-www-form-urlencoded" },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers).toEqual({ "content-length": "8", "x-twice": "b" });
  expect(await whole(answer)).toBe('{"id":7}');
  expect(peer.requests).toEqual([
    `PATCH /api/v1/x?b=%20 HTTP/1.1\r\nhost: 127.0.0.1:${peer.port}\r\nconnection: keep-alive\r\nuser-agent: zulipctl/1\r\n` +
      "content-type: application/x-www-form-urlencoded\r\ncontent-length: 3\r\n\r\na=1",
  ]);
});

test("returns every status, and follows no redirects", async () => {
  const peer = await plainPeer((socket) =>
    socket.write("HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n"),
  );
  const answer = await (await asking())(`http://127.0.0.1:${peer.port}/`);
  expect([answer.status, answer.headers.location, await whole(answer)]).toEqual([302, "/elsewhere", ""]);
  expect(peer.requests).toHaveLength(1);
});

test("reads share a connection, and each change has its own", async () => {
  const peer = await plainPeer((socket) => socket.write(ok("x")));
  const ask = await asking();
  for (let n = 0; n < 3; n += 1) await whole(await ask(`http://127.0.0.1:${peer.port}/`, read));
  expect([peer.connections, peer.requests.length]).toEqual([1, 3]);
  // The method and the body of a read make no difference.
  for (const method of ["POST", "DELETE", "GET"] as const)
    await whole(
      await ask(`http://127.0.0.1:${peer.port}/`, { ...(method === "GET" ? read : { method }), ownConnection: false }),
    );
  expect([peer.connections, peer.requests.length]).toEqual([1, 6]);
  for (let n = 0; n < 3; n += 1) await whole(await ask(`http://127.0.0.1:${peer.port}/`));
  expect([peer.connections, peer.requests.length]).toEqual([4, 9]);
});

test("unknown host name: nothing was sent", async () => {
  expect(await failure((await asking())("https://chat.invalid/"))).toEqual({
    why: "dns",
    left: false,
    message: expect.stringMatching(/^(unknown host name|cannot look up the host name) chat\.invalid$/),
  });
});

test("refused connection: nothing was sent", async () => {
  const port = await freePort();
  expect(await failure((await asking())(`http://127.0.0.1:${port}/`))).toEqual({
    why: "refused",
    left: false,
    message: "it refused the connection",
  });
});

test.each([
  ["a certificate of an unknown authority", {}, {}, "127.0.0.1", /self-signed|unable to verify|unable to get/],
  ["a certificate for another host", { name: "other" }, { ca }, "127.0.0.1", /does not match|altname/],
  [
    "protocols in common are missing",
    { maxVersion: "TLSv1.2" as const, ciphers: "PSK" },
    { ca },
    "127.0.0.1",
    /handshake|alert/,
  ],
])("TLS: %s: nothing was sent", async (_, options, tls, host, words) => {
  const peer = await securePeer(never, options);
  const told = await failure((await asking(tls))(`https://${host}:${peer.port}/`));
  expect(told).toMatchObject({ why: "tls", left: false, message: expect.stringMatching(words) });
  expect(told.message).toMatch(/^no secure connection: .*[^.:]$/);
  expect(peer.requests).toEqual([]);
});

test.each([
  ["of the server", false],
  ["of a proxy", true],
])("checks the certificate %s, whatever the environment says", async (_, proxied) => {
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
  });
  const peer = await securePeer(never);
  const env: Record<string, string> = proxied ? { HTTPS_PROXY: `https://localhost:${peer.port}` } : {};
  const told = await failure((await asking({}, env))(`https://localhost:${peer.port}/`));
  expect(told).toMatchObject({ why: "tls", left: false });
  expect(peer.requests).toEqual([]);
});

test("connection closed in the TLS handshake: nothing was sent", async () => {
  const peer = await plainPeer((socket) => socket.destroy());
  expect(await failure((await asking({ ca }))(`https://127.0.0.1:${peer.port}/`))).toMatchObject({
    why: "tls",
    left: false,
  });
  expect(peer.connections).toBe(1);
});

test("trusts a certificate authority of a file", async () => {
  const peer = await securePeer((socket) => socket.write(ok("safe")));
  expect(await whole(await (await asking({ ca }))(`https://localhost:${peer.port}/`))).toBe("safe");
});

test("sends a client certificate", async () => {
  const peer = await securePeer(
    (socket) =>
      socket.write(
        ok(
          String(
            (socket as never as { getPeerCertificate(): { subject: { CN: string } } }).getPeerCertificate().subject.CN,
          ),
        ),
      ),
    { requestCert: true, rejectUnauthorized: true, ca: ca.text },
  );
  const ask = await asking({ ca, cert: pem("client.pem"), key: pem("client.key") });
  expect(await whole(await ask(`https://localhost:${peer.port}/`))).toBe("client.example");
});

test("names TLS files with invalid content", async () => {
  const here = pem("../../node/peer.ts");
  await expect(connect({ cert: here, key: here }, {})).rejects.toThrow(
    `cannot read a TLS certificate or key from ${here.path}`,
  );
});

test.each([
  ["closed", (socket: Socket) => socket.end(), "reset"],
  ["reset", (socket: Socket) => socket.resetAndDestroy(), "reset"],
  ["closed within the headers", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\nx-a: "), "reset"],
  ["not HTTP", (socket: Socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "protocol"],
  [
    "an upgrade nobody asked for",
    (socket: Socket) => socket.end("HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    "reset",
  ],
  [
    "headers without end",
    (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(40_000)}\r\n`),
    "protocol",
  ],
])("%s before the answer: the request may have arrived, and is sent once", async (_, answer, why) => {
  const peer = await plainPeer((socket) => void answer(socket));
  expect(await failure((await asking())(`http://127.0.0.1:${peer.port}/`))).toMatchObject({ why, left: true });
  expect([peer.connections, peer.requests.length]).toEqual([1, 1]);
});

test.each([
  ["closed at once", (socket: Socket) => void socket.end()],
  ["reset at once", (socket: Socket) => void socket.resetAndDestroy()],
  ["greeted with garbage", (socket: Socket) => void socket.end("220 mail.example ESMTP\r\n")],
])("does not try again after a connection that is %s", async (_, greet) => {
  const peer = await plainPeer(never, greet);
  // The request may be written before the connection ends.
  expect(["reset", "network", "protocol"]).toContain(
    (await failure((await asking())(`http://127.0.0.1:${peer.port}/`))).why,
  );
  expect(peer.connections).toBe(1);
});

test.each([
  ["shorter than its length", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "cut"],
  [
    "shorter than its length, without keep-alive",
    "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 10\r\n\r\nabc",
    "cut",
  ],
  ["chunked without end", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", "cut"],
  [
    "chunked without end or keep-alive",
    "HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "cut",
  ],
  ["chunked badly", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n", "protocol"],
])("yields the received part of a body %s, then throws", async (_, text, why) => {
  const peer = await plainPeer((socket) => socket.end(text));
  const { body } = await (await asking())(`http://127.0.0.1:${peer.port}/`);
  const got: string[] = [];
  const reading = async () => {
    for await (const chunk of body) got.push(Buffer.from(chunk).toString());
  };
  expect(await failure(reading())).toMatchObject({ why, left: true });
  expect(got).toEqual(["abc"]);
});

test.each([
  ["before the request was written: nothing left", "https", false, "cannot connect within 0.05 seconds"],
  ["after the request was written: it may have arrived", "http", true, "timed out after 0.05 seconds"],
])("a timeout %s", async (_, scheme, left, message) => {
  const peer = await plainPeer(never);
  const told = await failure((await asking({ ca }))(`${scheme}://127.0.0.1:${peer.port}/`, { timeout: 50 }));
  expect(told).toEqual({ why: "timeout", left, message });
});

test("the timeout includes the body, even if it arrives steadily", async () => {
  const peer = await plainPeer((socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
    const drip = setInterval(() => socket.write("a"), 10);
    socket.on("close", () => clearInterval(drip));
  });
  const answer = await (await asking())(`http://127.0.0.1:${peer.port}/`, { timeout: 80 });
  expect(await failure(whole(answer))).toEqual({
    why: "timeout",
    left: true,
    message: "its answer was not complete within 0.08 seconds",
  });
});

test("a request that is not valid HTTP: nothing was sent", async () => {
  const peer = await plainPeer(never);
  const told = await failure((await asking())(`http://127.0.0.1:${peer.port}/`, { headers: { "x-a": "b\r\nc: d" } }));
  expect(told).toEqual({ why: "protocol", left: false, message: "cannot send the request: invalid x-a header" });
  expect(peer.requests).toEqual([]);
});

test("stopped before it begins: nothing was sent", async () => {
  const peer = await plainPeer(never);
  const ask = await asking();
  expect(await failure(ask(`http://127.0.0.1:${peer.port}/`, { signal: AbortSignal.abort() }))).toMatchObject({
    why: "stopped",
    left: false,
  });
  expect(peer.connections).toBe(0);
});

test.each([
  ["while connecting: nothing left", "https", false],
  ["while waiting for the answer: it may have arrived", "http", true],
])("stopped %s", async (_, scheme, left) => {
  const controller = new AbortController();
  const peer = await plainPeer(() => controller.abort());
  const told = await failure((await asking())(`${scheme}://127.0.0.1:${peer.port}/`, { signal: controller.signal }));
  expect(told).toMatchObject({ why: "stopped", left });
});

test("stopped in the body", async () => {
  const controller = new AbortController();
  const peer = await plainPeer((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc"));
  const answer = await (await asking())(`http://127.0.0.1:${peer.port}/`, { signal: controller.signal });
  controller.abort();
  expect(await failure(whole(answer))).toMatchObject({ why: "stopped", left: true });
});

test("replaces a kept connection that the server has closed", async () => {
  let gone: Promise<unknown> | undefined;
  const peer = await plainPeer((socket) => {
    gone ??= once(socket, "close");
    socket.end(ok("x"));
  });
  const ask = await asking();
  await whole(await ask(`http://127.0.0.1:${peer.port}/1`, read));
  await gone;
  await whole(await ask(`http://127.0.0.1:${peer.port}/2`, read));
  expect(peer.connections).toBe(2);
  expect(peer.requests.map((request) => request.split(" ")[1])).toEqual(["/1", "/2"]);
});

test("a kept connection that fails during the next request: it may have arrived, and is sent once", async () => {
  const peer = await plainPeer((socket, _, nth) => void (nth === 1 ? socket.write(ok("x")) : socket.resetAndDestroy()));
  const ask = await asking();
  await whole(await ask(`http://127.0.0.1:${peer.port}/1`, read));
  expect(await failure(ask(`http://127.0.0.1:${peer.port}/2`, read))).toMatchObject({ why: "reset", left: true });
  expect(peer.requests.map((request) => request.split(" ")[1])).toEqual(["/1", "/2"]);
});

test("`close` ends current requests and rejects later ones", async () => {
  const peer = await plainPeer(() => void connection.close());
  const connection = await connect({}, {});
  const request = { method: "GET" as const, url: `http://127.0.0.1:${peer.port}/`, headers: {}, timeout: 5000 };
  expect(await failure(connection.request(request))).toMatchObject({ why: "stopped", left: true });
  expect(await failure(connection.request(request))).toMatchObject({ why: "stopped", left: false });
});

test("uses the proxy of HTTPS_PROXY, with its password", async () => {
  const peer = await securePeer((socket) => socket.write(ok("through")));
  const proxy = await proxyPeer(peer.port);
  const ask = await asking({ ca }, { HTTPS_PROXY: `http://ada:p%40ss@127.0.0.1:${proxy.port}` });
  expect(await whole(await ask("https://chat.example/"))).toBe("through");
  expect(proxy.requests[0]).toContain("CONNECT chat.example:443 HTTP/1.1\r\n");
  expect(proxy.requests[0]).toContain(`proxy-authorization: Basic ${btoa("ada:p@ss")}\r\n`);
  expect(proxy.requests.join("")).not.toContain("a=1");
});

test.each([
  ["answers 502", "HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"],
  ["hangs up", ""],
  ["talks nonsense", "hello\r\n"],
])("a proxy that %s: nothing was sent, and it is asked once", async (_, answer) => {
  const proxy = await proxyPeer(answer);
  const ask = await asking({ ca }, { https_proxy: `http://127.0.0.1:${proxy.port}` });
  const told = await failure(ask("https://chat.example/"));
  expect(told).toMatchObject({ why: "network", left: false });
  expect(told.message).toMatch(new RegExp(`^no connection through the proxy 127.0.0.1:${proxy.port}: `));
  expect(proxy.connections).toBe(1);
});

test.each([
  [
    "old:pw@",
    407,
    "the proxy does not accept the user name and password in https_proxy (407)",
    "Check the user name and password in https_proxy.",
  ],
  [
    "",
    407,
    "the proxy requires a user name and password (407)",
    "Put them in https_proxy: http://<user name>:<password>@<host>:<port>",
  ],
  [
    "",
    403,
    "the proxy refuses it (403)",
    "Ask whoever runs the proxy, or name this host in NO_PROXY. https_proxy names the proxy.",
  ],
])("a proxy with the login %j that answers %i is asked once, by all requests", async (login, status, words, hint) => {
  const proxy = await proxyPeer(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
  const ask = await asking({ ca }, { https_proxy: `http://${login}127.0.0.1:${proxy.port}` });
  for (let nth = 0; nth < 2; nth++)
    expect(await failure(ask("https://chat.example/"))).toEqual({
      why: "proxy",
      left: false,
      message: `no connection through the proxy 127.0.0.1:${proxy.port}: ${words}`,
      hint,
    });
  expect(proxy.connections).toBe(1);
});

test("reports an invalid proxy", async () => {
  const connection = await connect({}, { http_proxy: "garbage://secret" });
  const asked = connection.request({ method: "GET", url: "http://127.0.0.1:9/", headers: {}, timeout: 1000 });
  await expect(asked).rejects.toThrow("http_proxy must be the http:// or https:// URL of a proxy");
  await connection.close();
});

test("unreachable proxy: nothing was sent, and the error names it", async () => {
  const port = await freePort();
  const ask = await asking({ ca }, { https_proxy: `http://127.0.0.1:${port}` });
  expect(await failure(ask("https://chat.example/"))).toEqual({
    why: "refused",
    left: false,
    message: `the proxy 127.0.0.1:${port} refused the connection`,
  });
});

test("unknown host name of a proxy: the error names the variable", async () => {
  const ask = await asking({ ca }, { https_proxy: "http://none.invalid:3128" });
  const told = await failure(ask("https://chat.example/"));
  expect(told).toMatchObject({ why: "dns", left: false });
  expect(told.message).toMatch(
    /^(unknown host name none\.invalid in https_proxy|cannot look up the host name none\.invalid)$/,
  );
});

test("silent proxy: nothing was sent", async () => {
  const proxy = await plainPeer(never);
  const ask = await asking({ ca }, { https_proxy: `http://127.0.0.1:${proxy.port}` });
  expect(await failure(ask("https://chat.example/", { timeout: 50 }))).toEqual({
    why: "timeout",
    left: false,
    message: `cannot connect through the proxy 127.0.0.1:${proxy.port} within 0.05 seconds`,
  });
});

test("a proxy that answers without TLS: the hint names its variable", async () => {
  const proxy = await proxyPeer("HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n<p>log in</p>");
  const ask = await asking({ ca }, { https_proxy: `http://127.0.0.1:${proxy.port}` });
  await expect(ask("https://chat.example/")).rejects.toMatchObject({
    why: "tls",
    hint: "Check https_proxy: the answer is not TLS.",
  });
});

test("wrong certificate behind a proxy: nothing was sent", async () => {
  const peer = await securePeer(never, { name: "other" });
  const proxy = await proxyPeer(peer.port);
  const ask = await asking({ ca }, { https_proxy: `http://127.0.0.1:${proxy.port}` });
  expect(await failure(ask("https://chat.example/"))).toMatchObject({ why: "tls", left: false });
  expect(peer.requests).toEqual([]);
});
