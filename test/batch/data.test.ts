/** The value of a column is data: not a flag, not the name of a file, not `-` for stdin. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import fc from "../property.ts";
import { credentials, fresh } from "../run.ts";
import { everyCommand } from "../tree.ts";
import { testWorld } from "../world.ts";
import { column } from "./rows.ts";

const secret = "the secret of a file";
/** Files that a cell could name. */
const readable = ["/etc/passwd", "@/etc/passwd", "x", "-", "@x", "@@x", "--from=@x"];

const files = (rows: string) => new Map([["rows.csv", rows], ...readable.map((path) => [path, secret] as const)]);

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** Command lines with a column, one for each argument and each flag with a value. */
const commandLines = [...everyCommand()].flatMap(([name, command]) => {
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

test("a cell in any place of any command opens no file, reads no stdin and adds no parameter", async () => {
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
    let readsStdin = false;
    Object.defineProperty(world, "stdin", {
      get: () => ({
        isTerminal: false,
        async *bytes() {
          readsStdin = true;
          yield Buffer.from(secret);
        },
      }),
    });
    const code = await main(["batch", "rows.csv", "--yes", "-o", "json", "--", ...words], world);
    const isRead = ({ method, url }: (typeof world.sent)[number]) =>
      method === "GET" || /\/(register|events)$/.test(url);
    const changes = world.sent.filter((request) => !isRead(request));
    return { code, opened: opened.filter((path) => path !== "rows.csv"), readsStdin, changes, err: world.stderr.text };
  };
  const parameters = ({ body = "" }: { body?: string }) => [...new URLSearchParams(body).keys()].sort().join();
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...commandLines), cells, async (words, cell) => {
      const { code, opened, readsStdin, changes, err } = await run(words, cell);
      expect({ opened, readsStdin, secret: err.includes(secret) }).toEqual({
        opened: [],
        readsStdin: false,
        secret: false,
      });
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
