/** What a command waits for is told while it waits, and nothing of it stays. */

import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { answer, hostile, refusal, success } from "../binary/hostile-server.ts";
import { environment, zulipctl } from "../binary/program.ts";
import { left, note, terminal } from "./terminal.ts";

const list = ["folder", "list", "-o", "ids"];
const folder = { name: "Projects", description: "", rendered_description: "", is_archived: false, order: 1 };
const folders = success({ channel_folders: [{ ...folder, id: 7, creator_id: 1, date_created: 1 }] });

/** What stands on the screen at the end: every status line was taken back. */
function remains(screen: string): string[] {
  const lines = screen.split("\n").map((line) => line.replace(/\r$/, ""));
  // A line begins anew where it is erased.
  return lines.map((line) => line.split(/\r\x1b\[K/).at(-1)!).filter((line) => line !== "");
}

const host = (site: string) => new URL(site).host;

describe.skipIf(left)(`in a terminal${note}`, () => {
  test("--verbose, whose lines go between, and records that arrive meanwhile stand on lines of their own", async () => {
    const { env } = await hostile((socket, nth) => {
      if (nth === 1) return socket.write(refusal(429, "RATE_LIMIT_HIT", { "retry-after": 1.3 }));
      const text = '{"result":"success","msg":"","members":[';
      const ada = { full_name: "Ada", email: "ada@chat.example", role: 400, is_active: true, is_bot: false };
      const user = (user_id: number) => JSON.stringify({ user_id, ...ada });
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
});
