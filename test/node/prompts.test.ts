import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { Cancelled, Interrupted } from "../../src/errors.ts";
import { prompts } from "../../src/node/prompts.ts";

/** A terminal where `keys` are pressed when the question appears. */
function terminal(keys: string, term?: string, columns?: number) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), columns !== undefined && { columns });
  const controller = new AbortController();
  let shown = "";
  output.on("data", (chunk) => {
    const before = shown;
    shown += chunk;
    // The question is drawn first, and listens in the same turn of the event loop.
    if (!before.includes("Sure") && shown.includes("Sure")) setImmediate(() => input.write(keys));
  });
  return { ask: prompts(controller.signal, () => ({ input, output }), term), controller, shown: () => shown };
}

test.each([
  ["y\r", true],
  ["yes\r", true],
  ["n\r", false],
  ["\r", false],
])("a confirmation answered with %j is %s", async (keys, answer) => {
  expect(await terminal(keys).ask.confirm("Sure")).toBe(answer);
});

test("returns a password, and shows it nowhere", async () => {
  const { ask, shown } = terminal("hun\x14ter2\x14\r");
  const password = await ask.password("Sure");
  expect([password.reveal(), String(password)]).toEqual(["hunter2", "[secret]"]);
  expect(shown()).not.toMatch(/hun|ter2|\*/);
});

test.each(["confirm", "text", "password"] as const)("Ctrl-C at a question for a %s cancels", async (kind) => {
  await expect(terminal("\x03").ask[kind]("Sure")).rejects.toMatchObject({
    exitCode: 130,
    message: "canceled; nothing was sent",
  });
});

test("a signal ends a prompt", async () => {
  const { ask, controller } = terminal("");
  const asked = ask.confirm("Sure");
  controller.abort(new Interrupted("SIGTERM"));
  const error: unknown = await asked.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Cancelled);
  expect((error as Cancelled).exitCode).toBe(143);
});

describe("on a dumb terminal", () => {
  test.each([
    ["y\n", true],
    ["Yes\n", true],
    ["n\n", false],
    ["\n", false],
    ["yesterday\n", false],
  ])("a confirmation answered with %j is %s", async (keys, answer) => {
    const { ask, shown } = terminal(keys, "dumb");
    expect(await ask.confirm("Sure?")).toBe(answer);
    expect(shown()).toBe("Sure? [y/N] ");
  });

  test("wraps a question at blanks", async () => {
    const { ask, shown } = terminal("y\n", "dumb", 30);
    expect(await ask.confirm("Change can_remove_subscribers_group?\nSure?")).toBe(true);
    expect(shown()).toBe("Change\ncan_remove_subscribers_group?\nSure? [y/N] ");
  });

  test("prompts for a text and a password in plain lines", async () => {
    const text = terminal("ada@chat.example\n", "dumb");
    expect(await text.ask.text("Sure of the name")).toBe("ada@chat.example");
    expect(text.shown()).toBe("Sure of the name: ");
    const secret = terminal("hunx\x7fter2\r", "dumb");
    expect((await secret.ask.password("Sure of the password")).reveal()).toBe("hunter2");
    expect(secret.shown()).toBe("Sure of the password: \n");
  });

  test("Ctrl-C, the end of the input and a signal cancel", async () => {
    const cancelled = { exitCode: 130, message: "canceled; nothing was sent" };
    await expect(terminal("\x03", "dumb").ask.password("Sure")).rejects.toMatchObject(cancelled);
    await expect(terminal("\x04", "dumb").ask.password("Sure")).rejects.toMatchObject(cancelled);
    const { ask, controller, shown } = terminal("", "dumb");
    const asked = ask.confirm("Sure");
    setImmediate(() => controller.abort(new Interrupted("SIGTERM")));
    await expect(asked).rejects.toMatchObject({ exitCode: 143 });
    expect(shown()).toBe("Sure [y/N] \n");
  });
});
