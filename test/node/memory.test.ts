/** A batch of many changes needs no more memory for each request that is over. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../src/node/http.ts";
import { ok, plainPeer } from "./peer.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

test("the connections of changes are not kept", async () => {
  const peer = await plainPeer((socket) => socket.write(ok("{}")));
  const sockets: WeakRef<object>[] = [];
  const note = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    sockets.push(new WeakRef(socket));
  };
  subscribe("net.client.socket", note);
  onTestFinished(() => void unsubscribe("net.client.socket", note));
  const connection = await connect({}, {});
  onTestFinished(() => connection.close());
  const count = 50;
  for (let n = 0; n < count; n++) {
    const url = `http://127.0.0.1:${peer.port}/`;
    const { body } = await connection.request({ method: "POST", url, headers: {}, body: "a=1", timeout: 5000 });
    for await (const _ of body);
  }
  await wait(100);
  collectGarbage();
  expect(sockets).toHaveLength(count);
  expect(sockets.filter((one) => one.deref()).length).toBeLessThan(count / 5);
});
