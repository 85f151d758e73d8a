/** The built program with streams that cannot be written or read. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hostile, success } from "./hostile-server.ts";
import { commandLine, environment, run, serving } from "./program.ts";

/** Runs a shell command line with `zulipctl`. The line prints the exit code itself. */
const shell = (line: string, env: Record<string, string>) =>
  run(["sh", "-c", `zulipctl() { ${commandLine} "$@"; }; ${line}`], {
    env: { ...environment(), ...env },
  });

const full = "ENOSPC: no space left on device, write";

describe.skipIf(!existsSync("/dev/full"))("a disk that is full", () => {
  test.each([
    "users list",
    "users list -o ndjson",
    "users list --jq .[].user_id",
    "folder create x -n",
    "--help",
    "--version",
  ])("ends `%s`, which changes nothing, with 4", async (line) => {
    const { env } = await serving();
    const { code, err } = await shell(`zulipctl ${line} > /dev/full`, env);
    const message = `cannot write the result to stdout: ${full}`;
    expect(code).toBe(4);
    expect(/-o json|--jq/.test(line) ? JSON.parse(err).error.message : err.slice("zulipctl: ".length, -1)).toBe(
      message,
    );
  });

  test.each(["", "-o json"])("reports a change that was done: %s", async (form) => {
    const { env, sandbox } = await serving();
    const before = sandbox.state.folders.size;
    const { code, err } = await shell(`zulipctl folder create x ${form} > /dev/full`, env);
    expect(code).toBe(5);
    expect(err).toContain(`The change was made, but the result could not be printed: ${full}`);
    expect(sandbox.state.folders.size).toBe(before + 1);
  });

  test("on stderr does not change the result and the exit code", async () => {
    const { env } = await serving();
    expect(await shell("zulipctl folder list -o ids --verbose 2> /dev/full", env)).toMatchObject({
      code: 0,
      out: "1\n",
    });
    expect(await shell("zulipctl folder lsit 2> /dev/full", env)).toMatchObject({ code: 2, out: "" });
  });
});

test.each([
  ["stdout", "zulipctl folder create x >&-", 0, 1],
  ["stderr", "zulipctl folder create x -v 2>&-", 0, 1],
  ["everything", "zulipctl folder create x <&- >&- 2>&-", 0, 1],
  ["stderr of what is wrong", "zulipctl folder create 2>&-", 2, 0],
  ["stdout of a read", "zulipctl users list >&-", 0, 0],
])("closed: %s", async (_, line, code, made) => {
  const { env, sandbox } = await serving();
  const before = sandbox.state.folders.size;
  expect((await shell(line, env)).code).toBe(code);
  expect(sandbox.state.folders.size - before).toBe(made);
});

test.each(["| true", ">&-", "> /dev/null", "> /dev/full"])(
  "a new key that is not written is a failure: %s",
  async (end) => {
    const { env, sandbox } = await serving();
    const line = `zulipctl bots rotate-key 14 --print --yes; echo "ended $?" >&2`;
    const { err } = await shell(end === "| true" ? `{ sleep 0.2; ${line}; } | true` : `{ ${line}; } ${end}`, env);
    expect(err).toContain("Replaced the API key of bot 14. But its key could not be written to stdout: ");
    expect(err).toContain("Get a new key with: zulipctl bots rotate-key 14 --print\nended 5\n");
    expect(err).not.toContain(sandbox.state.users.get(14)!.api_key);
  },
);

test("changes continue if nobody reads the output", async () => {
  const server = await hostile((socket) => socket.write(success()));
  await shell("zulipctl attachment rm 3 4 5 --yes -o ndjson | true", server.env);
  await server.came(3);
  expect(server.asked).toEqual([3, 4, 5].map((id) => `DELETE /api/v1/attachments/${id}`));
});

test.each(["table", "json", "ndjson"])("exits quietly when the reader closes the pipe: %s", async (form) => {
  const { env } = await serving({ users: 3000 });
  const { out, err } = await shell(
    `{ zulipctl users list -o ${form}; echo "ended $?" >&2; } | head -c 10 > /dev/null`,
    env,
  );
  expect({ out, err }).toEqual({ out: "", err: "ended 0\n" });
});

test.each(["--version", "--help"])("%s is quiet in a closed pipe", async (flag) => {
  const { err } = await shell(`{ sleep 0.2; zulipctl ${flag}; echo "ended $?" >&2; } | true`, {});
  expect(err).toBe("ended 0\n");
});
