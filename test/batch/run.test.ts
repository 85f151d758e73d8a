import { describe, expect, test } from "vitest";
import { Interrupted } from "../../src/errors.ts";
import { main } from "../../src/main.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { credentials, fresh, person } from "../run.ts";
import { answer, testWorld } from "../world.ts";
import { batch, column, disturbed, faulty, members } from "./rows.ts";

const add = ["--", "group", "members", "designers", "--add", "{id}"];
const csv = ["-", "--format", "csv"];
const rm = [...csv, "--yes", "--", "attachment", "rm", "{id}"];

/** A sandbox with so many more people, and their ids. */
function crowded(n: number, disturb?: Parameters<typeof disturbed>[0]): { sandbox: Sandbox; people: number[] } {
  const sandbox = fresh({ users: n, disturb });
  const { user_id: owner } = person(sandbox, 100);
  const people = [...sandbox.state.users.values()]
    .filter(({ user_id }) => user_id > owner + 7)
    .map(({ user_id }) => user_id);
  return { sandbox, people };
}

describe("every kind of command", () => {
  test("is allowed in one file, and returns the same answer as alone", async () => {
    const sandbox = fresh();
    const rows = [
      "folder create Q4 --description 'the last'",
      "channel update general --folder Projects --topics-policy allow_empty_topic",
      "linkifier add 'T(?P<id>[0-9]+)' 'https://t.example/{id}'",
      "drafts add --content one",
      "drafts add --channel design --topic logo --content two",
      "group members writers --add me --delete otis@sandbox.example",
      "apns register --token abcd --appid org.zulip.Zulip",
      "attachment rm 1",
      "export create",
    ];
    const run = await batch(["-", "--format", "lines", "--yes"], { sandbox, input: rows.join("\n") });
    expect(run.outcomes).toEqual(rows.map((_, n) => `${n + 1} done`));
    expect(run.records.map(({ operation, target, answer }) => [operation, target, answer])).toEqual([
      ["folder.create", "Q4", { channel_folder_id: 3 }],
      ["channel.update", "general", {}],
      ["linkifier.add", "T(?P<id>[0-9]+)", { id: 3 }],
      ["drafts.add", "draft", { ids: [1] }],
      ["drafts.add", "design", { ids: [2] }],
      ["group.members", "writers", {}],
      ["apns.register", "org.zulip.Zulip", {}],
      ["attachment.rm", "1", {}],
      ["export.create", "public", { id: 1 }],
    ]);
    expect(run.changes.filter((change) => change.includes("/drafts"))).toHaveLength(1);
    expect(members(sandbox, "writers")).toEqual([8]);
    expect(run.code).toBe(0);
  });

  test("a row that makes several changes is one record", async () => {
    const sandbox = fresh();
    const run = await batch(["-", "--format", "lines", "--yes"], {
      sandbox,
      input: "attachment rm 1 2\nattachment rm 3 1\n",
    });
    expect(run.records[0]).toEqual({
      row: 1,
      operation: "attachment.rm",
      target: "1, 2",
      outcome: "done",
      answer: [{}, {}],
    });
    expect(run.records[1]).toMatchObject({
      row: 2,
      target: "3, 1",
      outcome: "refused",
      error: { message: "2 of 2 not done (2 refused): 3: Invalid attachment; 1: Invalid attachment" },
    });
    expect(run.code).toBe(5);
  });
});

describe("merging", () => {
  test("sends memberships of a group together, and one by one with --no-merge", async () => {
    const { sandbox, people } = crowded(30);
    const merged = await batch([...csv, ...add], { sandbox, input: column("id", people) });
    expect(merged.changes).toEqual([`POST /user_groups/17/members add=[${people}]`]);
    expect(merged.outcomes).toEqual(people.map((_, n) => `${n + 1} done`));
    const single = await batch([...csv, "--no-merge", ...add], {
      sandbox: crowded(30).sandbox,
      input: column("id", people),
    });
    expect(single.changes).toEqual(people.map((id) => `POST /user_groups/17/members add=[${id}]`));
  });
});

