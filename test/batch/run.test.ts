/** What ends a run early. `test/transcripts/batch-rows.txt` has the other endings. */
import { describe, expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { answer, type Setup, testWorld } from "../world.ts";
import { batch, column, disturbed } from "./rows.ts";

const rm = ["--yes", "--", "attachment", "rm", "{id}"];

test.each([
  [1, 3, ["1 refused", "2 not_sent", "3 not_sent"]],
  [2, 5, ["1 done", "2 refused", "3 not_sent"]],
])("a key that is rejected at request %i ends the run with %i", async (from, code, outcomes) => {
  let changes = 0;
  const sandbox = disturbed(async ({ request, serve }) => {
    if (request.method !== "GET" && ++changes >= from)
      return answer(401, { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" });
    const { status, headers, text } = serve();
    return answer(status, text, headers);
  });
  const run = await batch(["-", "--format", "csv", ...rm], { sandbox, input: "id\n1\n2\n77\n" });
  expect(run).toMatchObject({ code, outcomes });
});

describe("a run that ends early", () => {
  const sandbox = fresh();
  const setting = (setup: Setup = {}) =>
    testWorld({
      env: credentials(sandbox),
      http: fresh().handle,
      files: new Map([["ids.csv", column("id", [77, 78, 1, 79, 2])]]),
      ...setup,
    });
  const sent = ({ sent }: ReturnType<typeof setting>) => sent.filter(({ method }) => method === "DELETE").length;

  test("waits for the current request after Ctrl-C, and sends no more", async () => {
    const { handle } = fresh();
    let changes = 0;
    const world = setting({
      http: async (request) => {
        if (request.method === "DELETE" && ++changes === 3) world.interrupt(new Interrupted("SIGINT"));
        return handle(request);
      },
    });
    expect(await main(["batch", "ids.csv", "--fields", "outcome", "--journal", "j.jsonl", ...rm], world)).toBe(130);
    expect(world.stdout.text).toBe("OUTCOME\nrefused\nrefused\ndone\nnot_sent\nnot_sent\n");
    expect(world.stderr.text).toContain(
      "zulipctl: interrupted: 1 of 5 rows done, 2 refused, 2 not sent; 1 took something from people\n" +
        "Resume with: zulipctl batch --fields outcome --yes --resume j.jsonl ids.csv -- attachment rm {id}\n",
    );
  });

  test("sends nothing and leaves no journal after Ctrl-C during validation", async () => {
    const world = setting();
    const { stream } = world.files;
    world.files.stream = (path) => {
      world.interrupt(new Interrupted("SIGINT"));
      return stream(path);
    };
    expect(await main(["batch", "ids.csv", ...rm], world)).toBe(130);
    expect([sent(world), [...world.files.content.keys()]]).toEqual([0, ["ids.csv", "/state/last-run"]]);
  });

  test("continues after a closed pipe", async () => {
    const world = setting();
    world.stdout.write = async () => {
      (world.stdout as { isClosed: boolean }).isClosed = true;
    };
    expect(await main(["batch", "ids.csv", "-o", "ndjson", ...rm], world)).toBe(5);
    expect(sent(world)).toBe(5);
  });

  test("sends nothing if --failed cannot be written", async () => {
    const world = setting();
    const { append } = world.files;
    world.files.append = async (path, options) => {
      if (path === "again.csv") throw new Error("EACCES: permission denied");
      return append(path, options);
    };
    expect(await main(["batch", "ids.csv", "--failed", "again.csv", ...rm], world)).toBe(2);
    expect(world.stderr.text).toBe("zulipctl: --failed: cannot write again.csv: EACCES: permission denied\n");
    expect([sent(world), [...world.files.content.keys()]]).toEqual([0, ["ids.csv", "/state/last-run"]]);
  });

  test("keeps the rows of the last --failed file if its journal cannot be written", async () => {
    const files = new Map([
      ["ids.csv", column("id", [1, 2])],
      ["again.csv", "id\n77\n"],
    ]);
    const world = setting({ files });
    const { append } = world.files;
    world.files.append = async (path, options) => {
      if (path === "j.jsonl") throw new Error("ENOSPC: no space left on device");
      return append(path, options);
    };
    expect(await main(["batch", "ids.csv", "--failed", "again.csv", "--journal", "j.jsonl", ...rm], world)).toBe(2);
    expect([sent(world), world.files.content.get("again.csv")]).toEqual([0, "id\n77\n"]);
  });

  test("names a missing @file of a row", async () => {
    const world = setting();
    const words = ["channel", "create", "x{id}", "--description", "@none.txt"];
    expect(await main(["batch", "ids.csv", "--", ...words], world)).toBe(2);
    expect(world.stderr.text).toBe("zulipctl: after --: file not found: none.txt\n");
  });

  test.each([[], ["--dry-run"]])("rejects a journal that exists already %j", async (...flags) => {
    const world = setting();
    await world.files.write("j.jsonl", "{}\n");
    expect(await main(["batch", "ids.csv", "--journal", "j.jsonl", ...flags, ...rm], world)).toBe(2);
    expect(world.stderr.text).toBe(
      "zulipctl: the journal j.jsonl already exists\nResume it with --resume j.jsonl, or choose another name with --journal.\n",
    );
  });
});
