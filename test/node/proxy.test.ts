import { expect, test } from "vitest";
import { proxyFor } from "../../src/node/proxy.ts";

const chosen = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href;

test.each<[string, Record<string, string>, string | undefined]>([
  ["https://chat.example/", {}, undefined],
  ["https://chat.example/", { HTTPS_PROXY: "http://proxy:3128" }, "http://proxy:3128/"],
  ["https://chat.example/", { https_proxy: "http://lower:1", HTTPS_PROXY: "http://upper:1" }, "http://lower:1/"],
  ["https://chat.example/", { https_proxy: "", HTTPS_PROXY: "http://upper:1" }, "http://upper:1/"],
  ["https://chat.example/", { HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128/"],
  ["https://chat.example/", { HTTP_PROXY: "http://proxy:3128" }, undefined],
  ["https://chat.example/", { ALL_PROXY: "http://proxy:3128" }, "http://proxy:3128/"],
  ["http://127.0.0.1:9991/", { HTTP_PROXY: "http://proxy:3128" }, undefined],
  ["http://127.0.0.1:9991/", { HTTP_PROXY: "http://localhost:3128" }, "http://localhost:3128/"],
])("for %s with %j the proxy is %s", (url, env, proxy) => {
  expect(chosen(url, env)).toBe(proxy);
});

test.each([
  ["https://chat.example/", "chat.example", true],
  ["https://chat.example/", "CHAT.example.", true],
  ["https://chat.example/", "example", true],
  ["https://chat.example/", ".example", true],
  ["https://chat.example/", "*.example", true],
  ["https://chat.example/", "*", true],
  ["https://chat.example/", "other, chat.example", true],
  ["https://chat.example/", "other chat.example", true],
  ["https://chat.example/", "at.example", false],
  ["https://chat.example/", ".", false],
  ["https://chat.example/", "chat.example:443", true],
  ["https://chat.example/", "chat.example:8443", false],
  ["https://10.1.2.3/", "10.0.0.0/8", true],
  ["https://11.1.2.3/", "10.0.0.0/8", false],
  ["https://10.1.2.3/", "2.3", false],
  ["https://[fd00::1]/", "fd00::/8", true],
  ["https://[fd00::1]/", "[fd00::1]:443", true],
  ["https://10.1.2.3/", "10.0.0.0/99", false],
])("%s with NO_PROXY=%j is an exception: %s", (url, list, excepted) => {
  const env = { HTTPS_PROXY: "http://proxy:3128" };
  expect(chosen(url, { ...env, NO_PROXY: list }) === undefined).toBe(excepted);
  expect(chosen(url, { ...env, no_proxy: list }) === undefined).toBe(excepted);
});

test.each(["socks5://proxy:1080", "http://", "ftp://x"])("rejects the proxy %s without quoting it", (value) => {
  expect(() => chosen("https://chat.example/", { HTTPS_PROXY: value })).toThrow(
    "HTTPS_PROXY must be the http:// or https:// URL of a proxy",
  );
});
