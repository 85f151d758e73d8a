import type { Dispatcher } from "undici";
import { expect, test } from "vitest";
import { Exchange } from "../../src/node/exchange.ts";

/** Records what undici is asked to do. */
function controller() {
  const done: string[] = [];
  const made = {
    done,
    paused: false,
    pause: () => {
      made.paused = true;
      done.push("pause");
    },
    resume: () => {
      made.paused = false;
      done.push("resume");
    },
    abort: () => void done.push("abort"),
  };
  return made as typeof made & Dispatcher.DispatchController;
}

const exchange = (timeout: number) =>
  new Exchange({ method: "POST", url: "http://127.0.0.1:1/", headers: {}, timeout });

test("sends nothing if `leaves` throws, and rejects with its error", async () => {
  const leaves = () => {
    throw new Error("not yours");
  };
  const asked = new Exchange({
    method: "POST",
    url: "http://127.0.0.1:1/",
    headers: {},
    timeout: 5000,
    beforeSend: leaves,
  });
  const kept = controller();
  asked.onRequestStart(kept);
  expect(kept.done).toEqual(["abort"]);
  await expect(asked.answer).rejects.toThrow("not yours");
});

/** Reads so many bytes. Node 26 yields each part, older versions all that has arrived. */
async function take(body: AsyncIterator<Uint8Array>, bytes: number) {
  for (let length = 0; length < bytes; ) length += (await body.next()).value.length;
}

const why = (promise: Promise<unknown>) => promise.catch(({ why, maybeSent }) => ({ why, left: maybeSent }));

test("does not let undici write a request twice", () => {
  const asked = exchange(5000);
  const [first, second] = [controller(), controller()];
  asked.onRequestStart(first);
  asked.onRequestStart(second);
  expect([first.done, second.done]).toEqual([[], ["abort"]]);
  asked.onResponseEnd();
});

test("a slow reader slows the sender, and does not use up the timeout", async () => {
  const asked = exchange(20);
  const flow = controller();
  asked.onRequestStart(flow);
  asked.onResponseStart(flow, 200, {});
  for (let n = 0; n < 4; n += 1) asked.onResponseData(flow, new Uint8Array(64 * 1024));
  expect(flow.done).toEqual(["pause"]);
  await why(exchange(60).answer);
  const body = (await asked.answer).body[Symbol.asyncIterator]();
  await take(body, 256 * 1024);
  expect(flow.done).toEqual(["pause", "resume"]);
  expect(await why(body.next())).toEqual({ why: "timeout", left: true });
});

test("does not pause after the last byte of an answer", async () => {
  const asked = exchange(5000);
  const flow = controller();
  asked.onRequestStart(flow);
  asked.onResponseStart(flow, 200, { "content-length": String(512 * 1024) });
  asked.onResponseData(flow, new Uint8Array(256 * 1024));
  expect(flow.done).toEqual(["pause"]);
  asked.onResponseData(flow, new Uint8Array(256 * 1024));
  expect(flow.done).toEqual(["pause"]);
  asked.onResponseEnd();
});

test("with `patient`, the timeout starts again with each part and each read", async () => {
  const asked = new Exchange({
    method: "GET",
    url: "http://127.0.0.1:1/",
    headers: {},
    timeout: 500,
    limitsSilence: true,
  });
  const flow = controller();
  asked.onRequestStart(flow);
  asked.onResponseStart(flow, 200, {});
  const body = (await asked.answer).body[Symbol.asyncIterator]();
  const pause = (ms: number) => why(exchange(ms).answer);
  for (let n = 0; n < 4; n += 1) {
    await pause(300);
    asked.onResponseData(flow, new Uint8Array(64 * 1024));
  }
  expect(flow.done).toEqual(["pause"]);
  await pause(700);
  await take(body, 256 * 1024);
  expect(flow.done).toEqual(["pause", "resume"]);
  await pause(300);
  asked.onResponseData(flow, new Uint8Array(3));
  expect((await body.next()).value.length).toBe(3);
  const began = performance.now();
  expect(await why(body.next())).toEqual({ why: "timeout", left: true });
  expect(performance.now() - began).toBeGreaterThan(300);
});
