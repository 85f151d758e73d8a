import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Cancelled, Interrupted } from "../../src/errors.ts";
import { keychain } from "../../src/node/keychain.ts";
import { Secret } from "../../src/world.ts";
import { directory } from "../node/directory.ts";
import { bus, lacking } from "./bus.ts";

const never = new AbortController().signal;
const secret = new Secret('k"ey\nwith ü and \\');

const why = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    ({ why, message }) => ({ why, message }),
  );

// In CI it must be there: a test that is left out there would be left out for ever.
const left = lacking.length > 0 && process.env.CI !== "true";
const note = left ? ` (NOT TESTED: needs ${lacking.join(", ")}; apt-get install dbus gnome-keyring)` : "";

describe.skipIf(left)(`the keychain of the desktop${note}`, () => {
  test("other processes read, replace and remove a key", async () => {
    const kept = keychain((await bus(directory(), "unlocked")).env, never);
    expect(await kept.get("work")).toBeUndefined();
    await kept.set("work", secret);
    expect((await kept.get("work"))?.reveal()).toBe(secret.reveal());
    expect(await kept.get("other")).toBeUndefined();
    await kept.set("work", new Secret("second"));
    expect((await kept.get("work"))?.reveal()).toBe("second");
    expect(await kept.forget("work")).toBe(true);
    expect(await kept.forget("work")).toBe(false);
    expect(await kept.get("work")).toBeUndefined();
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
    const open = await bus(home, "unlocked");
    await keychain(open.env, never).set("work", secret);
    await open.end();
    const locked = keychain((await bus(home, "locked")).env, never);
    const told = {
      why: "locked",
      message: "the keychain is locked (Secret Service: unlock prompt was dismissed)",
    };
    expect(await why(locked.get("work"))).toEqual(told);
    expect(await why(locked.set("work", secret))).toEqual(told);
    expect(await why(locked.forget("work"))).toEqual(told);
  });

  test("reports a bus without a keychain", async () => {
    const told = await why(keychain((await bus(directory(), "none")).env, never).get("work"));
    expect(told).toMatchObject({
      why: "missing",
      message: expect.stringMatching(/^no keychain available \(.*\)$/),
    });
  });
});

describe.skipIf(process.platform !== "linux")("without a session bus", () => {
  const home = () => ({ PATH: process.env.PATH, HOME: directory() });

  test.each([
    ["none is named", {}],
    ["the one named is dead", { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent/bus" }],
  ])("reports that there is no keychain where %s", async (_, env) => {
    const told = await why(keychain({ ...home(), ...env }, never).set("work", secret));
    expect(told).toMatchObject({
      why: "missing",
      message: expect.stringMatching(/^no keychain available \(.*\)$/),
    });
  });

  /** A socket that takes everything and says nothing. */
  async function silence(onConnection = () => {}) {
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
    expect(await why(keychain(await silence(), never, 500).get("work"))).toEqual({
      why: "silent",
      message: "the keychain did not answer within 0.5 seconds",
    });
  });

  test("a signal ends a call that hangs", async () => {
    const controller = new AbortController();
    const env = await silence(() => controller.abort(new Interrupted("SIGINT")));
    await expect(keychain(env, controller.signal).get("work")).rejects.toBeInstanceOf(Cancelled);
  });
});
