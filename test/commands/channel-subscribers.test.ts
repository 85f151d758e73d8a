/** `channel subscribers`: lists, adds, removes and sets subscribers. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh, type Options, zulipctl, zulipctlAsking } from "../run.ts";
import { testWorld } from "../world.ts";

type Sandbox = ReturnType<typeof fresh>;
type Sent = { method: string; url: string; body?: string | undefined };

const shown = ({ method, url, body }: Sent) =>
  [method, url.replace(/^.*\/v1/, "").replace(/\?.*/, ""), body && decodeURIComponent(body)].filter(Boolean).join(" ");

const run = async (argv: string[], options: Options = {}) => {
  const { code, out, err, sent } = await zulipctl(["channel", "subscribers", ...argv], options);
  return { code, out, err, requests: sent.map(shown) };
};

const names = "GET /streams";
const read = "GET /streams/1/members";
const post = 'POST /users/me/subscriptions subscriptions=[{"name":"design"}]&principals=';
/** No channel can be both, so that none is made. */
const noneMade = "&invite_only=true&is_default_stream=true";
const remove = 'DELETE /users/me/subscriptions subscriptions=["design"]&principals=';

const subscribers = ({ state }: Sandbox, id = 1) =>
  [...state.channels.get(id)!.subscribers].sort((one, other) => one - other);

describe("several channels", () => {
  test("get the same people, each with a request and an outcome of its own", async () => {
    const sandbox = fresh();
    const { code, out, requests } = await run(["design,3", "--add", "adam@sandbox.example,10", "--json"], { sandbox });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      { operation: "channel.subscribe", target: "design", outcome: "done" },
      { operation: "channel.subscribe", target: "3", outcome: "done" },
    ]);
    expect(requests.filter((each) => each.startsWith("POST"))).toHaveLength(2);
    for (const id of [1, 3]) expect(subscribers(sandbox, id)).toEqual(expect.arrayContaining([9, 10]));
  });

  test("are asked about once", async () => {
    const argv = ["channel", "subscribers", "design,3", "--set", "cora@sandbox.example"];
    const { asked } = await zulipctlAsking(argv, { terminal: true });
    expect(asked).toEqual([
      expect.stringMatching(/^Remove .* from channel "design"; Remove .* from channel "3" on chat\.example\?/),
    ]);
  });

  test("stand in a file, or on stdin", async () => {
    const list = "design\n# and\n3\n";
    const files = new Map([["channels.txt", list]]);
    const typed = await run(["design,3", "--add", "9"]);
    expect(await run(["@channels.txt", "--add", "9"], { files })).toEqual(typed);
    expect(await run(["-", "--add", "9"], { input: list })).toEqual(typed);
    expect(typed.code).toBe(0);
    expect(await run(["-", "--add", "9"], { input: "" })).toMatchObject({
      code: 0,
      out: "No changes.\n",
      requests: [],
    });
  });

  test("are listed with a column that names them, and each person has one id", async () => {
    const { out } = await run(["design,3"]);
    expect(out.split("\n")[0]).toBe("CHANNEL\tID\tNAME\tEMAIL\tROLE\tSTATE");
    expect(JSON.parse((await run(["design,3", "--json"])).out)[0]).toMatchObject({ channel: "design" });
    const ids = (await run(["design,3", "-o", "ids"])).out.trim().split("\n");
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a name with a comma is one channel", async () => {
    const sandbox = fresh();
    sandbox.state.channels.get(1)!.name = "design, general";
    const { code } = await run(["design, general", "--add", "9"], { sandbox });
    expect(code).toBe(0);
    expect(subscribers(sandbox)).toContain(9);
    expect(subscribers(sandbox, 2)).toEqual(subscribers(fresh(), 2));
  });
});

describe("--add and --delete", () => {
  test("are a request each, with the channel's name as the server spells it and people by id", async () => {
    const sandbox = fresh();
    expect(await run(["#DESIGN", "--add", "adam@sandbox.example,10", "--delete", "11"], { sandbox })).toEqual({
      code: 0,
      out: 'Updated channel "#DESIGN": 2 subscribers added.\nUpdated channel "#DESIGN": 1 subscriber removed.\n',
      err: "",
      requests: [names, "GET /users", `${post}[9,10]${noneMade}`, `${remove}[11]`],
    });
    expect(subscribers(sandbox)).toEqual([8, 9, 10, 12, 13]);
  });

  describe("while somebody gives the channel another name, once it was looked up", () => {
    const renaming = async (argv: string[], options: Options = {}) => {
      const sandbox = fresh(options.level === undefined ? {} : { level: options.level });
      const http: Sandbox["handle"] = (request, ...rest) => {
        if (request.url.includes("/users/me/subscriptions")) sandbox.state.channels.get(1)!.name = "sketches";
        return sandbox.handle(request, ...rest);
      };
      const names = () => [...sandbox.state.channels.values()].map(({ name }) => name);
      const { code, err } = await zulipctl(argv, { ...options, sandbox, http });
      return { code, err, names: names() };
    };
    const argv = ["channel", "subscribers", "1", "--add", "9"];
    const files = new Map([["rows.csv", "channel,user\n1,9\n"]]);
    const batch = ["batch", "rows.csv", "--", "channel", "subscribers", "{channel}", "--add", "{user}"];

    test.each([
      ["a command", argv],
      ["a batch", batch],
    ])("%s is refused, and makes no channel", async (_, words) => {
      const { code, err, names } = await renaming(words, { files });
      expect({ code, names: names.filter((name) => name === "design") }).toEqual({ code: 1, names: [] });
      expect(err).toContain("A default channel cannot be private.");
    });
  });

  test("count people whose subscription did not change", async () => {
    expect((await run(["design", "--add", "8,9,12"])).out).toBe(
      'Updated channel "design": 1 subscriber added, 2 were subscribed already.\n',
    );
    expect((await run(["design", "--delete", "9"])).out).toBe('Updated channel "design": 1 was not subscribed.\n');
  });

  test("of more than 500 people go out in parts", async () => {
    const sandbox = fresh({ users: 1200 });
    const people = [...sandbox.state.users.keys()].slice(-1200);
    const files = new Map([["people", people.join("\n")]]);
    const { code, out, requests } = await run(["1", "--add", "@people"], { sandbox, files });
    const sizes = requests.slice(1).map((request) => JSON.parse(/principals=([^&]*)/.exec(request)![1]!).length);
    expect({ code, sizes }).toEqual({ code: 0, sizes: [500, 500, 200] });
    expect(out.split("\n").slice(0, -1)).toHaveLength(3);
    expect(subscribers(sandbox)).toHaveLength(4 + 1200);
  });
});

describe("--set", () => {
  test("reads the subscribers, asks, and sends the differences", async () => {
    const sandbox = fresh();
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), terminal: true, confirm: [true] });
    expect(await main(["channel", "subscribers", "1", "--set", "8,9"], world)).toBe(0);
    expect(world.asked).toEqual([
      'Remove 3 subscribers (Cora Member, Otis Member, Gwen Guest) from channel "1" on chat.example?',
    ]);
    expect(world.sent.map(shown).filter((request) => !/server_settings/.test(request))).toEqual([
      names,
      read,
      "GET /users",
      `${post}[9]${noneMade}`,
      `${remove}[11,12,13]`,
    ]);
    expect(subscribers(sandbox)).toEqual([8, 9]);
  });
});
