import { describe, expect, test } from "vitest";
import type { Choice, Listing } from "../../src/output/form.ts";
import { marked } from "../../src/output/highlight.ts";
import { print } from "../../src/output/present.ts";
import { place, recording, terminal } from "./world.ts";

interface Person {
  user_id: number;
  full_name: string;
  role: number;
  profile?: unknown;
}

const people: Person[] = [
  { user_id: 1, full_name: "Ada\u001b[31m", role: 100, profile: { "1": "x" } },
  { user_id: 20, full_name: '=1+1, "q"\nzwei', role: 400 },
];

const listing = (
  records: Listing<Person>["records"] = people,
  more: Partial<Listing<Person>> = {},
): Listing<Person> => ({
  kind: "listing",
  records,
  columns: [
    { head: "ID", value: ({ user_id }) => user_id, align: "right" },
    { head: "NAME", value: ({ full_name }) => full_name, style: ({ role }) => (role === 100 ? "good" : undefined) },
    { head: "ROLE", value: ({ role }) => (role === 100 ? "owner" : "member") },
  ],
  id: ({ user_id }) => user_id,
  ...more,
});

const printed = async (
  choice: Partial<Choice>,
  result = listing() as Parameters<typeof print>[0],
  stdout = recording(),
) => {
  const world = place(stdout);
  await print(result, { form: "table", color: "auto", ...choice }, world);
  return world.stdout.text;
};

describe("a listing", () => {
  test("as a table into a pipe is tab-separated, whole and uncoloured", async () => {
    expect(await printed({})).toBe('ID\tNAME\tROLE\n1\tAda\towner\n20\t=1+1, "q" zwei\tmember\n');
  });

  test("as a table on a terminal is drawn in its width, in colour", async () => {
    expect(await printed({}, listing(), terminal(26))).toBe(
      "\u001b[1mID\u001b[22m  \u001b[1mNAME\u001b[22m            \u001b[1mROLE\u001b[22m\n" +
        " 1  \u001b[32mAda\u001b[39m             owner\n" +
        '20  =1+1, "q" zwei  member\n',
    );
  });

  test.each(["json", "table"] as const)("as %s is written while records are made that need no server", async (form) => {
    const stdout = recording();
    let early = "";
    function* records(): Generator<Person> {
      for (let n = 1; n <= 20_000; n++) yield { user_id: n, full_name: "Ada", role: 400 };
      early = stdout.text;
    }
    const known = ["user_id", "full_name", "role"];
    await printed({ form }, listing(records(), { known }), stdout);
    expect(early.length).toBeGreaterThan(100_000);
  });

  test("as JSON is an array, a record a line in a pipe and indented on a terminal", async () => {
    expect(await printed({ form: "json" })).toBe(
      '[{"user_id":1,"full_name":"Ada\\u001b[31m","role":100,"profile":{"1":"x"}},\n' +
        '{"user_id":20,"full_name":"=1+1, \\"q\\"\\nzwei","role":400}]\n',
    );
    const drawn = await printed({ form: "json" }, listing(), terminal());
    expect(drawn).toBe(`${JSON.stringify(people, undefined, 2)}\n`);
  });

  test("as CSV has a header, quotes what needs it and defuses formulas", async () => {
    expect(await printed({ form: "csv" })).toBe(
      'user_id,full_name,role,profile\r\n1,Ada,100,"{""1"":""x""}"\r\n20,"\'=1+1, ""q""\nzwei",400,\r\n',
    );
  });

  test("as YAML is a list", async () => {
    expect(await printed({ form: "yaml" })).toBe(
      '- user_id: 1\n  full_name: "Ada\\e[31m"\n  role: 100\n  profile:\n    "1": x\n' +
        '- user_id: 20\n  full_name: |-\n    =1+1, "q"\n    zwei\n  role: 400\n',
    );
  });

  test("draws the highlights of a match on a terminal alone", async () => {
    const match = listing(people.slice(1), {
      columns: [{ head: "CONTENT", value: () => marked('<p>to <span class="highlight">tea</span> &amp; toast</p>') }],
    });
    expect(await printed({}, match)).toBe("CONTENT\nto tea & toast\n");
    expect(await printed({}, match, terminal())).toBe(
      "\u001b[1mCONTENT\u001b[22m\nto \u001b[1m\u001b[33mtea\u001b[39m\u001b[22m & toast\n",
    );
  });

  test("has its note on stderr, with the table alone", async () => {
    const world = place();
    await print(listing([], { note: "False also means not visible." }), { form: "table", color: "auto" }, world);
    expect(world.stderr.text).toBe("False also means not visible.\n");
    const silent = place();
    await print(listing([], { note: "False also means not visible." }), { form: "json", color: "auto" }, silent);
    expect(silent.stderr.text).toBe("");
  });

  const cut = <R>({ columns, ...rest }: Listing<R>): Listing<R> => ({
    ...rest,
    columns: columns.map((column) => ({ ...column, cut: true })),
  });

  test("on a terminal keeps to its width, also with wide signs", async () => {
    const wide = listing([{ user_id: 1, full_name: "王".repeat(20), role: 400 }]);
    expect(await printed({ color: "never" }, wide, terminal(32))).toBe(
      `ID  NAME                  ROLE\n 1  ${"王".repeat(10)}  member\n    ${"王".repeat(10)}\n`,
    );
    const lines = (await printed({ color: "never" }, cut(wide), terminal(32))).split("\n");
    expect(lines[1]).toBe(` 1  ${"王".repeat(9)}…   member`);
  });

  test("cuts between signs, where marks stand on letters", async () => {
    const signs = listing([{ user_id: 1, full_name: "x\u{1DA4A}".repeat(40), role: 400 }]);
    const lines = (await printed({ color: "never" }, cut(signs), terminal(32))).split("\n");
    expect(lines[1]).toBe(` 1  ${"x\u{1DA4A}".repeat(19)}…  member`);
  });

  test("goes on in the next line with a long text, after 20 lines with an ellipsis", async () => {
    const long = listing([{ user_id: 1, full_name: "x".repeat(1000), role: 400 }]);
    const lines = (await printed({ color: "never" }, long, terminal(32))).trimEnd().split("\n");
    expect(lines.slice(1)).toEqual([
      ` 1  ${"x".repeat(20)}  member`,
      ...Array(18).fill(`    ${"x".repeat(20)}`),
      `    ${"x".repeat(19)}…`,
    ]);
  });
});
