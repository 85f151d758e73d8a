/** What entries of the sections say, which no operation that writes them tells. */
import { expect, test } from "vitest";
import { sections } from "../../src/organization/file.ts";
import { wrongIn } from "./reading.ts";

test("things are named and never numbered, but by the id that pins one", () => {
  const all = Object.values(sections).filter(({ holds }) => holds === "things");
  const names = all.flatMap(({ members }) => Object.keys(members));
  expect(names.filter((name) => /_id$|^new_/.test(name))).toEqual([]);
});

test.each(["profile_fields", "groups", "folders", "channels"])("an entry of %s has a name", async (section) => {
  expect(await wrongIn(`${section}:\n  - was: x\n`)).toEqual(['a.yaml:2:5: "name" is missing']);
});

test("domains are the same in any case", async () => {
  const text =
    "domains:\n  - { domain: a.example, allow_subdomains: true }\n  - { domain: A.Example, allow_subdomains: true }\n";
  expect(await wrongIn(text)).toEqual(['a.yaml:3:15: "A.Example" appears twice; first in a.yaml, line 2, column 15']);
});