describe("the exit code", () => {
  test("is 5 if some rows are refused, and 1 if all are", async () => {
    expect(await batch(rm, { input: "id\n77\n78\n" })).toMatchObject({
      code: 1,
      err: "zulipctl: 2 of 2 not done (2 refused): row 1 (77): Invalid attachment; row 2 (78): Invalid attachment\n",
    });
    expect(await batch(rm, { input: "id\n1\n77\n" })).toMatchObject({ code: 5, outcomes: ["1 done", "2 refused"] });
  });

  test("is 7 if a row is unknown, and the message has the command to resume", async () => {
    const all = new Map<string, string>();
    const run = await batch([...rm.slice(0, -4), "--journal", "run.jsonl", ...rm.slice(-4)], {
      sandbox: faulty("drop-after:op=attachment.rm,times=1"),
      input: "id\n1\n77\n2\n",
      files: all,
    });
    expect(run).toMatchObject({ code: 7, outcomes: ["1 unknown", "2 refused", "3 done"] });
    expect(run.err).toContain("2 of 3 not done (1 refused, 1 unknown)");
    expect(run.err).toContain(
      "\nCheck with: zulipctl attachment list. Resume with the same input: " +
        "zulipctl batch -o ndjson --format csv --yes --resume run.jsonl - -- attachment rm {id}\n",
    );
  });

  test("is 5 if the server ignored a parameter, unless --allow-ignored", async () => {
    const words = [...csv, "--", "channel", "update", "{channel}", "--description", "x"];
    const ignoring = () => faulty("ignore:param=description,op=channel.update");
    const input = "channel\ndesign\ngeneral\n";
    const run = await batch(words, { sandbox: ignoring(), input });
    expect(run.records.map(({ outcome, ignored }) => [outcome, ignored])).toEqual([
      ["done", ["description"]],
      ["done", ["description"]],
    ]);
    expect(run.code).toBe(5);
    expect(run.err).toContain("zulipctl: 2 of 2 rows were done but for parameters that the server ignored\n");
    expect((await batch(["--allow-ignored", ...words], { sandbox: ignoring(), input })).code).toBe(0);
  });

  test("is 3 if the key is rejected at once, and 5 if something was done before", async () => {
    const refusing = (from: number) => {
      let changes = 0;
      return disturbed(async ({ request, serve }) => {
        if (request.method !== "GET" && ++changes >= from)
          return answer(401, { result: "error", msg: "Invalid API key", code: "INVALID_API_KEY" });
        const { status, headers, text } = serve();
        return answer(status, text, headers);
      });
    };
    const input = "id\n1\n2\n77\n";
    const words = [...rm];
    expect(await batch(words, { sandbox: refusing(1), input })).toMatchObject({
      code: 3,
      outcomes: ["1 refused", "2 not_sent", "3 not_sent"],
    });
    expect(await batch(words, { sandbox: refusing(2), input })).toMatchObject({
      code: 5,
      outcomes: ["1 done", "2 refused", "3 not_sent"],
    });
  });

  test("is 4 if the site cannot be reached, and nothing more is sent", async () => {
    const run = await batch([...rm], {
      sandbox: faulty("429:after=1000,op=attachment.rm"),
      input: "id\n1\n2\n",
    });
    expect(run).toMatchObject({ code: 4, outcomes: ["1 not_sent", "2 not_sent"] });
    expect(run.changes).toHaveLength(1);
  });
});

describe("a run that ends early", () => {
  const input = column("id", [77, 78, 1, 79, 2]);

  test("--on-error stop sends nothing after the first failure", async () => {
    const run = await batch(["--on-error", "stop", ...rm], { input });
    expect(run).toMatchObject({
      code: 5,
      outcomes: ["1 refused", "2 not_sent", "3 not_sent", "4 not_sent", "5 not_sent"],
    });
    expect(run.changes).toHaveLength(1);
    // What was not sent is no part of anything that was done.
    expect(run.err).toMatch(/\(1 refused, 4 not sent\)/);
    expect(run.err).not.toContain("in part");
  });

  test("Ctrl-C waits for the current request, and sends no more", async () => {
    const sandbox = fresh();
    let changes = 0;
    const world = testWorld({
      env: credentials(sandbox),
      files: new Map([["ids.csv", input]]),
      http: async (request) => {
        if (request.method === "DELETE" && ++changes === 3) world.interrupt(new Interrupted("SIGINT"));
        return sandbox.handle(request);
      },
    });
    const argv = ["batch", "ids.csv", "-o", "ndjson", "--journal", "j.jsonl", ...rm.slice(3)];
    expect(await main(argv, world)).toBe(130);
    const records = world.stdout.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "done", "not_sent", "not_sent"]);
    expect(world.stderr.text).toContain(
      "zulipctl: interrupted: 1 of 5 rows done, 2 refused, 2 not sent\n" +
        "Go on with: zulipctl batch -o ndjson --yes --resume j.jsonl ids.csv -- attachment rm {id}\n",
    );
  });

  test("Ctrl-C during validation sends nothing and leaves no journal", async () => {
    const sandbox = fresh();
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle, files: new Map([["ids.csv", input]]) });
    const { stream } = world.files;
    world.files.stream = (path) => {
      world.interrupt(new Interrupted("SIGINT"));
      return stream(path);
    };
    expect(await main(["batch", "ids.csv", ...rm.slice(3)], world)).toBe(130);
    expect(world.sent.filter(({ method }) => method !== "GET")).toEqual([]);
    expect([...world.files.content.keys()].filter((path) => path.startsWith("/state"))).toEqual([]);
  });

  test("a closed pipe does not end the run", async () => {
    const sandbox = fresh();
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle, files: new Map([["ids.csv", input]]) });
    world.stdout.write = async () => {
      (world.stdout as { gone: boolean }).gone = true;
    };
    expect(await main(["batch", "ids.csv", "-o", "ndjson", ...rm.slice(3)], world)).toBe(5);
    expect(world.sent.filter(({ method }) => method === "DELETE")).toHaveLength(5);
  });
});

