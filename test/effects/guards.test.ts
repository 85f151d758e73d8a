/** What stops a run in each way, what it counts in its summary, and what happens if a judgment cannot read what it needs. */
import { describe, expect, test } from "vitest";
import type { SandboxState } from "../../src/sandbox/index.ts";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

const rows = (...lines: string[]) => ({ files: new Map([["rows.txt", `${lines.join("\n")}\n`]]) });
const batch = ["batch", "rows.txt", "--format", "lines"];

/** A sandbox that refuses reads of these paths. */
function refusing(path: RegExp, given?: (state: SandboxState) => void) {
  const sandbox = fresh();
  given?.(sandbox.state);
  const http: Http = async (request) =>
    request.method === "GET" && path.test(new URL(request.url).pathname)
      ? answer(400, { result: "error", msg: "Not allowed", code: "BAD_REQUEST" })
      : sandbox.handle(request);
  return { sandbox, http, env: credentials(sandbox) };
}

const crowd = ({ users }: SandboxState): void => {
  const one = users.get(12)!;
  for (let id = 101; id <= 120; id++)
    users.set(id, { ...structuredClone(one), user_id: id, full_name: `C${id}`, delivery_email: `c${id}@x.example` });
};

describe("a summary counts what took something from people", () => {
  const lines = [
    "users update cora@sandbox.example --role guest",
    "users update otis@sandbox.example --role guest",
    "channel update design --can-send-message-group nobody",
    "channel subscribers general --delete otis@sandbox.example",
    "channel update general --description x",
  ];

  test("with --yes as without", async () => {
    const { err } = await zulipctl([...batch, "--yes"], rows(...lines));
    expect(err).toContain("5 of 5 rows done; 4 took something from people\n");
    const asked = await zulipctl(batch, rows(...lines));
    expect(asked.err).toContain("5 of 5 rows done; 4 took something from people\n");
  });

  test("as many as the undo of it gives back, and as a plan of the same", async () => {
    const sandbox = fresh();
    const file =
      "people: [{ email: cora@sandbox.example, role: guest }, { email: otis@sandbox.example, role: guest }]\n" +
      "channels: [{ name: design, can_send_message_group: nobody }]\n";
    const setup = { sandbox, files: new Map([["o.yaml", file]]) };
    const { err } = await zulipctl(["org", "apply", "o.yaml", "--yes"], setup);
    expect(err).toContain("3 of 3 changes done; 3 took something from people\n");
  });

  test("without a read for changes that take nothing", async () => {
    const { sent } = await zulipctl([...batch, "--yes"], {
      ...rows("channel update 1 --description x"),
      config: { record_previous: false },
    });
    expect(sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual(["PATCH /api/v1/streams/1"]);
  });
});

describe("the account in use is not locked out", () => {
  test("by two rows that deactivate all owners", async () => {
    const sandbox = fresh();
    sandbox.state.users.get(9)!.role = 100;
    const as = "adam@sandbox.example";
    const { code, err } = await zulipctl([...batch, "--yes"], {
      sandbox,
      as,
      ...rows("users deactivate 8", "users deactivate 9"),
    });
    expect([code, err]).toEqual([
      2,
      "zulipctl: 9 is your own account, which zulipctl does not deactivate (line 2)\nAnother administrator can deactivate it.\n",
    ]);
  });
});

describe("a limit after -- is for the lists of its row", () => {
  const demotions = Array.from({ length: 11 }, (_, n) => `users update ${101 + n} --role guest`);
  const setup = () => {
    const sandbox = fresh();
    crowd(sandbox.state);
    return { sandbox };
  };

  test("and not for the people that all rows take", async () => {
    const all = demotions.map((line) => `${line} --max-removals 100%`);
    const { code, err } = await zulipctl([...batch, "--yes"], { ...setup(), ...rows(...all) });
    expect([code, err]).toEqual([
      2,
      "zulipctl: this would demote 11 of 26 people (lines 1, 2, 3, 4, 5 and 6 more). To do that, add: --max-removals 11\n",
    ]);
  });

  test("before -- it is for the run", async () => {
    const { code } = await zulipctl([...batch, "--max-removals", "11", "--yes"], { ...setup(), ...rows(...demotions) });
    expect(code).toBe(0);
  });
});

describe("what cannot be read", () => {
  const eleven = Array.from({ length: 11 }, (_, n) => 101 + n);
  const removal = ["api", "POST", "user_groups/18/members", "-f", `delete=[${eleven}]`];

  test("stops what could be many, and names the flag", async () => {
    const refused = refusing(/user_groups\/18\/members$/, crowd);
    const { code, err } = await zulipctl([...removal, "--yes"], refused);
    expect([code, err]).toEqual([
      2,
      'zulipctl: this would change something that cannot be judged: zulipctl cannot read who is in group "writers". To do that, add: --max-removals 100%\n',
    ]);
    const allowed = await zulipctl([...removal, "--max-removals", "100%", "--yes"], refused);
    expect(allowed.err).not.toContain("cannot be judged");
  });

  test("stops what could leave a private channel without anybody", async () => {
    const leave = [
      "api",
      "DELETE",
      "users/me/subscriptions",
      "-f",
      'subscriptions=["council"]',
      "-f",
      "principals=[12]",
    ];
    const { code, err } = await zulipctl([...leave, "--yes"], refusing(/streams\/\d+\/members$/));
    expect(code).toBe(2);
    expect(err).toContain("To do that, add: --allow-empty");
  });

  test("is told by a question, and nothing else is stopped", async () => {
    const one = ["api", "DELETE", "users/12"];
    const asked = await zulipctl(one, refusing(/\/users$/));
    expect(asked.err).toContain("zulipctl cannot read who the owners are: Not allowed.");
    expect((await zulipctl([...one, "--yes"], refusing(/\/users$/))).code).toBe(0);
  });
});

describe("more than 20 messages are deleted without a terminal only with --no-keep", () => {
  /** A sandbox with 21 messages in #general > many, and their ids. */
  function withMessages() {
    const sandbox = fresh();
    const { messages } = sandbox.state;
    const [one] = [...messages.values()].filter(({ stream_id }) => stream_id === 2);
    const ids = Array.from({ length: 21 }, (_, n) => 101 + n);
    for (const id of ids) messages.set(id, { ...structuredClone(one!), id, topic: "many" });
    return { sandbox, ids, left: () => ids.filter((id) => messages.has(id)).length };
  }

  const says = "zulipctl: this would delete 21 messages without a copy";

  test.each([
    ["rows of messages delete", (id: number) => `messages delete --ids ${id}`],
    ["rows of raw requests", (id: number) => `api DELETE messages/${id}`],
  ])("%s", async (_, line) => {
    const { sandbox, ids, left } = withMessages();
    const setup = { sandbox, ...rows(...ids.map(line)) };
    const { code, err } = await zulipctl([...batch, "--yes"], setup);
    expect([code, err.startsWith(says), left()], err).toEqual([2, true, 21]);
    expect(err).toContain("To do that, add: --no-keep\n");
    expect((await zulipctl([...batch, "--yes", "--no-keep"], setup)).code).toBe(0);
    expect(left()).toBe(0);
  });

  test("a row of topic delete, which can say so itself", async () => {
    const { sandbox, left } = withMessages();
    const { code, err } = await zulipctl([...batch, "--yes"], { sandbox, ...rows("topic delete general many") });
    expect([code, err.startsWith(says), left()], err).toEqual([2, true, 21]);
    const row = rows("topic delete general many --no-keep");
    expect((await zulipctl([...batch, "--yes"], { sandbox, ...row })).code).toBe(0);
    expect(left()).toBe(0);
  });

  test("a raw request that deletes a topic", async () => {
    const { sandbox, left } = withMessages();
    const line = ["api", "POST", "streams/2/delete_topic", "-f", "topic_name=many", "--yes"];
    const { code, err } = await zulipctl(line, { sandbox });
    expect([code, err, left()]).toEqual([2, `${says}. To do that, add: --no-keep\n`, 21]);
    expect((await zulipctl([...line, "--no-keep"], { sandbox })).code).toBe(0);
    expect(left()).toBe(0);
  });

  test("20 need no flag", async () => {
    const { sandbox, ids, left } = withMessages();
    const lines = rows(...ids.slice(1).map((id) => `api DELETE messages/${id}`));
    expect((await zulipctl([...batch, "--yes"], { sandbox, ...lines })).code).toBe(0);
    expect(left()).toBe(1);
  });
});
