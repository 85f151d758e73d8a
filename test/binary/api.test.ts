/** `api` of the built program, and its command lines for curl, with a server on loopback. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { environment, run, serving, zulipctl } from "./program.ts";

test("api reads and changes, with the same exit codes as other commands", async () => {
  const { env, sandbox } = await serving();
  const api = (...argv: string[]) => zulipctl(["api", ...argv], { env: { ...environment(), ...env } });
  const read = await api("GET", "/users/me", "--jq", ".full_name");
  expect(read).toMatchObject({ code: 0, out: "Iris Owner\n", err: "" });
  const changed = await api("PATCH", "/streams/1", "-f", "description=Größe", "--include");
  expect(changed).toMatchObject({ code: 0, err: "" });
  expect(changed.out).toMatch(/^HTTP 200\n(?:[a-z-]+: [^\n]*\n)+\n\{\}\n$/);
  expect(sandbox.state.channels.get(1)!.description).toBe("Größe");
  expect(await api("DELETE", "/streams/99", "--yes")).toMatchObject({
    code: 1,
    out: "",
    err: "zulipctl: Invalid channel ID\n",
  });
  expect(await api("GET", "/users/../me")).toMatchObject({ code: 2, out: "" });
  expect(await api("GET", "/nothing/there")).toMatchObject({ code: 4, out: "" });
});

const curl = spawnSync("curl", ["--version"]).status === 0;

test.runIf(curl)("what --curl prints does the same when a shell runs it", async () => {
  const { env, sandbox } = await serving();
  const withKey = { env: { ...environment(), ...env } };
  const flags = ["-f", 'description=it\'s "$HOME" & `more` \\ Größe', "-F", "is_default_stream=false"];
  const { code, out } = await zulipctl(["api", "PATCH", "/streams/1", ...flags, "--curl"], withKey);
  expect(code).toBe(0);
  expect(out).not.toContain(env.ZULIP_API_KEY);
  const ran = await run(["sh", "-c", `exec ${out.replace("curl ", "curl --silent ")}`], withKey);
  expect(JSON.parse(ran.out)).toMatchObject({ result: "success" });
  expect(sandbox.state.channels.get(1)!.description).toBe('it\'s "$HOME" & `more` \\ Größe');
  const list = await zulipctl(
    ["api", "GET", "/streams", "-F", "include_all=true", "-F", "exclude_archived=false", "--curl"],
    withKey,
  );
  const got = await run(["sh", "-c", list.out.replace("curl ", "curl --silent ")], withKey);
  expect(JSON.parse(got.out).streams).toHaveLength(7);
});
