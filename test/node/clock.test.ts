import { expect, test } from "vitest";
import { clock } from "../../src/node/clock.ts";

test("a sleep ends after its time", async () => {
  const before = clock.monotonic();
  await clock.sleep(20);
  expect(clock.monotonic() - before).toBeGreaterThan(18);
});

test("a sleep longer than the limit of Node's timers does not end at once", async () => {
  const controller = new AbortController();
  const slept = clock.sleep(2 ** 32, controller.signal).then(
    () => "slept",
    () => "stopped",
  );
  await clock.sleep(5);
  controller.abort();
  expect(await slept).toBe("stopped");
});

test("a sleep rejects with the reason of its signal, even if it was aborted before", async () => {
  const controller = new AbortController();
  const slept = clock.sleep(60_000, controller.signal);
  controller.abort("enough");
  await expect(slept).rejects.toBe("enough");
  await expect(clock.sleep(60_000, controller.signal)).rejects.toBe("enough");
});
