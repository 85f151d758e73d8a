/** Subscriptions in a batch: merged, split and settled like memberships of groups, and told by the name that their channel has by then. */
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { batch, column, count, faulty } from "./rows.ts";

const journal = "run.jsonl";
const files = (content: string) => new Map([["rows.csv", content]]);
const csv = ["rows.csv"];
const add = ["--", "channel", "subscribers", "{channel}", "--add", "{user}"];
const lines = ["rows.txt", "--format", "lines"];
const script = (...rows: string[]) => new Map([["rows.txt", `${rows.join("\n")}\n`]]);

const subscribers = ({ state }: Sandbox, id: number) =>
  [...state.channels.get(id)!.subscribers].sort((one, other) => one - other);
const channels = ({ state }: Sandbox) => [...state.channels.values()].map(({ name }) => name);
const post = (name: string, ids: string) =>
  `POST /users/me/subscriptions subscriptions=[{"name":"${name}"}] principals=[${ids}] invite_only=true is_default_stream=true`;
const remove = (name: string, ids: string) =>
  `DELETE /users/me/subscriptions subscriptions=["${name}"] principals=[${ids}]`;

/** The last of so many more people. */
const crowd = (users: number, more: object = {}) => {
  const sandbox = fresh({ users, ...more });
  return { sandbox, people: [...sandbox.state.users.keys()].slice(-users) };
};

describe("merging", () => {
  test("sends additions of a channel in one request, and removals in another", async () => {
    const sandbox = fresh();
    const text = "channel,add,delete\n1,9,\ndesign,10,\n1,,11\ndesign,,12\n4,11,\n";
    const words = ["--", "channel", "subscribers", "{channel}", "--add", "{add?}", "--delete", "{delete?}"];
    const run = await batch([...csv, ...words], { sandbox, files: files(text) });
    expect(run.changes).toEqual([post("design", "9,10"), remove("design", "11,12"), post("staff", "11")]);
    expect(run.records).toEqual([
      {
        row: 1,
        operation: "channel.subscribe",
        target: "1",
        outcome: "done",
        answer: { subscribed: { 9: ["design"] }, already_subscribed: {} },
      },
      expect.objectContaining({ row: 2, target: "design", outcome: "done" }),
      {
        row: 3,
        operation: "channel.unsubscribe",
        target: "1",
        outcome: "done",
        answer: { removed: ["design"], not_removed: [] },
      },
      expect.objectContaining({ row: 4 }),
      expect.objectContaining({ row: 5 }),
    ]);
    expect(subscribers(sandbox, 1)).toEqual([8, 9, 10, 13]);
  });

  test("does not merge rows that notify people with rows that do not", async () => {
    const rows = ["channel subscribers 1 --add 9", "channel subscribers 1 --add 10 --no-notify"];
    const run = await batch(lines, { files: script(...rows) });
    expect(run.changes).toEqual([post("design", "9"), `${post("design", "10")} send_new_subscription_messages=false`]);
  });

  test("isolates a bad row, and existing members are done", async () => {
    const { sandbox, people } = crowd(60);
    const gone = people[20]!;
    sandbox.state.users.get(gone)!.is_active = false;
    for (const id of people.slice(30, 40)) sandbox.state.channels.get(1)!.subscribers.add(id);
    const rows = column(
      "channel,user",
      people.map((id) => `1,${id}`),
    );
    const run = await batch([...csv, ...add], { sandbox, files: files(rows) });
    expect(run.outcomes).toEqual(people.map((id, n) => `${n + 1} ${id === gone ? "refused" : "done"}`));
    expect(run.records[20]!.error).toMatchObject({ message: "User is deactivated" });
    expect(run.records[35]!.answer).toEqual({ subscribed: {}, already_subscribed: { [people[35]!]: ["design"] } });
    expect(run.changes.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(60)));
    // The list of subscribers would explain nothing.
    expect(run.sent.filter(({ method, url }) => method === "GET" && url.includes("members"))).toEqual([]);
  });
});

describe("--if-changed and --set", () => {
  test("read each channel once, and earlier rows count", async () => {
    const rows = [
      "channel subscribers 1 --add 8,9 --if-changed",
      "channel subscribers 1 --set 8,9,12 --yes",
      "channel subscribers 3 --add 8 --if-changed",
    ];
    const plain = rows.map((row) => row.replace(" --yes", ""));
    const run = await batch([...lines, "--yes"], { files: script(...plain) });
    expect(run.outcomes).toEqual(["1 done", "2 done", "3 done"]);
    expect(run.changes).toEqual([post("design", "9"), remove("design", "11,13")]);
    expect(run.records[2]).toMatchObject({ outcome: "done", unchanged: true });
    expect(run.sent.filter(({ url }) => url.endsWith("/members"))).toHaveLength(2);
  });

  test("parts of a row keep their numbers in a resumed run", async () => {
    const sandbox = fresh();
    const input = script("channel subscribers 1 --set 8,9");
    const first = await batch([...lines, "--yes", "--journal", journal], { sandbox, files: input });
    expect(first.changes).toEqual([post("design", "9"), remove("design", "11,12,13")]);
    // The run ends after the addition; the removal is known not to have been sent.
    const [head, ...rest] = input.get(journal)!.trim().split("\n");
    input.set(journal, `${[head, ...rest.slice(0, 2)].join("\n")}\n`);
    for (const id of [11, 12, 13]) sandbox.state.channels.get(1)!.subscribers.add(id);
    const second = await batch([...lines, "--yes", "--resume", journal], { sandbox, files: input });
    expect(second.changes).toEqual([remove("design", "11,12,13")]);
    expect(second.outcomes).toEqual(["1 done"]);
  });
});