describe("--failed", () => {
  test("contains unsent rows", async () => {
    const files = new Map<string, string>();
    const run = await batch(
      ["-", "--format", "ndjson", "--yes", "--on-error", "stop", "--failed", "again", "--", "attachment", "rm", "{id}"],
      {
        input: '{"id":77}\n{ "id" : 1 }\n',
        files,
      },
    );
    expect(run.outcomes).toEqual(["1 refused", "2 not_sent"]);
    expect(files.get("again")).toBe('{"id":77}\n{ "id" : 1 }\n');
  });

  const rows = ["id,why", '77,"no, never"', "1,x", '78,"two\nlines"', "2,y", ""].join("\r\n");

  test("contains rows that were not done, in their form, as input for another run", async () => {
    const files = new Map([["all.csv", rows]]);
    const sandbox = fresh();
    const words = ["--", "attachment", "rm", "{id}"];
    await batch(["all.csv", "--yes", "--failed", "again.csv", ...words], { sandbox, files });
    expect(files.get("again.csv")).toBe('id,why\r\n77,"no, never"\r\n78,"two\nlines"\r\n');
    const second = await batch(["again.csv", "--yes", "--failed", "third.csv", ...words], { sandbox, files });
    expect(second.outcomes).toEqual(["1 refused", "2 refused"]);
    expect(files.get("third.csv")).toBe(files.get("again.csv"));
  });

  test("has no rows if all were done", async () => {
    const files = new Map([
      ["all.csv", "id\n1\n2\n"],
      ["again.csv", "old\n"],
    ]);
    const words = ["--yes", "--", "attachment", "rm", "{id}"];
    expect((await batch(["all.csv", "--failed", "again.csv", ...words], { files })).code).toBe(0);
    expect(files.get("again.csv")).toBe("id\n");
    expect((await batch(["again.csv", ...words], { files })).code).toBe(0);
  });

  test("leaves out unknown rows, unless --retry-unknown", async () => {
    const run = async (...flags: string[]) => {
      const files = new Map<string, string>();
      await batch(["-", "--format", "lines", "--yes", "--failed", "again", ...flags], {
        sandbox: faulty("drop-after:op=attachment.rm,times=1"),
        input: "attachment rm 1 # one\nattachment rm 77\n",
        files,
      });
      return files.get("again");
    };
    expect(await run()).toBe("attachment rm 77\n");
    expect(await run("--retry-unknown")).toBe("attachment rm 1 # one\nattachment rm 77\n");
  });

  test("ends with 2 before anything is sent if it cannot be written", async () => {
    const sandbox = fresh();
    const world = testWorld({ env: credentials(sandbox), http: sandbox.handle, files: new Map([["all.csv", rows]]) });
    const { append } = world.files;
    world.files.append = async (path, options) => {
      if (path === "again.csv") throw new Error("EACCES: permission denied");
      return append(path, options);
    };
    expect(
      await main(["batch", "all.csv", "--yes", "--failed", "again.csv", "--", "attachment", "rm", "{id}"], world),
    ).toBe(2);
    expect(world.stderr.text).toBe("zulipctl: --failed: cannot write again.csv: EACCES: permission denied\n");
    expect(world.sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("the result", () => {
  const input = "id\n1\n77\n";

  test("in a table has each row", async () => {
    const run = await batch(["-o", "table", ...rm], { input });
    expect(run.out).toBe(
      "ROW\tTARGET\tOUTCOME\tRESULT\n1\t1\tdone\tDeleted attachment 1.\n2\t77\trefused\tInvalid attachment\n",
    );
  });

  test("in CSV has a header, even without rows", async () => {
    const run = await batch(["-o", "csv", ...rm], { input: "id\n1\n" });
    expect(run.out).toBe(
      "row,operation,target,outcome,answer,error,ignored,unchanged\r\n1,attachment.rm,1,done,{},,,\r\n",
    );
    const none = await batch(["-o", "csv", ...rm], { input: "id\n" });
    expect(none.out).toBe("row,operation,target,outcome,answer,error,ignored,unchanged\r\n");
  });

  test("is empty with -o none, and --quiet hides success", async () => {
    expect(await batch(["-o", "none", "-q", ...rm], { input: "id\n1\n" })).toMatchObject({ code: 0, out: "", err: "" });
  });
});
