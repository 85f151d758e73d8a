import { describe, expect, test } from "vitest";
import type { Listing } from "../../src/output/form.ts";
import { highlightedText } from "../../src/output/highlight.ts";
import { place, printed, recording, terminal } from "./world.ts";

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

describe("a listing", () => {
  test("has columns in place of a member in CSV, unless fields are chosen", async () => {
    const columns = ["A", "B"].map((head) => ({ head, value: () => head.toLowerCase(), insteadOf: "profile" }));
    const more = { columns, optionalFields: ["profile"] };
    const [ada] = people;
    expect(await printed(listing([ada!], more), { form: "tsv" })).toBe(
      "user_id\tfull_name\trole\tA\tB\n1\tAda\t100\ta\tb\n",
    );
    expect(await printed(listing([ada!], more), { form: "tsv", fields: ["profile"] })).toBe(
      'profile\n"{""1"":""x""}"\n',
    );
    expect(await printed(listing([ada!], more), { form: "json", fields: ["role"] })).toBe('[{"role":100}]\n');
  });

  test("is a table with tabs in a pipe, uncut and without colors", async () => {
    expect(await printed(listing())).toBe('ID\tNAME\tROLE\n1\tAda\towner\n20\t=1+1, "q" zwei\tmember\n');
  });

  test("is drawn with colors on a terminal, in its width", async () => {
    expect(await printed(listing(), {}, place(terminal(26)))).toBe(
      "\u001b[1mID\u001b[22m  \u001b[1mNAME\u001b[22m            \u001b[1mROLE\u001b[22m\n" +
        " 1  \u001b[32mAda\u001b[39m             owner\n" +
        '20  =1+1, "q" zwei  member\n',
    );
  });

  test.each(["json", "table"] as const)("is written as %s while local records are made", async (form) => {
    const stdout = recording();
    let early = "";
    function* records(): Generator<Person> {
      for (let n = 1; n <= 20_000; n++) yield { user_id: n, full_name: "Ada", role: 400 };
      early = stdout.text;
    }
    const known = ["user_id", "full_name", "role"];
    await printed(listing(records(), { allFields: known }), { form }, place(stdout));
    expect(early.length).toBeGreaterThan(100_000);
  });

  test("is a JSON array, with a record on each line in a pipe, and indented on a terminal", async () => {
    expect(await printed(listing(), { form: "json" })).toBe(
      '[{"user_id":1,"full_name":"Ada\\u001b[31m","role":100,"profile":{"1":"x"}},\n' +
        '{"user_id":20,"full_name":"=1+1, \\"q\\"\\nzwei","role":400}]\n',
    );
    const drawn = await printed(listing(), { form: "json" }, place(terminal()));
    expect(drawn).toBe(`${JSON.stringify(people, undefined, 2)}\n`);
  });

  test("is CSV with a header, quotes, and escaped formulas", async () => {
    expect(await printed(listing(), { form: "csv" })).toBe(
      'user_id,full_name,role,profile\r\n1,Ada,100,"{""1"":""x""}"\r\n20,"\'=1+1, ""q""\nzwei",400,\r\n',
    );
  });

  test("is a YAML list", async () => {
    expect(await printed(listing(), { form: "yaml" })).toBe(
      '- user_id: 1\n  full_name: "Ada\\e[31m"\n  role: 100\n  profile:\n    "1": x\n' +
        '- user_id: 20\n  full_name: |-\n    =1+1, "q"\n    zwei\n  role: 400\n',
    );
  });

  test("shows highlights only on a terminal", async () => {
    const match = listing(people.slice(1), {
      columns: [
        { head: "CONTENT", value: () => highlightedText('<p>to <span class="highlight">tea</span> &amp; toast</p>') },
      ],
    });
    expect(await printed(match)).toBe("CONTENT\nto tea & toast\n");
    expect(await printed(match, {}, place(terminal()))).toBe(
      "\u001b[1mCONTENT\u001b[22m\nto \u001b[1m\u001b[33mtea\u001b[39m\u001b[22m & toast\n",
    );
  });

  test("has a note on stderr, only with a table", async () => {
    const [table, json] = [place(), place()];
    const empty = listing([], { note: "False also means not visible." });
    await printed(empty, {}, table);
    await printed(empty, { form: "json" }, json);
    expect([table.stderr.text, json.stderr.text]).toEqual(["False also means not visible.\n", ""]);
  });

  const cut = <R>({ columns, ...rest }: Listing<R>): Listing<R> => ({
    ...rest,
    columns: columns.map((column) => ({ ...column, cut: true })),
  });

  test("fits a terminal also with wide characters", async () => {
    const wide = listing([{ user_id: 1, full_name: "王".repeat(20), role: 400 }]);
    expect(await printed(wide, { color: "never" }, place(terminal(32)))).toBe(
      `ID  NAME                  ROLE\n 1  ${"王".repeat(10)}  member\n    ${"王".repeat(10)}\n`,
    );
    const lines = (await printed(cut(wide), { color: "never" }, place(terminal(32)))).split("\n");
    expect(lines[1]).toBe(` 1  ${"王".repeat(9)}…   member`);
  });

  test("cuts between characters with combining marks", async () => {
    const signs = listing([{ user_id: 1, full_name: "x\u{1DA4A}".repeat(40), role: 400 }]);
    const lines = (await printed(cut(signs), { color: "never" }, place(terminal(32)))).split("\n");
    expect(lines[1]).toBe(` 1  ${"x\u{1DA4A}".repeat(19)}…  member`);
  });

  test("wraps a long text, and cuts it after 20 lines", async () => {
    const long = listing([{ user_id: 1, full_name: "x".repeat(1000), role: 400 }]);
    const lines = (await printed(long, { color: "never" }, place(terminal(32)))).trimEnd().split("\n");
    expect(lines.slice(1)).toEqual([
      ` 1  ${"x".repeat(20)}  member`,
      ...Array(18).fill(`    ${"x".repeat(20)}`),
      `    ${"x".repeat(19)}…`,
    ]);
  });
});
