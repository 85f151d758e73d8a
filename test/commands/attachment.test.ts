import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { answer, testWorld } from "../world.ts";

const owned = (sandbox: ReturnType<typeof fresh>, owner: number) =>
  sandbox.line().attachments.filter(({ owner_id }) => owner_id === owner);

test("attachment rm puts exactly this on the wire", async () => {
  const { sent, code } = await zulipctl(["attachment", "rm", "1", "--yes"]);
  expect(code).toBe(0);
  expect(sent.map(({ method, url, body, headers }) => [method, url, body, headers["content-type"]])).toEqual([
    ["DELETE", "https://chat.example/api/v1/attachments/1", "", "application/x-www-form-urlencoded"],
  ]);
});

test("one refused deletion is told in the server's own words, and the result is a list all the same", async () => {
  const { code, out, err } = await zulipctl(["attachment", "rm", "99", "--yes", "-o", "json"]);
  const error = {
    exit_code: 1,
    kind: "refused",
    message: "Invalid attachment",
    code: "BAD_REQUEST",
    http_status: 400,
    request: { method: "DELETE", path: "/api/v1/attachments/99" },
    outcome: "not_applied",
  };
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual([{ operation: "attachment.rm", target: "99", outcome: "refused", error }]);
  expect(JSON.parse(err)).toEqual({ error });
});

test("what was deleted and what was not are told apart, with exit code 5", async () => {
  const sandbox = fresh();
  const [mine] = owned(sandbox, sandbox.line().users[0]!.user_id);
  const { code, out, err } = await zulipctl(["attachment", "rm", String(mine!.id), "99", "--yes"], { sandbox });
  expect({ code, out, err }).toEqual({
    code: 5,
    out: `Attachment ${mine!.id} deleted.\n`,
    err: "zulipctl: 1 of 2 not done (1 refused): 99: Invalid attachment\n",
  });
  expect(owned(sandbox, sandbox.line().users[0]!.user_id)).not.toContainEqual(mine);
});

test("without anybody to ask nothing is sent", async () => {
  expect(await zulipctl(["attachment", "rm", "1"])).toEqual({
    code: 2,
    out: "",
    err: "zulipctl: This deletes attachment 1 for good; nobody can be asked here, so confirm it with --yes\n",
    sent: [],
  });
});

test("an empty stdin leaves nothing to do, and nothing to confirm", async () => {
  const { code, out, err, sent } = await zulipctl(["attachment", "rm", "-", "--no-input", "--json"], { input: "\n" });
  expect({ code, out, err, sent }).toEqual({ code: 0, out: "[]\n", err: "", sent: [] });
});

test("ids come from stdin, blank or comma separated, each once", async () => {
  const { sent } = await zulipctl(["attachment", "rm", "-", "--dry-run", "-o", "ids"], { input: "1, 2\n2 1\n" });
  expect(sent).toEqual([]);
  const { out } = await zulipctl(["attachment", "rm", "-", "--dry-run", "-o", "json"], { input: "1, 2\n2 1\n" });
  expect(JSON.parse(out)).toEqual(
    [1, 2].map((id) => ({
      operation: "attachment.rm",
      method: "DELETE",
      url: `https://chat.example/api/v1/attachments/${id}`,
      parameters: {},
      body: "",
    })),
  );
});

test("attachment list shows one's own uploads, whatever unit the server counts time in", async () => {
  const seconds = await zulipctl(["attachment", "list"], { level: 443 });
  expect(seconds.out).toBe(
    "ID\tNAME\tSIZE\tUPLOADED\n1\tminutes.txt\t1.2 KiB\t2026-01-15 12:00Z\n2\tbudget.csv\t5.2 KiB\t2026-01-15 12:00Z\n",
  );
  expect((await zulipctl(["attachment", "list"], { level: 442 })).out).toBe(seconds.out);
  expect((await zulipctl(["attachment", "list", "-o", "ids"], { as: "cora@sandbox.example" })).out).toBe("3\n4\n");
});

describe("the question of attachment rm", () => {
  const ask = async (ids: string[], options: Parameters<typeof zulipctl>[1] = {}) => {
    const sandbox = options.sandbox ?? fresh();
    const world = testWorld({
      http: sandbox.handle,
      env: credentials(sandbox),
      terminal: true,
      confirm: [false],
      ...options,
    });
    const code = await main(["attachment", "rm", ...ids], world);
    return {
      code,
      asked: world.asked,
      sent: world.sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
    };
  };

  test("tells names and sizes, which are read for it", async () => {
    expect(await ask(["2"])).toEqual({
      code: 130,
      asked: ["This deletes attachment 2 (budget.csv, 5.2 KiB) for good. Go on?"],
      sent: ["GET /api/v1/attachments"],
    });
    expect((await ask(["1", "99"])).asked).toEqual([
      "This deletes 2 attachments for good: 1 (minutes.txt, 1.2 KiB), 99 (none of this account's). Go on?",
    ]);
    const [question] = (await ask(["90", "91", "92", "93", "94", "95", "96"])).asked;
    expect(question).toMatch(
      /^This deletes 7 attachments for good: 90 .*, 94 \(none of this account's\) and 2 more\. Go on\?$/,
    );
  });

  test("tells ids where names cannot be read", async () => {
    const http = async () => answer(403, { result: "error", msg: "Not for you", code: "BAD_REQUEST" });
    expect((await ask(["2"], { http })).asked).toEqual(["This deletes attachment 2 for good. Go on?"]);
  });

  test("reads nothing where it will not be asked", async () => {
    for (const flags of [["--yes"], ["--dry-run"], ["--no-input"]])
      expect((await ask(["2", ...flags])).sent).not.toContain("GET /api/v1/attachments");
  });
});
