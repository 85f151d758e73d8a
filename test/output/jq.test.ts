import { describe, expect, test } from "vitest";
import { Cancelled, Interrupted, Partial, Usage } from "../../src/errors.ts";
import { filtered } from "../../src/output/jq.ts";
import { checkChoice, print } from "../../src/output/present.ts";
import { place, terminal } from "./world.ts";

const people = [
  { user_id: 1, full_name: "Ada" },
  { user_id: 2, full_name: 'Zoë\n"王"\u001b[31m\u009b1m\u202E', is_bot: true },
];
const listing = {
  kind: "listing" as const,
  records: people,
  columns: [],
  id: ({ user_id }: { user_id: number }) => user_id,
};
const failure = async (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const run = async (jq: string, world = place(), fields?: string[]) => {
  await print(listing, { form: "json", jq, fields, color: "auto" }, world);
  return world.stdout.text;
};

describe("a filter", () => {
  test("gets the whole list and gives one result a line, strings bare", async () => {
    expect(await run(".[] | .user_id, .is_bot, {full_name}")).toBe(
      '1\nnull\n{"full_name":"Ada"}\n2\ntrue\n{"full_name":"Zoë\\n\\"王\\"\\u001b[31m\\u009b1m\\u202e"}\n',
    );
    expect(await run("map(.user_id)")).toBe("[1,2]\n");
    expect(await run('.[0].full_name, ""')).toBe("Ada\n\n");
  });

  test("prints strings without what drives a terminal, their line ends kept", async () => {
    expect(await run(".[1].full_name")).toBe('Zoë\n"王"\n');
    expect(await run(".[1].full_name", place(terminal()))).toBe('Zoë\n"王"\n');
  });

  test("reads no environment, no arguments and no files", async () => {
    const results = await filtered("null", 'env.HOME, ($ENV|has("PATH")), input_filename');
    expect(results.results).toEqual(["/home/web_user", "true", "inputString"]);
    await expect(filtered("null", 'include "x"; .')).rejects.toBeInstanceOf(Usage);
  });

  test("tells the messages of debug on stderr, made safe", async () => {
    const world = place();
    await print(listing, { form: "json", jq: '.[0].full_name | debug("\\u001b[31mhere")', color: "auto" }, world);
    expect(world.stdout.text).toBe("Ada\n");
    expect(world.stderr.text).toBe('["DEBUG:","\\u001b[31mhere"]\n');
  });
});

describe("a filter that is wrong", () => {
  test.each([
    [".[", "invalid --jq filter: syntax error, unexpected end of file (Unix shell quoting issues?) .["],
    [".a | foo", "invalid --jq filter: foo/0 is not defined .a | foo"],
    ["", 'invalid --jq filter: Top-level program not given (try ".")'],
  ])("%j is refused before anything is sent", async (jq, message) => {
    const error = await failure(checkChoice({ form: "json", jq, color: "auto" }));
    expect(error).toBeInstanceOf(Usage);
    expect(error).toMatchObject({ exitCode: 2, message });
  });

  test("fails a read with 2 and prints nothing, jq's words made safe", async () => {
    const world = place();
    const error = await failure(
      print(listing, { form: "json", jq: ".[] | .user_id, .full_name.x", color: "auto" }, world),
    );
    expect(error).toMatchObject({
      exitCode: 2,
      message: '--jq: the filter failed: Cannot index string with string "x"',
    });
    expect(world.stdout.writes).toEqual([]);
    await expect(filtered('"\\u001b[31mred\\u202e"', "error(.)")).rejects.toMatchObject({
      message: "--jq: the filter failed: red",
    });
  });

  test("never claims that a change was not made", async () => {
    const change = { kind: "change" as const, sentence: "Created folder 7.", answer: { id: 7 }, ids: [7] };
    const error = await failure(print(change, { form: "json", jq: ".id.x", color: "auto" }, place()));
    expect(error).toBeInstanceOf(Partial);
    expect(error).toMatchObject({
      exitCode: 5,
      message:
        'The change was made, but the result could not be printed: --jq: the filter failed: Cannot index number with string "x"',
      details: { more: { answer: { id: 7 } } },
    });
    const outcomes = [{ operation: "attachment.rm", target: "1", outcome: "refused" }];
    const changes = { kind: "changes" as const, sentences: [], outcomes, ids: [] };
    await expect(print(changes, { form: "json", jq: ".x", color: "auto" }, place())).rejects.toMatchObject({
      exitCode: 5,
      details: { more: { outcomes } },
    });
  });
});

describe("a filter that runs for ever", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("is ended by %s, and the next filter works", async (signal) => {
    const stop = new AbortController();
    const signals = { stop: stop.signal, underway: 0, computing: <T>(work: () => T) => work() };
    const running = filtered("1", "last(repeat(.))", { signals });
    setImmediate(() => stop.abort(new Interrupted(signal)));
    const error = await failure(running);
    expect(error).toBeInstanceOf(Cancelled);
    expect(error).toMatchObject({ exitCode: signal === "SIGINT" ? 130 : 143 });
    expect(await filtered("1", ".+1")).toEqual({ results: ["2"], words: "" });
  });
});
