import { expect, test } from "vitest";
import { proxyFor } from "../../src/node/proxy.ts";

const chosen = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.url.href;

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

test.each([
  ...["socks5://proxy:1080", "http://", "ftp://x", "http:/proxy:3128", "http//proxy:3128", "https:proxy:3128"],
])("rejects the proxy %s without quoting it", (value) => {
  expect(() => chosen("https://chat.example/", { HTTPS_PROXY: value })).toThrow(
    "HTTPS_PROXY must be the http:// or https:// URL of a proxy",
  );
});

test.each([
  ["http://bob:100%sure@127.0.0.1:3128", "% as %25"],
  ["http://bob:%FF@127.0.0.1:3128", "% as %25"],
  ["http://bob:p@ss/w@127.0.0.1:3128", "/ as %2F, @ as %40"],
  ["http://bob:3/4@127.0.0.1:3128", "/ as %2F"],
  ["http://CORP\\bob:pw@127.0.0.1:3128", "\\ as %5C"],
  ["http://CORP\\bob:1%2/3#4?5@127.0.0.1:3128", "% as %25, \\ as %5C, / as %2F, # as %23, ? as %3F"],
  ["bob:a b@127.0.0.1:3128", "a space as %20"],
])("names the signs of %s that must be encoded, and quotes nothing", (value, signs) => {
  expect(() => chosen("https://chat.example/", { ALL_PROXY: value })).toThrow(
    `ALL_PROXY is not the URL of a proxy: write ${signs} in its user name and password`,
  );
});

test.each([
  ["http://proxy:3128/proxy.pac?x#y", "http://proxy:3128/", undefined],
  ["http://bob:p@ss@proxy:3128", "http://proxy:3128/", "bob:p@ss"],
  ["http://CORP%5Cbob:100%25@proxy:3128/", "http://proxy:3128/", "CORP\\bob:100%"],
  ["http://bob@proxy:3128", "http://proxy:3128/", "bob:"],
])("of %s, the proxy is %s, and the user name and password are %s", (value, href, login) => {
  expect(proxyFor(new URL("https://chat.example/"), { https_proxy: value })).toEqual({
    url: new URL(href),
    variable: "https_proxy",
    ...(login !== undefined && { token: `Basic ${btoa(login)}` }),
  });
});

test("names quotes around a proxy", () => {
  for (const value of ['"http://proxy:1"', "'http://proxy:1'", "\u201chttp://proxy:1\u201d"])
    expect(() => chosen("https://chat.example/", { HTTPS_PROXY: value })).toThrow("HTTPS_PROXY has quotes around it");
});
