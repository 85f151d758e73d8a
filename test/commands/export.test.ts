import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

test("export create asks for an export and gives its id", async () => {
  const sandbox = fresh();
  expect(await zulipctl(["export", "create"], { sandbox })).toMatchObject({ code: 0, out: "Export 1 requested.\n" });
  expect((await zulipctl(["export", "create", "--type", "public", "--json"], { sandbox })).out).toBe('{"id":2}\n');
  expect((await zulipctl(["export", "create", "-o", "ids"], { sandbox })).out).toBe("3\n");
});

test("export create copes with a server that gives no id", async () => {
  const http = async () => answer(200, { result: "success", msg: "" });
  expect((await zulipctl(["export", "create", "--feature-level", "100"], { http })).out).toBe("Export requested.\n");
  expect((await zulipctl(["export", "create", "--feature-level", "100", "-o", "ids"], { http })).out).toBe("");
});

test("export create --type standard must be confirmed", async () => {
  const argv = ["export", "create", "--type", "standard"];
  expect(await zulipctl(argv)).toEqual({
    code: 2,
    out: "",
    err: "zulipctl: This exports private data of the people who consented; nobody can be asked here, so confirm it with --yes\n",
    sent: [],
  });
  expect(await zulipctl(argv, { terminal: true, confirm: [false] })).toMatchObject({ code: 130, sent: [] });
  expect(await zulipctl([...argv, "--yes"])).toMatchObject({ code: 0, out: "Export 1 requested.\n" });
});

describe("export create is refused", () => {
  test("for other types, before anything is sent", async () => {
    const { code, err, sent } = await zulipctl(["export", "create", "--type", "all"]);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain("--type");
    expect(err).toContain("public, standard");
  });

  test("for a type that an old server does not know", async () => {
    expect(await zulipctl(["export", "create", "--type", "public"], { level: 300 })).toMatchObject({
      code: 1,
      err: "zulipctl: --type needs feature level 304; chat.example has 300\n",
      sent: [],
    });
  });

  test("to others than administrators", async () => {
    expect(await zulipctl(["export", "create"], { as: 300 })).toMatchObject({
      code: 1,
      err: "zulipctl: Must be an organization administrator\nOnly administrators may do this.\n",
    });
  });

  test("after five in a week", async () => {
    const sandbox = fresh();
    for (let n = 0; n < 5; n++) await zulipctl(["export", "create"], { sandbox });
    expect(await zulipctl(["export", "create"], { sandbox })).toMatchObject({
      code: 1,
      err: "zulipctl: Exceeded rate limit.\n",
    });
  });
});

test("export list tells how far each has come", async () => {
  const base = {
    export_time: 1768478400.5,
    pending: false,
    export_url: null,
    failed_timestamp: null,
    deleted_timestamp: null,
  };
  const exports = [
    { ...base, id: 1, pending: true },
    { ...base, id: 2, export_url: "https://chat.example/export.tar.gz" },
    { ...base, id: 3, failed_timestamp: 1768478500 },
    { ...base, id: 4, deleted_timestamp: 1768478500 },
  ];
  const http = async () => answer(200, { result: "success", msg: "", exports });
  expect((await zulipctl(["export", "list"], { http })).out).toBe(
    "ID\tREQUESTED\tBY\tRESULT\n" +
      "1\t2026-01-15 12:00Z\t\tpending\n" +
      "2\t2026-01-15 12:00Z\t\thttps://chat.example/export.tar.gz\n" +
      "3\t2026-01-15 12:00Z\t\tfailed\n" +
      "4\t2026-01-15 12:00Z\t\tdeleted\n",
  );
});
