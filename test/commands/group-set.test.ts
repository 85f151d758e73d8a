/** `group members` with a comparison first: `--set`, `--set-subgroups` and `--if-changed`. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { respond, type Sandbox } from "../../src/sandbox/index.ts";
import { disturbed, members } from "../batch/rows.ts";
import { credentials, fresh, type Options, zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";

const group = (...argv: string[]) => ["group", "members", ...argv];
const run = async (argv: string[], options: Options = {}) => {
  const { code, out, err, sent } = await zulipctl(group(...argv), options);
  const requests = sent.map(({ method, url, body }) =>
    [method, url.replace(/^.*\/v1/, "").replace(/\?.*/, ""), body && decodeURIComponent(body)]
      .filter(Boolean)
      .join(" "),
  );
  return { code, out, err, requests };
};

const read = "GET /user_groups/17/members";
const post = "POST /user_groups/17/members";

describe("--set", () => {
  test("adds and removes what differs, in one request", async () => {
    const sandbox = fresh();
    expect(members(sandbox, "designers")).toEqual([9, 11]);
    expect(await run(["17", "--set", "11,12", "--set", "13", "--yes"], { sandbox })).toEqual({
      code: 0,
      out: "Updated group 17: 2 members added, 1 member removed.\n",
      err: "",
      requests: [read, `${post} delete=[9]&add=[12,13]`],
    });
    expect(members(sandbox, "designers")).toEqual([11, 12, 13]);
  });

  test("reads a file, and sends nothing if nothing differs", async () => {
    const files = new Map([["people", "adam@sandbox.example\nname:Cora Member\n"]]);
    const same = await run(["designers", "--set", "@people"], { files });
    expect(same).toMatchObject({ code: 0, out: "No changes.\n" });
    expect(same.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
    expect(await run(["17", "--set", "9,11", "-o", "json"])).toMatchObject({
      code: 0,
      out: '{"unchanged":true}\n',
    });
  });

  test("asks before it removes somebody", async () => {
    const asked = await zulipctl(group("designers", "--set", "cora@sandbox.example"), {
      terminal: true,
      confirm: [false],
    });
    expect(asked.code).toBe(130);
    expect(asked.sent.filter(({ method }) => method === "POST")).toEqual([]);
    const none = await run(["17", "--set", "13"]);
    expect(none).toMatchObject({
      code: 2,
      err: 'zulipctl: confirmation required: stdin is not a terminal. Remove 2 members (9, 11) from group "17" on chat.example? Pass --yes to confirm.\n',
      requests: [read],
    });
  });

  test("reads names only for the question", async () => {
    const sandbox = fresh();
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), terminal: true, confirm: [true] });
    expect(await main(group("17", "--set", "13", "--set-subgroups", ""), world)).toBe(2);
    expect(await main(group("17", "--set", "13"), world)).toBe(0);
    expect(world.asked).toEqual(['Remove 2 members (Adam Admin, Cora Member) from group "17" on chat.example?']);
    expect(world.sent.map(({ method, url }) => `${method} ${url.replace(/^.*\/v1/, "").replace(/\?.*/, "")}`)).toEqual([
      "GET /server_settings",
      read,
      "GET /users",
      post,
    ]);
    expect(members(sandbox, "designers")).toEqual([13]);
  });

  test.each([
    ["an empty file", ["--set", "@none"]],
    ["an empty text", ["--set", ""]],
  ])("of nothing, as %s gives it, needs --yes, on a terminal too", async (_, argv) => {
    for (const terminal of [false, true]) {
      const files = new Map([["none", "\n"]]);
      const { code, err, requests } = await run(["17", ...argv], { terminal, files });
      expect({ code, requests }).toEqual({ code: 2, requests: [] });
      expect(err).toContain(
        'confirmation required: --set is empty. Remove every direct member from group "17"? Pass --yes to confirm.',
      );
    }
    const sandbox = fresh();
    const files = new Map([["none", "\n"]]);
    for (const flag of ["--dry-run", "--diff"]) expect((await run(["17", ...argv, flag], { files })).code).toBe(0);
    expect(await run(["17", ...argv, "--yes"], { sandbox, files })).toMatchObject({
      code: 0,
      requests: [read, `${post} delete=[9,11]`],
    });
    expect(members(sandbox, "designers")).toEqual([]);
  });
});

describe("--if-changed", () => {
  test("sends only the differences", async () => {
    const sandbox = fresh();
    const argv = ["17", "--add", "9,12", "--delete", "11,13", "--if-changed"];
    expect(await run(argv, { sandbox })).toEqual({
      code: 0,
      out: "Updated group 17: 1 member added, 1 member removed.\n",
      err: "",
      requests: [read, `${post} delete=[11]&add=[12]`],
    });
    expect(await run(argv, { sandbox })).toMatchObject({
      code: 0,
      out: "No changes.\n",
      requests: [read],
    });
    expect(await run([...argv, "--json"], { sandbox })).toMatchObject({ code: 0, out: '{"unchanged":true}\n' });
  });

  test("is unchanged if somebody else makes the change between the read and the request", async () => {
    const sandbox: Sandbox = disturbed(async ({ request, serve }) => {
      if (request.method === "POST") sandbox.state.groups.get(17)!.members.add(12);
      return respond(serve());
    });
    expect(await run(["17", "--add", "12", "--if-changed", "--json"], { sandbox })).toMatchObject({
      code: 0,
      out: '{"unchanged":true}\n',
      requests: [read, `${post} add=[12]`, read],
    });
  });
});
