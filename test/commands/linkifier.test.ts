import { expect, test } from "vitest";
import { fresh, zulipctl, zulipctlAsking } from "../run.ts";

const batch = (input: string, sandbox: ReturnType<typeof fresh>) =>
  zulipctl(["batch", "-", "--format", "lines"], { sandbox, input });

test("linkifier update in a batch keeps what earlier rows have changed", async () => {
  const sandbox = fresh();
  const update = "linkifier update 1";
  const rows = `${update} --pattern 'T(?P<id>[0-9]+)'\n${update} --url-template 'https://x.example/{id}'\n`;
  const { code, sent } = await batch(rows, sandbox);
  expect({ code, requests: sent.length }).toEqual({ code: 0, requests: 3 });
  expect(sandbox.state.linkifiers[0]).toMatchObject({
    pattern: "T(?P<id>[0-9]+)",
    url_template: "https://x.example/{id}",
  });
});

test("linkifier reorder in a batch continues from the order that earlier rows have made", async () => {
  const sandbox = fresh();
  await zulipctl(["linkifier", "add", "A", "https://a.example/"], { sandbox });
  const { code, sent } = await batch("linkifier reorder 3\nlinkifier reorder 2\n", sandbox);
  expect({ code, methods: sent.map(({ method }) => method) }).toEqual({ code: 0, methods: ["GET", "PATCH", "PATCH"] });
  expect(sent.slice(1).map(({ body }) => decodeURIComponent(body!.split("=")[1]!))).toEqual(["[3,1,2]", "[2,3,1]"]);
});

test("linkifier rm asks with the patterns", async () => {
  const { asked } = await zulipctlAsking(["linkifier", "rm", "1"], { terminal: true, confirm: [false] });
  expect(asked).toEqual(["Delete linkifier 1 (#(?P<id>[0-9]+)) on chat.example? This cannot be undone."]);
});

test("linkifier test prints the links even if they differ from --expect, and names the texts in the JSON error", async () => {
  const { code, out, err } = await zulipctl(["linkifier", "test", "#1", "--expect", "none", "--json"]);
  expect({ code, links: JSON.parse(out).length }).toEqual({ code: 8, links: 1 });
  expect(JSON.parse(err).error).toMatchObject({ kind: "difference", texts: ["#1"] });
});
