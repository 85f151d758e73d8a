/** A D-Bus session for one test, with or without a keyring. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, onTestFinished } from "vitest";

const isInstalled = (program: string) => spawnSync(program, ["--version"]).error === undefined;

/** Missing programs that the tests of the real keychain need. */
const missing =
  process.platform === "linux"
    ? ["dbus-run-session", "gnome-keyring-daemon"].filter((program) => !isInstalled(program))
    : ["Linux"];
// In CI the programs are required: nobody would notice that the tests are skipped.
const isSkipped = missing.length > 0 && process.env.CI !== "true";
const note = isSkipped ? ` (NOT TESTED: needs ${missing.join(", ")}; apt-get install dbus gnome-keyring)` : "";

export const describeKeychain = (name: string, tests: () => void) =>
  describe.skipIf(isSkipped)(`${name}${note}`, tests);

/** Configures a bus without services. */
const bare = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>`;

const keyrings = {
  // `--unlock` creates the keyring if necessary, with this password.
  unlocked: "printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null",
  locked: "gnome-keyring-daemon --start --components=secrets >/dev/null",
  none: ":",
};

export interface Bus {
  /** The environment for clients of the bus. */
  env: Record<string, string>;
  /** Ends the session. It also ends with the test. */
  end(): Promise<void>;
}

/** Starts a session whose keyring is in `home`. A directory serves one session at a time. */
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
