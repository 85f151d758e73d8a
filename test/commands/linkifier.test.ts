import { describe, expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

const pattern = "ISSUE-(?P<id>[0-9]+)";
const template = "https://tracker.example/{id}";

describe("linkifier add examines before anything is sent:", () => {
  test("--skip-check leaves that to the server", async () => {
    const { code, err, sent } = await zulipctl(["linkifier", "add", "(", "https://x.example/", "--skip-check"]);
    expect({ code, err }).toEqual({ code: 1, err: "zulipctl: Bad regular expression: missing ): (\n" });
    expect(sent.map(({ method }) => method)).toEqual(["POST"]);
  });
});

describe("linkifier add --sample", () => {
  test("shows the links on stderr and keeps the result alone on stdout", async () => {
    const samples = ["--sample", "see ISSUE-1, ISSUE-22 and xISSUE-3", "--sample", "(ISSUE-4)"];
    expect(await zulipctl(["linkifier", "add", pattern, template, ...samples, "-o", "ids"])).toMatchObject({
      code: 0,
      out: "3\n",
      err: "ISSUE-1 → https://tracker.example/1\nISSUE-22 → https://tracker.example/22\nISSUE-4 → https://tracker.example/4\n",
    });
  });
});

describe("linkifier update", () => {
  const api = "https://chat.example/api/v1/realm/filters";
  const first = { pattern: "#(?P<id>[0-9]+)", url_template: "https://tracker.example/issues/{id}" };
  const sentTo = (sent: { method: string; url: string; body?: string }[]) =>
    sent.filter(({ method }) => method !== "GET").map(({ method, url, body }) => `${method} ${url}\n${body}`);

  test.each([
    [["--pattern", "T(?P<id>[0-9]+)"], { pattern: "T(?P<id>[0-9]+)", url_template: first.url_template }, 1],
    [["--url-template", "https://x.example/{id}"], { ...first, url_template: "https://x.example/{id}" }, 1],
    [
      ["--pattern", "A", "--url-template", "https://a.example/"],
      { pattern: "A", url_template: "https://a.example/" },
      0,
    ],
  ])("%j keeps what is not given", async (flags, meant, reads) => {
    const sandbox = fresh();
    const { code, out, sent } = await zulipctl(["linkifier", "update", "1", ...flags], { sandbox });
    expect({ code, out, reads: sent.length - 1 }).toEqual({ code: 0, out: "Updated linkifier 1.\n", reads });
    expect(sentTo(sent)).toEqual([`PATCH ${api}/1\n${new URLSearchParams(meant)}`]);
    expect(JSON.parse((await zulipctl(["linkifier", "list", "--json"], { sandbox })).out)[0]).toMatchObject(meant);
  });

  test("in a batch goes on from what earlier rows have made", async () => {
    const rows =
      "linkifier update 1 --pattern 'T(?P<id>[0-9]+)'\nlinkifier update 1 --url-template 'https://x.example/{id}'\n";
    const sandbox = fresh();
    const { code, sent } = await zulipctl(["batch", "-", "--format", "lines"], { sandbox, input: rows });
    expect({ code, requests: sent.length }).toEqual({ code: 0, requests: 3 });
    expect(JSON.parse((await zulipctl(["linkifier", "list", "--json"], { sandbox })).out)[0]).toMatchObject({
      pattern: "T(?P<id>[0-9]+)",
      url_template: "https://x.example/{id}",
    });
  });
});

describe("linkifier rm", () => {
  test("asks first, telling the patterns", async () => {
    const { code, out, asked } = await zulipctlAsking(["linkifier", "rm", "1"], { terminal: true, confirm: [true] });
    expect(asked).toEqual(["Delete linkifier 1 (#(?P<id>[0-9]+)) on chat.example? This cannot be undone."]);
    expect({ code, out }).toEqual({ code: 0, out: "Deleted linkifier 1.\n" });
  });
});

describe("linkifier test", () => {
  test("tells a record a link, with the linkifier that makes it", async () => {
    const texts = ["see #7, #8", "nothing", "🎉 web@0123abc"];
    const { code, out, err, sent } = await zulipctl(["linkifier", "test", ...texts, "--json"]);
    expect({ code, err, requests: sent.map(({ method, url }) => `${method} ${url}`) }).toEqual({
      code: 0,
      err: "",
      requests: ["GET https://chat.example/api/v1/realm/linkifiers"],
    });
    expect(JSON.parse(out)).toEqual([
      { text: "see #7, #8", match: "#7", linkifier: 1, url: "https://tracker.example/issues/7", start: 4 },
      { text: "see #7, #8", match: "#8", linkifier: 1, url: "https://tracker.example/issues/8", start: 8 },
      {
        text: "🎉 web@0123abc",
        match: "web@0123abc",
        linkifier: 2,
        url: "https://code.example/web/commit/0123abc",
        start: 2,
      },
    ]);
  });

  test("what departs is in the JSON error, and the links are printed all the same", async () => {
    const { code, out, err } = await zulipctl(["linkifier", "test", "#1", "--expect", "none", "--json"]);
    expect({ code, links: JSON.parse(out).length }).toEqual({ code: 8, links: 1 });
    expect(JSON.parse(err).error).toMatchObject({ kind: "difference", texts: ["#1"] });
  });
});
