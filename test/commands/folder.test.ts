import { describe, expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

test.each([
  ["@d.md", "from a file"],
  ["-", "from stdin"],
  ["@@home", "@home"],
  ["plain", "plain"],
])("folder create --description %s", async (given, meant) => {
  const files = new Map([["d.md", "from a file\n"]]);
  const { sent } = await zulipctl(["folder", "create", "x", "--description", given], { files, input: "from stdin\n" });
  expect(new URLSearchParams(sent[0]!.body).get("description")).toBe(meant);
});

describe("folder archive and unarchive", () => {
  const api = "https://chat.example/api/v1/channel_folders";
  const wire = (sent: { method: string; url: string; body?: string }[]) =>
    sent.filter(({ method }) => method !== "GET").map(({ method, url, body }) => `${method} ${url}\n${body}`);

  test("take several folders, by name and from stdin, and give an outcome each", async () => {
    const sandbox = fresh();
    await zulipctl(["folder", "create", "Teams"], { sandbox });
    const { code, out, sent } = await zulipctl(["folder", "archive", "teams"], { sandbox });
    expect({ code, out }).toEqual({ code: 0, out: 'Archived folder "teams".\n' });
    expect(wire(sent)).toEqual([`PATCH ${api}/3\nis_archived=true`]);
    const back = await zulipctl(["folder", "unarchive", "-", "--json"], { sandbox, input: "Teams\nPast\n" });
    expect(wire(back.sent)).toEqual([`PATCH ${api}/3\nis_archived=false`, `PATCH ${api}/2\nis_archived=false`]);
    expect(JSON.parse(back.out)).toEqual(
      ["Teams", "Past"].map((target) => ({ operation: "folder.update", target, outcome: "done", answer: {} })),
    );
    expect((await zulipctl(["folder", "list", "-o", "ids"], { sandbox })).out).toBe("1\n2\n3\n");
  });

  test("unarchive means the archived folder, whatever a live one is called", async () => {
    const sandbox = fresh();
    const { folders } = sandbox.state;
    folders.set(3, { ...folders.get(1)!, id: 3, name: "past" });
    const { sent } = await zulipctl(["folder", "unarchive", "past"], { sandbox });
    expect(wire(sent)).toEqual([`PATCH ${api}/2\nis_archived=false`]);
    folders.set(4, { ...folders.get(2)!, id: 4, name: "Past", is_archived: true });
    folders.get(2)!.is_archived = true;
    expect(await zulipctl(["folder", "unarchive", "Past"], { sandbox })).toMatchObject({
      code: 2,
      err:
        'zulipctl: <folder>: "Past" matches several folders: Past (2, archived), Past (4, archived)\n' +
        "Pass the id of the one you mean.\n",
    });
  });
});
