/** What a command waits for is told while it waits, and nothing of it stays. */

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { answer, hostile, refusal, success } from "../binary/hostile-server.ts";
import { environment, zulipctl } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { freePort } from "../node/peer.ts";
import { left, note, terminal } from "./terminal.ts";

const list = ["folder", "list", "-o", "ids"];
const folders = success({
  channel_folders: [
    {
      id: 7,
      name: "Projects",
      description: "",
      rendered_description: "",
      is_archived: false,
      order: 1,
      creator_id: 1,
      date_created: 1,
    },
  ],
});

/** What stands on the screen at the end: every status line was taken back. */
function remains(screen: string): string[] {
  const lines = screen.split("\n").map((line) => line.replace(/\r$/, ""));
  // A line begins anew where it is erased.
  return lines.map((line) => line.split(/\r\x1b\[K/).at(-1)!).filter((line) => line !== "");
}

const host = (site: string) => new URL(site).host;

describe.skipIf(left)(`in a terminal${note}`, () => {
  test("429: the seconds that are left, and nothing of it afterwards", async () => {
    const { env, site } = await hostile((socket, nth) =>
      socket.write(nth === 1 ? refusal(429, "RATE_LIMIT_HIT", { "retry-after": 3 }) : folders),
    );
    const screen = terminal(list, { env });
    await screen.sees(`zulipctl: ${host(site)} refuses more requests for now (429); trying again in 3 s`);
    await screen.sees("trying again in 2 s");
    await screen.sees("trying again in 1 s");
    expect(await screen.ends()).toBe(0);
    expect(remains(screen.screen)).toEqual(["7"]);
    // Short enough for the terminal, or it could not be taken back.
    for (const line of screen.screen.split(/\r|\n/)) expect(line.replace("\x1b[K", "").length).toBeLessThan(100);
  });

  test("a server that hangs: until when it is awaited, then the error alone", async () => {
    const { env } = await hostile(() => {});
    const screen = terminal([...list, "--timeout", "3"], { env, columns: 40 });
    await screen.sees("zulipctl: waiting");
    expect(await screen.ends()).toBe(4);
    expect(remains(screen.screen)).toEqual([
      expect.stringMatching(/zulipctl:.* no answer from .*: timed out after 3 seconds/),
    ]);
  });

  test("a refused connection: why, and when it is tried again", async () => {
    const port = await freePort();
    const screen = terminal(list, {
      env: { ZULIP_SITE: `http://127.0.0.1:${port}`, ZULIP_EMAIL: "a@b.example", ZULIP_API_KEY: "a".repeat(32) },
    });
    await screen.sees(`zulipctl: no answer from 127.0.0.1:${port}: it refused the connection; trying again in `);
    expect(await screen.ends()).toBe(4);
    expect(remains(screen.screen)).toHaveLength(1);
  });

  test("Ctrl-C leaves the message alone on the screen", async () => {
    const { env } = await hostile((socket) => socket.write(refusal(429, "RATE_LIMIT_HIT", { "retry-after": 60 })));
    const screen = terminal(list, { env });
    await screen.sees("trying again in ");
    screen.types("\x03");
    expect(await screen.ends()).toBe(130);
    expect(remains(screen.screen).map((line) => line.replace(/\x1b\[[0-9;]*m/g, ""))).toEqual(
      ["^C", "zulipctl: interrupted while waiting"].slice(screen.screen.includes("^C\r\n") ? 0 : 1),
    );
  });

  test("--verbose, whose lines go between, and records that arrive meanwhile stand on lines of their own", async () => {
    const { env } = await hostile((socket, nth) => {
      if (nth === 1) return socket.write(refusal(429, "RATE_LIMIT_HIT", { "retry-after": 1.3 }));
      const text = '{"result":"success","msg":"","members":[';
      const user = (id: number) =>
        JSON.stringify({
          user_id: id,
          full_name: "Ada",
          email: "ada@chat.example",
          role: 400,
          is_active: true,
          is_bot: false,
        });
      socket.write(`HTTP/1.1 200 X\r\nconnection: close\r\n\r\n${text}${user(1)},${user(2)},`);
      return setTimeout(() => socket.end(`${user(3)}]}`), 2500);
    });
    const screen = terminal(["users", "list", "-o", "ids", "-v"], { env });
    await screen.sees("receiving the answer of");
    expect(await screen.ends()).toBe(0);
    const lines = remains(screen.screen);
    expect(lines.filter((line) => /^\d$/.test(line))).toEqual(["1", "2", "3"]);
    expect(lines.filter((line) => !/^(\d|[<>] .*)$/.test(line))).toEqual([]);
  });

  test("a question has the line to itself", async () => {
    const { env } = await hostile((socket, _, request) =>
      setTimeout(
        () =>
          socket.write(
            request.startsWith("GET") ? success({ streams: [{ stream_id: 2, name: "general" }] }) : success(),
          ),
        1500,
      ),
    );
    const screen = terminal(["channel", "update", "general", "--no-private", "--feature-level", "442"], { env });
    await screen.sees("waiting for");
    await screen.sees("[y/N]");
    const asked = screen.screen.length;
    await pause(1500);
    expect(screen.screen.slice(asked)).not.toContain("waiting for");
    screen.types("y\r");
    await screen.sees("waiting for");
    await screen.sees('Updated channel "general": is_private set to false.');
    expect(await screen.ends()).toBe(0);
    expect(remains(screen.screen).at(-1)).toBe('Updated channel "general": is_private set to false.');
  });

  test("a command that prints the key, over a second", async () => {
    const { site } = await hostile((socket) => socket.write(folders));
    const home = directory();
    const command = join(home, "slow-key");
    writeFileSync(command, `#!/bin/sh\nsleep 2\necho ${"a".repeat(32)}\n`);
    chmodSync(command, 0o700);
    const config = directory();
    const profile = { site, email: "a@b.example", store: "command", key_command: [command] };
    writeFileSync(join(config, "config.json"), JSON.stringify({ current: "work", profiles: { work: profile } }), {
      mode: 0o600,
    });
    const screen = terminal(list, { env: { ...environment(home), ZULIPCTL_CONFIG_DIR: config }, columns: 200 });
    await screen.sees(`zulipctl: waiting for the command ${command}; giving up in `);
    expect(await screen.ends()).toBe(0);
    expect(remains(screen.screen)).toEqual(["7"]);
  });

  test.each([
    ["--quiet", [...list, "--quiet"], {}, []],
    ["TERM=dumb", list, { TERM: "dumb" }, [/^zulipctl: .* \(429\); trying again in [12] s$/]],
  ])("%s: no escape sequence", async (_, argv, more, told) => {
    const { env } = await hostile((socket, nth) =>
      socket.write(nth === 1 ? refusal(429, "RATE_LIMIT_HIT", { "retry-after": 2.5 }) : folders),
    );
    const screen = terminal(argv, { env: { ...env, ...more } });
    expect(await screen.ends()).toBe(0);
    expect(screen.screen).not.toContain("\x1b");
    expect(remains(screen.screen)).toEqual([...told.map((line) => expect.stringMatching(line)), "7"]);
  });
});

describe("without a terminal", () => {
  test("a wait of over ten seconds is one line at its start; a shorter one is none", async () => {
    for (const [seconds, told] of [
      [12, true],
      [2, false],
    ] as const) {
      const { env, site } = await hostile((socket, nth) =>
        socket.write(nth === 1 ? answer(429, { result: "error", msg: "No.", "retry-after": seconds }) : folders),
      );
      const { err, out, code } = await zulipctl(list, { env: { ...environment(), ...env } });
      expect({ code, out }).toEqual({ code: 0, out: "7\n" });
      expect(err).toBe(
        told ? `zulipctl: ${host(site)} refuses more requests for now (429); trying again in 13 s\n` : "",
      );
    }
  }, 30_000);

  test("a server that hangs is told after ten seconds", async () => {
    const { env: given, site } = await hostile(() => {});
    const env = { ...environment(), ...given };
    const { err, code } = await zulipctl([...list, "--timeout", "12"], { env });
    expect(code).toBe(4);
    expect(err).toBe(
      `zulipctl: waiting for ${host(site)}; giving up in 2 s\n` +
        `zulipctl: no answer from ${host(site)}: timed out after 12 seconds\n`,
    );
  }, 30_000);
});
