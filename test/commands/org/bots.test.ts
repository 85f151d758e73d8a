/** The keys of bots that `org apply` creates. Transcripts have everything else about bots. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../../run.ts";

test("neither prints nor stores the key of a new bot", async () => {
  const sandbox = fresh();
  const files = new Map<string, string>();
  const keyOf = (email: string) =>
    [...sandbox.state.users.values()].find(({ delivery_email }) => delivery_email === email)!.api_key;
  const apply = (name: string, ...words: string[]) => {
    files.set("organization.yaml", `bots: [{ email: ${name}-bot@chat.example, name: ${name} }]`);
    return zulipctl(["org", "apply", "organization.yaml", "--yes", ...words], { sandbox, files });
  };
  const runs = [
    await apply("build", "--verbose", "--journal", "run.ndjson"),
    await apply("built", "--quiet", "-o", "json"),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  expect([...files.keys()]).toContain("run.ndjson");
  for (const text of [...runs.flatMap(({ out, err }) => [out, err]), ...files.values()])
    for (const name of ["build", "built"]) expect(text).not.toContain(keyOf(`${name}-bot@chat.example`));
});
