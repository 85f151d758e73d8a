/** A session bus of the test's own, with or without a keyring on it. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

const there = (program: string) => spawnSync(program, ["--version"]).error === undefined;

/** What the tests of the real keychain need and do not find; empty where they can run. */
export const lacking =
  process.platform === "linux"
    ? ["dbus-run-session", "gnome-keyring-daemon"].filter((program) => !there(program))
    : ["Linux"];

/** A bus without any service to start. */
const bare = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

const keyrings = {
  // The password is the keyring's; --unlock makes the keyring where there is none.
  unlocked: "printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null",
  locked: "gnome-keyring-daemon --start --components=secrets >/dev/null",
  none: ":",
};

export interface Bus {
  /** What leads to it. */
  env: Record<string, string>;
  /** At the latest it ends with the test. */
  end(): Promise<void>;
}

/** What the keyring keeps lies in `home`, which serves one bus at a time. */
export async function bus(home: string, keyring: keyof typeof keyrings): Promise<Bus> {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    XDG_RUNTIME_DIR: home,
    XDG_DATA_HOME: `${home}/data`,
    XDG_CACHE_HOME: `${home}/cache`,
  };
  writeFileSync(`${home}/bare.conf`, bare);
  const config = keyring === "none" ? [`--config-file=${home}/bare.conf`] : [];
  const session = spawn(
    "dbus-run-session",
    [...config, "--", "sh", "-c", `${keyrings[keyring]}; echo "$DBUS_SESSION_BUS_ADDRESS"; cat`],
    { env, stdio: ["pipe", "pipe", "ignore"] },
  );
  const ended = once(session, "close");
  const end = async () => {
    session.stdin.end();
    await ended;
  };
  onTestFinished(end);
  const [address] = await once(createInterface(session.stdout), "line");
  return { env: { ...env, DBUS_SESSION_BUS_ADDRESS: address }, end };
}
