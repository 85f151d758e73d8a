/** What certificate a server shows, looked at over a real socket. */
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { addressesOf, certificateOf } from "../../src/node/peers.ts";
import { tlsFile } from "./peer.ts";

const text = (name: string) => readFileSync(tlsFile(name), "utf8");
const ca = { path: "ca.pem", text: text("ca.pem") };
const how = { env: {}, timeout: 5000, stop: new AbortController().signal };

async function serving(): Promise<string> {
  const server = createServer({ key: text("server.key"), cert: text("server.pem") });
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

test("returns the expiry of a valid certificate", async () => {
  const { expires } = await certificateOf(await serving(), { ...how, tls: { ca } });
  expect(expires).toBeGreaterThan(Date.UTC(2024, 0));
});

test("rejects an untrusted certificate as a TLS error", async () => {
  const site = await serving();
  await expect(certificateOf(site, { ...how, tls: {} })).rejects.toMatchObject({ name: "NoAnswer", why: "tls" });
});

test("reports an unreachable server and an unknown host name", async () => {
  await expect(certificateOf("https://127.0.0.1:1", { ...how, tls: {} })).rejects.toMatchObject({ why: "refused" });
  await expect(addressesOf("https://nothing.invalid")).rejects.toMatchObject({ why: "dns" });
  expect(await addressesOf("https://127.0.0.1")).toEqual(["127.0.0.1"]);
});
