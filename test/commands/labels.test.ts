/** Tables of lists show names where the server's records have ids. */
import { describe, expect, test } from "vitest";
import type { Http } from "../../src/world/world.ts";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

const api = "https://chat.example/api/v1";
type Sandbox = ReturnType<typeof fresh>;

/** With a draft to a channel, one to people and an export; there is a channel in a folder and a group in a group. */
async function furnished(options: Parameters<typeof fresh>[0] = {}): Promise<Sandbox> {
  const sandbox = fresh(options);
  for (const words of [
    ["drafts", "add", "--channel", "design", "--topic", "logo", "--content", "What about blue?"],
    ["drafts", "add", "--to", "cora@sandbox.example,otis@sandbox.example", "--content", "Tea?"],
    ["drafts", "add", "--content", "to nobody yet"],
    ["export", "create", "--type", "public"],
  ])
    expect(await zulipctl(words, { sandbox })).toMatchObject({ code: 0 });
  return sandbox;
}

const requests = ({ sent }: Awaited<ReturnType<typeof zulipctl>>) => sent.map(({ method, url }) => `${method} ${url}`);

/** The column of a table in a pipe. */
const column = (out: string, head: string) => {
  const [heads, ...rows] = out.replace(/\n$/, "").split("\n");
  const at = heads!.split("\t").indexOf(head);
  return rows.map((row) => row.split("\t")[at]);
};

const folders = `GET ${api}/channel_folders?include_archived=true`;
const channels = `GET ${api}/streams?exclude_archived=false&include_all=true`;

describe("a table", () => {
  test.each([
    [["channel", "list"], "FOLDER", ["", "", "Projects", "", "", ""], [folders]],
    [
      ["drafts", "list"],
      "TO",
      ["design", "Cora Member, Otis Member", ""],
      [channels, `GET ${api}/users?user_ids=%5B11%2C12%5D`],
    ],
    [["group", "list"], "SUBGROUPS", ["", "", "designers, writers"], []],
    [["export", "list"], "BY", ["Iris Owner"], [`GET ${api}/users?user_ids=%5B8%5D`]],
  ])("of %j names in %s what the records know by id, for one read of each kind", async (words, head, cells, more) => {
    const sandbox = await furnished();
    const piped = await zulipctl(words, { sandbox });
    expect(piped).toMatchObject({ code: 0, err: "" });
    expect(column(piped.out, head)).toEqual(cells);
    expect(requests(piped).slice(1)).toEqual(more);
    const drawn = await zulipctl(words, { sandbox, terminal: true });
    for (const cell of cells) expect(drawn.out).toContain(cell);
    expect(requests(drawn)).toEqual(requests(piped));
  });

  test.each([[["drafts", "list"], /streams|users/, "TO", ["1", "11, 12", ""]]])(
    "of %j keeps the ids where the server refuses to name them",
    async (words, refused, head, cells) => {
      const sandbox = await furnished();
      const http: Http = async (request) => {
        if (!refused.test(request.url)) return sandbox.handle(request);
        return answer(400, { result: "error", msg: "Insufficient permission", code: "UNAUTHORIZED_PRINCIPAL" });
      };
      const told = await zulipctl(words, { sandbox, http });
      expect(told).toMatchObject({ code: 0, err: "" });
      expect(column(told.out, head)).toEqual(cells);
    },
  );

  test("of a server too old to be asked for some people asks for all", async () => {
    const sandbox = await furnished({ level: 380 });
    const told = await zulipctl(["export", "list"], { sandbox });
    expect(column(told.out, "BY")).toEqual(["Iris Owner"]);
    expect(requests(told)).toEqual([`GET ${api}/export/realm`, `GET ${api}/users`]);
  });

  test("without ids to be named, or without their column, costs no more reads", async () => {
    expect(requests(await zulipctl(["drafts", "list"]))).toEqual([`GET ${api}/drafts`]);
    const sandbox = await furnished();
    const some = await zulipctl(["channel", "list", "--fields", "id,name,folder_id"], { sandbox });
    expect(requests(some)).toHaveLength(1);
    expect(column(some.out, "folder_id")).toEqual(["", "", "1", "", "", ""]);
    expect(requests(await zulipctl(["channel", "list", "--fields", "name,folder"], { sandbox }))).toHaveLength(2);
  });
});

test.each(["json", "ndjson", "csv", "tsv", "yaml", "ids", "none"])(
  "-o %s shows ids and reads nothing more",
  async (form) => {
    const sandbox = await furnished();
    for (const noun of ["channel", "drafts", "group", "export"]) {
      const told = await zulipctl([noun, "list", "-o", form], { sandbox });
      expect(told).toMatchObject({ code: 0, err: "" });
      expect(requests(told)).toHaveLength(1);
      expect(told.out).not.toMatch(/Projects|Cora|Iris|\["designers/);
    }
  },
);
