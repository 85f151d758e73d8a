/** Undo takes back raw requests whose operation states all of them. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { testWorld } from "../world.ts";

function organization() {
  const sandbox = fresh();
  const [files, logs] = [new Map<string, string>(), new Map<string, string>()];
  const run = async (...argv: string[]) => {
    const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), files, logs });
    const code = await main([...argv, "--yes"], world);
    return { code, out: world.stdout.text, err: world.stderr.text };
  };
  const exported = async () => (await run("org", "export", "--with", "subscribers")).out;
  return { ...sandbox, run, exported };
}

test.each([
  [["PATCH", "streams/1", "-f", "description=x", "-f", "new_name=sketch"], "channel sketch"],
  [["PATCH", "realm", "-F", "waiting_period_threshold=9"], "settings"],
  [["PATCH", "users/12", "-F", "role=300"], "person"],
  [["DELETE", "realm/filters/1"], "linkifier"],
  [["DELETE", "streams/1"], "channel design"],
  [
    ["POST", "realm/filters", "-f", "pattern=B-(?P<id>[0-9]+)", "-f", "url_template=https://b.example/{id}"],
    "linkifier",
  ],
])("api %j", async (words, title) => {
  const { run, exported } = organization();
  const before = await exported();
  const made = await run("api", ...words);
  expect(made.code, made.err).toBe(0);
  expect(await exported()).not.toBe(before);
  expect(JSON.parse((await run("log", "--limit", "1", "-o", "json")).out)).toMatchObject([{ operation: "api" }]);
  const { code, err } = await run("undo");
  expect(code, err).toBe(0);
  expect(err).toContain(title);
  expect(await exported()).toBe(before);
});

test.each([
  [["PATCH", "streams/1", "-f", "description=x"], 'Updated channel "design": description.'],
  [["DELETE", "users/12"], 'Reactivated person "Otis Member".'],
  [["POST", "realm/domains", "-f", "domain=q.example", "-F", "allow_subdomains=true"], 'Removed domain "q.example".'],
  [
    ["POST", "realm/filters", "-f", "pattern=B-(?P<id>[0-9]+)", "-f", "url_template=https://b.example/{id}"],
    'Removed linkifier "B-(?P<id>[0-9]+)".',
  ],
])("the result of undoing api %j has the name", async (words, says) => {
  const { run } = organization();
  expect(await run("api", ...words)).toMatchObject({ code: 0 });
  const { code, out, err } = await run("undo");
  expect(code, err).toBe(0);
  expect(out).toContain(says);
});

test("a raw request with a parameter that no operation states stays", async () => {
  const { run } = organization();
  expect((await run("api", "PATCH", "streams/1", "-f", "description=x", "-f", "newer=1", "--allow-ignored")).code).toBe(
    0,
  );
  const { code, err } = await run("undo");
  expect(code).toBe(1);
  expect(err).toContain("zulipctl does not know all that the raw request changed");
});

type Sandbox = ReturnType<typeof organization>["state"];

/** Adds people to the sandbox. Returns them as typed. */
function addPeople(state: Sandbox, count: number): string {
  const [someone] = [...state.users.values()];
  if (!someone) throw new Error("nobody is there");
  const ids = Array.from({ length: count }, (_, n) => 900 + n);
  for (const id of ids)
    state.users.set(id, {
      ...structuredClone(someone),
      user_id: id,
      full_name: `P ${id}`,
      delivery_email: `p${id}@x.example`,
    });
  return ids.map((id) => `id:${id}`).join(",");
}

test("undo of many people asks for the flag that the same change asks for", async () => {
  const { run, state } = organization();
  for (const line of ["channel create crowd", "channel subscribers crowd --add mona@sandbox.example"]) {
    const made = await run(...line.split(" "));
    expect(made.code, made.err).toBe(0);
  }
  const crowd = () => [...state.channels.values()].find(({ name }) => name === "crowd");
  const people = addPeople(state, 25);
  const made = await run("channel", "subscribers", "crowd", "--add", people);
  expect(made.code, made.err).toBe(0);
  const refused = await run("undo", "--max-removals", "5");
  expect(refused.code, refused.err).toBe(2);
  expect(refused.err).toContain("--max-removals allows 5");
  expect(crowd()?.subscribers.size).toBeGreaterThan(25);
  const { code, err } = await run("undo", "--max-removals", "25");
  expect(code, err).toBe(0);
  expect(err).toContain("takes 25 people out");
});

test("undo counts the people of one list, whose removal takes several requests", async () => {
  const { run, state } = organization();
  const people = addPeople(state, 620);
  const made = await run("group", "members", "writers", "--add", people);
  expect(made.code, made.err).toBe(0);
  const { out, err } = await run("undo", "--max-removals", "100%", "--dry-run", "-o", "json");
  const removals = JSON.parse(out) as { effects?: { text: string; people: number }[] }[];
  expect(removals.length, err).toBeGreaterThan(1);
  expect(removals.flatMap(({ effects = [] }) => effects)).toMatchObject([
    { text: "takes 620 people out", people: 620 },
  ]);
});

test.each([
  ["a whole topic", ["-f", "topic=b", "-f", "propagate_mode=change_all"]],
  ["a whole topic to another channel", ["-f", "subject=b", "-F", "stream_id=2", "-f", "propagate_mode=change_all"]],
  ["one message", ["-f", "topic=b"]],
  ["later messages", ["-f", "topic=b", "-f", "propagate_mode=change_later"]],
])("moves %s back", async (_, words) => {
  const { run, state } = organization();
  const ids: number[] = [];
  for (const content of ["one", "two", "three"]) {
    const { out } = await run("messages", "send", "--channel", "1", "--topic", "a", "--content", content, "-o", "ids");
    ids.push(Number(out));
  }
  const places = () => ids.map((id) => state.messages.get(id)).map((one) => [one?.stream_id, one?.topic]);
  const before = places();
  const made = await run("api", "PATCH", `messages/${ids[1]}`, ...words);
  expect(made.code, made.err).toBe(0);
  expect(places()).not.toEqual(before);
  const { code, err } = await run("undo");
  expect(code, err).toBe(0);
  expect(err).toContain("moved back");
  expect(places()).toEqual(before);
});

test("a raw request that moves a message and replaces its text stays", async () => {
  const { run } = organization();
  expect((await run("api", "PATCH", "messages/2", "-f", "topic=b", "-f", "content=new")).code).toBe(0);
  const { code, err } = await run("undo");
  expect([code, err.includes("the message has another text now")], err).toEqual([1, true]);
});
