/** Answers of millions of tiny values. */
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { hostile } from "./hostile-server.ts";
import { environment, zulipctl } from "./program.ts";

const unit = Buffer.from("{},".repeat(20_000));
const size = 100 * 1024 * 1024;

/** Sends an answer with a hundred megabytes of `{},` between the two texts. */
function flood(socket: Socket, before: string, after: string): void {
  socket.write(`HTTP/1.1 200 X\r\nconnection: close\r\n\r\n{"result":"success","msg":"",${before}`);
  let sent = 0;
  const more = () => {
    while (sent < size && !socket.destroyed) {
      sent += unit.length;
      if (!socket.write(unit)) {
        socket.once("drain", more);
        return;
      }
    }
    socket.end(`{}]${after}`);
  };
  more();
}

describe("refuses a hundred megabytes of {}, in little memory and time:", () => {
  test.each([
    ["before the list", ["users", "list", "-o", "ids"], '"junk":[', ',"members":[]}'],
    ["after the list", ["users", "list", "-o", "json"], '"members":[],"junk":[', "}"],
    ["in a record that arrives", ["users", "list", "-o", "ids"], '"members":[{"user_id":1,"x":[', "}]}"],
    ["in a record of a whole list", ["linkifier", "list", "-o", "json"], '"linkifiers":[{"id":1,"x":[', "}]}"],
    ["in an answer without a list", ["server", "info", "-o", "json"], '"zulip_version":"1","x":[', "}"],
    ["in the answer to a change", ["attachment", "rm", "3", "--yes", "-o", "json"], '"x":[', "}"],
  ])(
    "%s",
    async (_, argv, before, after) => {
      const { env } = await hostile((socket) => flood(socket, before, after));
      const roomy = { ...environment(), ...env, NODE_OPTIONS: "--max-old-space-size=512" };
      const { code, err } = await zulipctl(argv, { env: roomy });
      expect(err).toContain("answered 200 with an answer that is too large");
      expect(code).toBe(argv.includes("rm") ? 7 : 4);
    },
    60_000,
  );
});
