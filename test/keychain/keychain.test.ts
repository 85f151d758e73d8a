import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Cancelled, Interrupted } from "../../src/errors.ts";
import { keychain } from "../../src/node/keychain.ts";
import { Secret } from "../../src/world/world.ts";
import { directory } from "../node/directory.ts";
import { bus, describeKeychain } from "./bus.ts";

const never = new AbortController().signal;
const secret = new Secret('k"ey\nwith ü and \\');

const unavailable = {
  why: "missing",
  message: "no keychain available on this machine",
  detail: expect.stringMatching(/./),
};

const why = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    ({ why, message, detail }) => ({ why, message, ...(detail !== undefined && { detail }) }),
  );

describeKeychain("the keychain of the desktop", () => {
  test("other processes read, replace and remove a key", async () => {
    const keys = keychain((await bus(directory(), "unlocked")).env, never);
    expect(await keys.get("work")).toBeUndefined();
    await keys.set("work", secret);
    expect((await keys.get("work"))?.reveal()).toBe(secret.reveal());
    expect(await keys.get("other")).toBeUndefined();
    await keys.set("work", new Secret("second"));
    expect((await keys.get("work"))?.reveal()).toBe("second");
    expect(await keys.forget("work")).toBe(true);
    expect(await keys.forget("work")).toBe(false);
    expect(await keys.get("work")).toBeUndefined();
  });

  test("a key is still there in the next session", async () => {
    const home = directory();
    const first = await bus(home, "unlocked");
    await keychain(first.env, never).set("work", secret);
    await first.end();
    const second = await bus(home, "unlocked");
    expect((await keychain(second.env, never).get("work"))?.reveal()).toBe(secret.reveal());
  });

  test("reports a locked keyring, unlike a missing key", async () => {
    const home = directory();
    const first = await bus(home, "unlocked");
    await keychain(first.env, never).set("work", secret);
    await first.end();
    const locked = keychain((await bus(home, "locked")).env, never);
    const message = "the keychain is locked (Secret Service: unlock prompt was dismissed)";
    const failure = { why: "locked", message };
    expect(await why(locked.get("work"))).toEqual(failure);
    expect(await why(locked.set("work", secret))).toEqual(failure);
    expect(await why(locked.forget("work"))).toEqual(failure);
  });

  test("reports a bus without a keychain", async () => {
    expect(await why(keychain((await bus(directory(), "none")).env, never).get("work"))).toEqual(unavailable);
  });
});

describe.skipIf(process.platform !== "linux")("without a session bus", () => {
  const home = () => ({ PATH: process.env.PATH, HOME: directory() });

  test.each([
    ["without an address", {}],
    ["with an address that nobody listens to", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" }],
  ])("reports that there is no keychain %s", async (_, env) => {
    expect(await why(keychain({ ...home(), ...env }, never).set("work", secret))).toEqual(unavailable);
  });

  /** Listens on a socket, and never answers. */
  async function silentBus(onConnection = () => {}) {
    const path = join(directory(), "bus");
    const server = createServer((socket) => {
      socket.resume().on("error", () => {});
      onConnection();
    }).listen(path);
    onTestFinished(() => void server.close());
    await once(server, "listening");
    return { ...home(), DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` };
  }

  test("gives up on a bus that never answers after the time limit", async () => {
    expect(await why(keychain(await silentBus(), never, 500).get("work"))).toEqual({
      why: "silent",
      message: "the keychain did not answer within 0.5 seconds",
    });
  });

  test("a signal ends a call that hangs", async () => {
    const controller = new AbortController();
    const env = await silentBus(() => controller.abort(new Interrupted("SIGINT")));
    await expect(keychain(env, controller.signal).get("work")).rejects.toBeInstanceOf(Cancelled);
  });
});
