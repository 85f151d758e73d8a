/** What a column gives is data: it is no flag, names no file, and does not stand for stdin. */

import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import fc from "../property.ts";
import { credentials, fresh } from "../run.ts";
import { everyCommand } from "../tree.ts";
import { testWorld } from "../world.ts";
import { batch, column } from "./rows.ts";

const secret = "the secret of a file";
/** Every name that a cell could be taken for the name of. */
const readable = ["/etc/passwd", "@/etc/passwd", "x", "-", "@x", "@@x", "--from=@x"];

const files = (rows: string) => new Map([["rows.csv", rows], ...readable.map((path) => [path, secret] as const)]);

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

describe("a cell", () => {
  const run = (cells: string[], ...words: string[]) =>
    batch(["rows.csv", "--", ...words], { files: files(column("x", cells.map(quoted))), input: secret });

  test("that begins with @ is text", async () => {
    const cells = ["@/etc/passwd", "@@x", "-", "--description=@x", "--yes", "-n", "a,b"];
    const { changes, code } = await run(cells, "channel", "update", "design", "--description", "{x}");
    expect({ code, changes }).toEqual({
      code: 0,
      changes: cells.map((cell) => `PATCH /streams/1 description=${cell}`),
    });
  });

  test("is not a flag in the place of an argument", async () => {
    const { changes } = await run(["--description=@x", "-y", "--", "-"], "folder", "create", "{x}");
    expect(changes).toEqual(
      ["--description=@x", "-y", "--", "-"].map((name) => `POST /channel_folders/create name=${name} description=`),
    );
  });

  test("is split at commas in a list, and names no file", async () => {
    const add = ["group", "members", "writers", "--add", "{x}"];
    const { changes } = await run(["10,9"], ...add);
    expect(changes).toEqual(["POST /user_groups/18/members add=[10,9]"]);
    const bad = await run(["@/etc/passwd"], ...add);
    expect(bad.code).toBe(2);
    expect(bad.err).toContain('line 2, column x: --add: user "@/etc/passwd" not found, or not visible to this account');
  });

  test("can contain every notation for names", async () => {
    const { changes, code } = await run(
      ["name:Mona Moderator", "id:9"],
      "group",
      "members",
      "@writers",
      "--add",
      "{x}",
    );
    expect({ changes, code }).toEqual({ code: 0, changes: ["POST /user_groups/18/members add=[10,9]"] });
    const named = await run(["@writers"], "group", "members", "{x}", "--add", "10");
    expect(named.changes).toEqual(["POST /user_groups/18/members add=[10]"]);
  });

  test("cannot name a file for a flag", async () => {
    const { code, err } = await run(["x"], "drafts", "add", "--from", "{x}");
    expect({ code, err: err.split("\n")[1] }).toEqual({
      code: 2,
      err: "  rows.csv, line 2, column x: --from cannot be a column value: it names a file",
    });
  });

  test("cannot name a command or a flag", async () => {
    for (const [words, said] of [
      [["folder", "{x}", "y"], '"folder {x}" is not a command'],
      [["{x}", "create", "y"], '"{x}" is not a command'],
      [["folder", "create", "y", "--{x}=z"], "--{x}=z is not a flag: a column cannot contain a flag"],
      [["folder", "create", "y", "-{x}"], "-{x} is not a flag: a column cannot contain a flag"],
    ] as const) {
      const { code, err } = await run(["create"], ...words);
      expect(code).toBe(2);
      expect(err).toContain(said);
      expect(err).toContain("a column cannot contain a");
    }
  });
});

test("typed words keep their meaning, even with a column in them", async () => {
  const all = () => new Map([...files("x\nx\n"), ["./notes/x", "of the file\n"]]);
  const run = await batch(["rows.csv", "--", "channel", "update", "design", "--description", "@./notes/{x}"], {
    files: all(),
  });
  expect(run.changes).toEqual(["PATCH /streams/1 description=of the file"]);
  const at = await batch(["rows.csv", "--", "channel", "update", "design", "--description", "@@{x}"], { files: all() });
  expect(at.changes).toEqual(["PATCH /streams/1 description=@x"]);
  const stdin = await batch(["rows.csv", "--", "channel", "update", "design", "--description", "-"], { files: all() });
  expect(stdin.err).toContain("a batch row cannot read stdin");
});

describe("in every place of every command", () => {
  /** For each argument and each flag with a value a command line in which a column stands there. */
  const places = [...everyCommand()].flatMap(([name, command]) => {
    const words = name.split(" ");
    const args = command.registeredArguments.map(() => "1");
    const needed = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, "1"]);
    const flags = command.options.filter(({ required, optional }) => required || optional);
    return [
      ...args.map((_, at) => [...words, ...args.with(at, "{x}"), ...needed]),
      ...flags.flatMap(({ long }) => [
        [...words, ...args, ...needed, long!, "{x}"],
        [...words, ...args, ...needed, `${long}={x}`],
      ]),
    ];
  });
  const texts = ["/etc/passwd", "x", "", "description", "yes", "n", "from", "add 8", "1"];
  const cells = fc.oneof(
    fc.constantFrom(
      "-",
      "--",
      "-n",
      "-y",
      "--yes",
      "@x",
      "@@x",
      "@/etc/passwd",
      "--description=@x",
      "--add=8",
      "--from=-",
    ),
    fc
      .tuple(fc.constantFrom("@", "@@", "-", "--", "--description=@", "1,@", "name:@"), fc.constantFrom(...texts))
      .map(([before, after]) => before + after),
  );

  test("a cell opens no file, reads no stdin and adds no parameter", async () => {
    const from = fresh();
    const env = credentials(from);
    const run = async (words: string[], cell: string) => {
      const sandbox = fresh();
      const content = files(column("x", [quoted(cell)]));
      const world = testWorld({ http: sandbox.handle, env, files: content, input: secret });
      const opened: string[] = [];
      const { stream } = world.files;
      world.files.stream = (path) => {
        opened.push(path);
        return stream(path);
      };
      let asked = false;
      Object.defineProperty(world, "stdin", {
        get: () => ({
          isTerminal: false,
          async *bytes() {
            asked = true;
            yield Buffer.from(secret);
          },
        }),
      });
      const code = await main(["batch", "rows.csv", "--yes", "-o", "json", "--", ...words], world);
      const changes = world.sent.filter(({ method }) => method !== "GET");
      return { code, opened: opened.filter((path) => path !== "rows.csv"), asked, changes, err: world.stderr.text };
    };
    const parameters = ({ body = "" }: { body?: string }) => [...new URLSearchParams(body).keys()].sort().join();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), cells, async (words, cell) => {
        const { code, opened, asked, changes, err } = await run(words, cell);
        expect({ opened, asked, secret: err.includes(secret) }).toEqual({ opened: [], asked: false, secret: false });
        if (code === 70) throw new Error(err);
        const plain = await run(words, "1");
        for (const change of changes) {
          sent++;
          expect(`${change.url}${change.body ?? ""}`).not.toMatch(/secret|%ED%B0%80|\udc00/i);
          if (plain.changes[0]) expect(parameters(change)).toBe(parameters(plain.changes[0]));
        }
      }),
      { numRuns: 300 },
    );
    expect(sent).toBeGreaterThan(10);
  }, 180_000);
});
