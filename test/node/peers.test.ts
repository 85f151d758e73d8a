import { expect, test } from "vitest";
import { certificateOf, peerAddresses } from "../../src/node/peers.ts";
import { pem, proxyPeer, securePeer } from "./peer.ts";

const tls = { ca: pem("ca.pem") };
const options = { env: {}, timeout: 5000, stop: new AbortController().signal };
const unused = () => {};

test.each([
  ["", "localhost"],
  [" behind a proxy", "chat.example"],
])("returns the expiry of a valid certificate%s, and sends nothing", async (proxied, host) => {
  const server = await securePeer(unused);
  const proxy = await proxyPeer(server.port);
  const env: Record<string, string> = proxied ? { https_proxy: `http://127.0.0.1:${proxy.port}` } : {};
  const { expires } = await certificateOf(`https://${host}${proxied ? "" : `:${server.port}`}`, {
    ...options,
    env,
    tls,
  });
  expect(expires).toBeGreaterThan(Date.UTC(2024, 0));
  expect([server.requests, server.connections, proxy.connections]).toEqual([[], 1, proxied ? 1 : 0]);
});

test("rejects an untrusted certificate as a TLS error", async () => {
  const { port } = await securePeer(unused);
  const certificate = certificateOf(`https://localhost:${port}`, { ...options, tls: {} });
  await expect(certificate).rejects.toMatchObject({ name: "NoAnswer", why: "tls" });
});

test("reports an unreachable server and an unknown host name", async () => {
  await expect(certificateOf("https://127.0.0.1:1", { ...options, tls: {} })).rejects.toMatchObject({ why: "refused" });
  await expect(peerAddresses("https://nothing.invalid")).rejects.toMatchObject({ why: "dns" });
  expect(await peerAddresses("https://127.0.0.1")).toEqual(["127.0.0.1"]);
});
