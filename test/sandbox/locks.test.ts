/** What `--fault lock` makes of changes that overlap. */
import { expect, test } from "vitest";
import { disturbance } from "../../src/sandbox/disturb.ts";
import { parseFault } from "../../src/sandbox/faults.ts";
import type { Method } from "../../src/world.ts";
import { ask, named, sandboxOf } from "./asking.ts";

const linkifier = (pattern: string): Request => [
  "POST",
  "/realm/filters",
  { pattern, url_template: "https://x.example" },
];
const group = (name: string, subgroups: number[]): Request => [
  "POST",
  "/user_groups/create",
  { name, description: "", members: "[]", subgroups: JSON.stringify(subgroups) },
];
type Request = [method: Method, path: string, form: Record<string, string>];

function slow(spec = "lock") {
  let wake = () => {};
  const sleep = () =>
    new Promise<void>((done) => {
      const before = wake;
      wake = () => {
        before();
        done();
      };
    });
  const sandbox = sandboxOf({ disturb: disturbance([parseFault(spec)], sleep) });
  const send = ([method, path, form]: Request) => ask(sandbox, method, path, { as: "iris", form });
  const id = (name: string) => named(sandbox.state.groups, name).id;
  /** Sends the second before the first is answered; gives both answers. */
  const together = async (...requests: Request[]) => {
    const answers = requests.map(send);
    await new Promise<void>((done) => setImmediate(done));
    wake();
    return (await Promise.all(answers)).map(({ status, body }) => [status, body.msg]);
  };
  return { sandbox, id, together };
}

const done = [200, ""];
const broken = [500, "Internal server error"];

test("the second of two changes of linkifiers breaks and does nothing", async () => {
  const { sandbox, together } = slow();
  expect(await together(linkifier("A[0-9]+"), linkifier("B[0-9]+"))).toEqual([done, broken]);
  expect(sandbox.state.linkifiers.map(({ pattern }) => pattern)).not.toContain("B[0-9]+");
  expect(await together(linkifier("B[0-9]+"))).toEqual([done]);
});

test("changes of groups break where they have a subgroup in common, at any depth", async () => {
  const { id, together } = slow();
  expect(await together(group("one", [id("makers")]), group("two", [id("writers")]))).toEqual([done, broken]);
  expect(await together(group("three", [id("designers")]), group("four", [id("writers")]))).toEqual([done, done]);
  const members: Request = ["POST", `/user_groups/${id("writers")}/members`, { add: "[8]" }];
  expect(await together(group("five", [id("writers")]), members)).toEqual([done, done]);
});

test("a change breaks where the group that it changes is put into another one meanwhile", async () => {
  const { id, together } = slow();
  const into: Request = ["POST", `/user_groups/${id("writers")}/subgroups`, { add: JSON.stringify([id("designers")]) }];
  expect(await together(group("one", [id("makers")]), into)).toEqual([done, broken]);
  const setting = { new: { direct_members: [], direct_subgroups: [id("writers")] } };
  const update: Request = ["PATCH", `/user_groups/${id("designers")}`, { can_mention_group: JSON.stringify(setting) }];
  expect(await together(group("two", [id("writers")]), update)).toEqual([done, broken]);
});

test("the second of two new folders of one name breaks", async () => {
  const { together } = slow();
  const folder = (name: string): Request => ["POST", "/channel_folders/create", { name, description: "" }];
  expect(await together(folder("Work"), folder("WORK"))).toEqual([done, broken]);
  expect(await together(folder("Home"), folder("Garden"))).toEqual([done, done]);
});

test("settings of faults choose among the changes that overlap", async () => {
  const { together } = slow("lock:nth=2");
  const [one, two, three] = ["A", "B", "C"].map((letter) => linkifier(`${letter}[0-9]+`));
  expect(await together(one!, two!, three!)).toEqual([done, done, broken]);
});

test("reads and other changes never break", async () => {
  const { sandbox, together } = slow();
  const channel: Request = [
    "PATCH",
    `/streams/${named(sandbox.state.channels, "design").stream_id}`,
    { description: "x" },
  ];
  expect(await together(["GET", "/realm/linkifiers", {}], linkifier("A[0-9]+"), channel, channel)).toEqual([
    done,
    done,
    done,
    done,
  ]);
});
