/** Unsolicited answers at any time of a connection. None counts as the answer to a change. */
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/node/http.ts";
import { type HttpRequest, NoAnswer } from "../../src/world/world.ts";
import { ok, pem, plainPeer } from "./peer.ts";

const read = { method: "GET", body: undefined } as const;
const change = { method: "POST", body: "a=1" } as const;

async function asking(env: Record<string, string> = {}) {
  const connection = await connect({ ca: pem("ca.pem") }, env);
  onTestFinished(() => connection.close());
  return async (url: string, { method, body }: { method: HttpRequest["method"]; body: string | undefined }) => {
    try {
      const answer = await connection.request({ method, body, url, headers: {}, timeout: 5000 });
      let text = "";
      for await (const chunk of answer.body) text += Buffer.from(chunk).toString();
      return text;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { why: error.why, left: error.maybeSent };
    }
  };
}

const method = (request: string) => request.split(" ")[0];
const bodyIn = (request: string) => request.split("\r\n\r\n")[1]!;
const moments = [0, 1, 2, 3, 5, 8, 13, 21, 34];

test.each(["end", "resetAndDestroy"] as const)(
  "sends no change twice where the server gives connections up by itself: %s",
  async (givesUp) => {
    const peer = await plainPeer((socket, request, nth) => {
      socket.write(ok(bodyIn(request)));
      const late = moments[nth % moments.length]!;
      if (late) setTimeout(() => socket[givesUp](), late).unref();
      else setImmediate(() => socket[givesUp]());
    });
    const ask = await asking();
    for (let n = 0; n < 40; n++) {
      const told = await ask(`http://127.0.0.1:${peer.port}/`, { method: "PATCH", body: `n=${n}` });
      expect([`n=${n}`, { why: "reset", left: true }, { why: "broken", left: true }]).toContainEqual(told);
    }
    expect(new Set(peer.requests).size).toBe(peer.requests.length);
  },
);

test("a change through a proxy has its own tunnel", async () => {
  const { connect: tcp } = await import("node:net");
  const far = await plainPeer((socket, request) => {
    if (method(request) === "GET") {
      socket.write(ok("read"));
      setTimeout(() => socket.writable && socket.write(ok("extra")), 3).unref();
    } else setTimeout(() => socket.writable && socket.write(ok("change")), 20);
  });
  const proxy = await plainPeer((socket, request) => {
    if (method(request) !== "CONNECT") return;
    socket.removeAllListeners("data");
    const through = tcp(far.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      through.pipe(socket).pipe(through);
    });
    for (const end of [through, socket])
      end
        .on("error", () => {})
        .on("close", () => {
          through.destroy();
          socket.destroy();
        });
  });
  for (const idle of [0, 3, 30]) {
    const ask = await asking({ http_proxy: `http://127.0.0.1:${proxy.port}` });
    expect(await ask("http://chat.example/", read)).toBe("read");
    await pause(idle);
    expect(await ask("http://chat.example/", change)).toBe("change");
  }
});
