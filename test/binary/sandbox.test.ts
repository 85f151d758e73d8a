/** The embedded server as a process that other programs reach over loopback. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { command, environment, startZulipctl, zulipctl } from "./program.ts";

/** Starts it and waits for its first line. */
async function started(...flags: string[]) {
  const child = startZulipctl(["sandbox", "start", "--json", ...flags]).child;
  const ended = once(child, "exit") as Promise<[code: number | null, signal: string | null]>;
  let out = "";
  for await (const text of child.stdout.setEncoding("utf8")) {
    out += text;
    if (out.includes("\n")) break;
  }
  return { child, ended, line: JSON.parse(out) };
}

test.each(["SIGINT", "SIGTERM"] as const)("start serves until %s and exits with 0", async (signal) => {
  const { child, ended, line } = await started("--feature-level", "371");
  const [owner] = line.users;
  const authorization = `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString("base64")}`;
  const answer = await fetch(`${line.site}/api/v1/users/me`, { headers: { authorization } });
  expect(await answer.json()).toMatchObject({ result: "success", user_id: owner.user_id, role: 100 });
  const settings = await fetch(`${line.site}/api/v1/server_settings`);
  expect(await settings.json()).toMatchObject({ zulip_feature_level: 371 });
  child.kill(signal);
  expect(await ended).toEqual([0, null]);
  await expect(fetch(line.site)).rejects.toThrow("fetch failed");
});

test("exec gives a program the server and returns its exit code", async () => {
  const script = '"$@" folder create Here -o ids && "$@" folder update Here --new-name Projects; echo "= $?"; exit 9';
  const { code, out, err } = await zulipctl(["sandbox", "exec", "--", "sh", "-c", script, "sh", ...command]);
  expect({ code, out, err }).toEqual({
    code: 9,
    out: "3\n= 1\n",
    err: "zulipctl: Channel folder name already in use\n",
  });
});

test("two exec side by side have separate servers", async () => {
  const one = () => zulipctl(["sandbox", "exec", "--", ...command, "folder", "create", "Here", "-o", "ids"]);
  expect((await Promise.all([one(), one()])).map(({ out }) => out)).toEqual(["3\n", "3\n"]);
});

test("tour exits with 0 without a home and a network", async () => {
  const { HOME: _, ...env } = environment();
  const { code, out } = await zulipctl(["tour"], { env });
  expect(code).toBe(0);
  expect(out.endsWith("\n11 commands done.\n")).toBe(true);
});
