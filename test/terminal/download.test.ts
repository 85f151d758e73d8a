/** What a download and a wait for an export show while they last, and that nothing of it stays. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hostile, success } from "../binary/hostile-server.ts";
import { directory } from "../node/directory.ts";
import { left, note, plain, terminal } from "./terminal.ts";

/** A server with one export of so many bytes, a tenth of which comes every 300 milliseconds. */
const slow = (total: number) =>
  hostile((socket, _, request) => {
    const link = `http://${/^host: (\S+)/im.exec(request)![1]}/x/all.tar.gz`;
    const record = { id: 7, acting_user_id: 1, export_time: 1, pending: false, export_url: link };
    if (request.startsWith("GET /api/v1/export/realm ")) return socket.write(success({ exports: [record] }));
    socket.write(`HTTP/1.1 200 X\r\ncontent-length: ${total}\r\n\r\n`);
    let sent = 0;
    const next = () => {
      socket.write("x".repeat(total / 10));
      sent += total / 10;
      if (sent < total) setTimeout(next, 300);
    };
    return next();
  });

describe.skipIf(left)(`in a terminal${note}`, () => {
  test.each([80, 40])("a download of %i columns: how far it is, and the sentence alone afterwards", async (columns) => {
    const { env } = await slow(1_000_000);
    const into = join(directory(), "all.tar.gz");
    const screen = terminal(["export", "download", "7", "--to", into], { env, columns });
    await screen.sees("% | ");
    if (columns === 80) await screen.sees(" of 976.6 KiB | ");
    await screen.sees("left");
    expect(await screen.ends()).toBe(0);
    for (const line of screen.screen.split(/\r\x1b\[K|\r?\n/).slice(0, -2)) expect(line.length).toBeLessThan(columns);
    expect(screen.screen.split("\x1b[K").at(-1)!.replace(/\s+/g, "")).toBe(
      `Export7savedas${into}(976.6KiB).`.replace(/\s+/g, ""),
    );
  });

  test("Ctrl-C leaves neither file nor bar", async () => {
    const { env } = await slow(1_000_000);
    const place = directory();
    const screen = terminal(["export", "download", "7", "--to", place], { env });
    await screen.sees("% | ");
    screen.types("\x03");
    expect(await screen.ends()).toBe(130);
    expect(readdirSync(place)).toEqual([]);
    expect(plain(screen.screen.split("\x1b[K").at(-1)!)).toContain("zulipctl: interrupted");
  });
});
