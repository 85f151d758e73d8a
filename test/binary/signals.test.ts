/** Ctrl-C and SIGTERM while the built program waits for a server, for a limit to pass, or for its own input. */
import { expect, test } from "vitest";
import { answer, hostile, refusal, type Says, success } from "./hostile-server.ts";
import { environment, startZulipctl } from "./program.ts";

function start(argv: string[], env: Record<string, string>) {
  const { child, says, ended } = startZulipctl(argv, { env: { ...environment(), ...env }, input: null });
  return {
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    says,
    ended: ended.then(({ code, out, err }) => ({ code, out, err })),
  };
}

const list = ["users", "list"];
// The change is the only request.
const update = ["channel", "update", "7", "--description", "x", "--feature-level", "442", "--no-record"];
const silence: Says = () => {};
const path = "/api/v1/streams/7";

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends a read that waits for its answer at once, with %i", async (signal, code) => {
  const server = await hostile(silence);
  const run = start(list, server.env);
  await server.came(1);
  run.kill(signal);
  expect(await run.ended).toEqual({ code, out: "", err: "zulipctl: interrupted\n" });
});

test.each([
  ["a read", list, "GET", undefined],
  ["a change", update, "PATCH", "not_applied"],
] as const)("a signal ends the wait of %s for the rate limit at once", async (_, argv, method, outcome) => {
  const server = await hostile((socket) => socket.write(refusal(429, "RATE_LIMIT_HIT", { "retry-after": 60 })));
  const run = start([...argv, "-o", "json", "--verbose"], server.env);
  await run.says("< 429");
  run.kill("SIGINT");
  const { code, out, err } = await run.ended;
  expect({ code, out, error: JSON.parse(err.trim().split("\n").at(-1)!).error }).toEqual({
    code: 130,
    out: "",
    error: {
      exit_code: 130,
      kind: "cancelled",
      message: "interrupted while waiting",
      request: { method, path: method === "GET" ? "/api/v1/users" : path },
      outcome,
    },
  });
  expect(server.asked).toHaveLength(1);
});

test.each([
  ["done", success(), 0, 'Updated channel 7: description set to "x".\n', ""],
  ["refused", refusal(400, "BAD_REQUEST"), 1, "", "zulipctl: No.\n"],
  ["not accepted", refusal(401, "UNAUTHORIZED"), 3, "", /^zulipctl: No\.\n/],
  ["in conflict", refusal(400, "EXPECTATION_MISMATCH"), 6, "", "zulipctl: No.\n"],
  ["not understood", answer(200, "<p>Hello"), 7, "", /may or may not have been applied/],
] as const)("a change on its way is awaited and told as what it is: %s", async (_, text, code, out, err) => {
  const run: ReturnType<typeof start> = start(update, (await hostile((socket) => later(() => socket.write(text)))).env);
  const later = (work: () => void) => {
    run.kill("SIGINT");
    setTimeout(work, 300);
  };
  const ended = await run.ended;
  expect({ code: ended.code, out: ended.out }).toEqual({ code, out });
  if (typeof err === "string") expect(ended.err).toBe(err);
  else expect(ended.err).toMatch(err);
});

test("reports a change as unknown if no answer comes within two seconds", async () => {
  const server = await hostile(silence);
  const run = start([...update, "-o", "json"], server.env);
  await server.came(1);
  run.kill("SIGTERM");
  const began = performance.now();
  const { code, out, err } = await run.ended;
  expect({ code, out }).toEqual({ code: 7, out: "" });
  expect(JSON.parse(err).error).toMatchObject({
    kind: "unknown",
    outcome: "unknown",
    request: { method: "PATCH", path },
  });
  expect(JSON.parse(err).error.hint).toBe("Check with: zulipctl channel show 7");
  expect(performance.now() - began).toBeGreaterThan(1900);
  expect(server.asked).toEqual([`PATCH ${path}`]);
});

test("a second signal ends it at once, as unknown", async () => {
  const server = await hostile(silence);
  const run = start(update, server.env);
  await server.came(1);
  run.kill("SIGINT");
  setTimeout(() => run.kill("SIGINT"), 200);
  expect(await run.ended).toEqual({
    code: 7,
    out: "",
    err: "zulipctl: stopped while sending a change, which may or may not have been applied\n",
  });
});

test("begins no change after the signal, and reports each change", async () => {
  const server: { env: Record<string, string>; asked: string[] } = await hostile((socket) => {
    run.kill("SIGINT");
    setTimeout(() => socket.write(success()), 300);
  });
  const run = start(["attachment", "rm", "3", "4", "5", "--yes", "-o", "json"], server.env);
  const { code, out, err } = await run.ended;
  expect(JSON.parse(out).map(({ target, outcome }: Record<string, string>) => `${target} ${outcome}`)).toEqual([
    "3 done",
    "4 not_sent",
    "5 not_sent",
  ]);
  expect(code).toBe(5);
  expect(JSON.parse(err).error).toMatchObject({ kind: "partial", done: 1, not_sent: 2 });
  expect(server.asked).toEqual(["DELETE /api/v1/attachments/3"]);
});

test.each([
  ["ids", ["attachment", "rm", "-", "--yes"]],
  ["drafts", ["drafts", "add", "--from", "-"]],
  ["a description", ["folder", "create", "x", "--description", "-"]],
])("a signal ends the wait for %s on stdin, and nothing is sent", async (_, argv) => {
  const server = await hostile((socket) => socket.write(success()));
  const run = start(argv, server.env);
  // A test cannot see when it begins to read. An earlier signal ends the process directly.
  setTimeout(() => run.kill("SIGINT"), 700);
  const { code, err } = await run.ended;
  expect([130, null]).toContain(code);
  if (code) expect(err).toBe("zulipctl: interrupted while reading stdin\n");
  expect(server.asked).toEqual([]);
});