describe("a channel that the run renames", () => {
  const rows = [
    "channel subscribers design --add 9",
    "channel update 1 --new-name sketches --description d",
    "channel subscribers design --add 10",
    "channel subscribers 1 --delete 11",
    "channel subscribers 2 --delete 11",
  ];
  const others = remove("general", "11");

  test("has its new name in later requests", async () => {
    const sandbox = fresh();
    const run = await batch(lines, { sandbox, files: script(...rows) });
    expect(run.code).toBe(0);
    expect(run.changes).toEqual([
      post("design", "9"),
      "PATCH /streams/1 description=d new_name=sketches",
      post("sketches", "10"),
      remove("sketches", "11"),
      others,
    ]);
    expect(channels(sandbox)).toEqual(channels(fresh()).map((name) => (name === "design" ? "sketches" : name)));
  });

  test.each([
    ["lost", "drop-after:op=channel.update", "unknown", 7],
    ["lost before it was applied", "drop-before:op=channel.update", "unknown", 7],
    ["ignored", "ignore:op=channel.update,param=new_name", "done", 5],
  ])("is not sent to under any name if the rename was %s", async (_, fault, outcome, code) => {
    const sandbox = faulty(fault);
    const run = await batch(lines, { sandbox, files: script(...rows) });
    expect(run.outcomes).toEqual(["1 done", `2 ${outcome}`, "3 not_sent", "4 not_sent", "5 done"]);
    expect(run.code).toBe(code);
    expect(run.changes.filter((change) => change.includes("subscriptions"))).toEqual([post("design", "9"), others]);
    expect(channels(sandbox)).toHaveLength(channels(fresh()).length);
    expect(run.records[2]!.error).toMatchObject({
      message: "channel 1 may have another name now: an earlier change renames it, and is not known to be done",
      outcome: "not_sent",
    });
  });

  test("after a refused rename, nothing is sent until a later rename is done", async () => {
    const rows = [
      "channel update 1 --new-name general",
      "channel subscribers 1 --add 9",
      "channel update 1 --new-name sketches",
      "channel subscribers 1 --add 10",
    ];
    const run = await batch(lines, { files: script(...rows) });
    expect(run.outcomes).toEqual(["1 refused", "2 not_sent", "3 done", "4 done"]);
    expect(run.changes.at(-1)).toBe(post("sketches", "10"));
  });

  describe("in a resumed run", () => {
    /** The first run loses the rename. */
    const begun = async (fault: string) => {
      const sandbox = faulty(`${fault},nth=1`);
      const input = script(...rows);
      await batch([...lines, "--journal", journal], { sandbox, files: input });
      return { sandbox, files: input };
    };
    const resume = [...lines, "--resume", journal];

    test("has its new name if a read shows it", async () => {
      const run = await batch(resume, await begun("drop-after:op=channel.update"));
      expect(run.outcomes).toEqual(["1 done", "2 unknown", "3 done", "4 done", "5 done"]);
      expect(run.changes).toEqual([post("sketches", "10"), remove("sketches", "11")]);
    });

    test("is not sent to until the rename is repeated", async () => {
      const place = await begun("drop-before:op=channel.update");
      const run = await batch(resume, place);
      expect(run.outcomes).toEqual(["1 done", "2 unknown", "3 not_sent", "4 not_sent", "5 done"]);
      expect(run.changes).toEqual([]);
      const again = await batch([...resume, "--retry-unknown"], place);
      expect(again.outcomes).toEqual(["1 done", "2 done", "3 done", "4 done", "5 done"]);
      expect(again.changes.slice(1)).toEqual([post("sketches", "10"), remove("sketches", "11")]);
    });
  });
});

describe("a subscription without an answer", () => {
  const rows = column("channel,user", [...count(3).map((n) => `1,${9 + n}`), "2,8"]);

  test("is unknown if a part was unchanged before", async () => {
    const sandbox = faulty("drop-before:op=channel.subscribe,nth=1");
    const run = await batch([...csv, ...add], { sandbox, files: files(rows) });
    expect(run.outcomes).toEqual(["1 unknown", "2 unknown", "3 unknown", "4 done"]);
    expect(run.code).toBe(7);
    expect(run.records[0]!.error!.hint).toBe("Check with: zulipctl channel subscribers 1");
  });
});
