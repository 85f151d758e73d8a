/** The one form of `folder reorder` and `linkifier reorder`. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

const api = "https://chat.example/api/v1";
const changed = (sent: { method: string; url: string; body?: string }[]) =>
  sent.filter(({ method }) => method !== "GET").map(({ method, url, body }) => `${method} ${url}\n${body}`);

test("ids come from stdin, and none is nothing to do", async () => {
  const { sent } = await zulipctl(["linkifier", "reorder", "-"], { input: "2\n1\n" });
  expect(changed(sent)).toEqual([`PATCH ${api}/realm/linkifiers\nordered_linkifier_ids=%5B2%2C1%5D`]);
  expect(await zulipctl(["folder", "reorder", "-"], { input: "" })).toMatchObject({
    code: 0,
    out: "No folder is named: the order stays as it is.\n",
    sent: [],
  });
});

test("in a batch a row goes on from what earlier rows have made", async () => {
  const sandbox = fresh();
  await zulipctl(["linkifier", "add", "A", "https://a.example/"], { sandbox });
  const rows = "linkifier reorder 3\nlinkifier reorder 2\n";
  const { code, sent } = await zulipctl(["batch", "-", "--format", "lines"], { sandbox, input: rows });
  expect(code).toBe(0);
  expect(changed(sent).map((one) => decodeURIComponent(one.split("=")[1]!))).toEqual(["[3,1,2]", "[2,3,1]"]);
  expect(sent.filter(({ method }) => method === "GET").length).toBe(1);
});
