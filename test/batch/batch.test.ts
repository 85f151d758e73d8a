import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

const members = (sandbox: ReturnType<typeof fresh>, name: string) =>
  [...sandbox.state.groups.values()].find((group) => group.name === name)!.members;

test("a row of a CSV becomes what its command line would change", async () => {
  const sandbox = fresh();
  const files = new Map([
    ["joiners.csv", "group,email\r\ndesigners,otis@sandbox.example\r\nwriters,adam@sandbox.example\r\n"],
  ]);
  const run = await zulipctl(
    ["batch", "joiners.csv", "-o", "ndjson", "--", "group", "members", "{group}", "--add", "{email}"],
    {
      sandbox,
      files,
    },
  );
  expect(run).toMatchObject({
    code: 0,
    out:
      '{"row":1,"operation":"group.members","target":"designers","outcome":"done","answer":{}}\n' +
      '{"row":2,"operation":"group.members","target":"writers","outcome":"done","answer":{}}\n',
    err: "zulipctl: 2 of 2 rows done\n",
  });
  expect([...members(sandbox, "designers")]).toContain(12);
  expect([...members(sandbox, "writers")]).toContain(9);
});
