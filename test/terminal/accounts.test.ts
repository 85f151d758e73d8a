/** Prompts that create a profile. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serving, zulipctl } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { left, note, plain, terminal } from "./terminal.ts";

const enter = "\r";
const controlC = "\x03";
const controlD = "\x04";

/** An empty home, and an environment with it. */
function home() {
  const path = directory();
  const env = { HOME: path };
  const config = () => JSON.parse(readFileSync(join(path, ".config/zulipctl/config.json"), "utf8"));
  return { path, env, config };
}

const secretFree = (screen: string, ...secrets: string[]) => {
  for (const secret of secrets) expect(screen).not.toContain(secret);
};

describe.skipIf(left)(`an account in a terminal${note}`, () => {
  test("fetch-key prompts for everything that flags do not give", async () => {
    const { site, owner } = await serving();
    const { env, config } = home();
    const screen = terminal(["fetch-key", "--store", "file"], { env });
    await screen.sees("Address of the organization");
    screen.types(`no address${enter}`);
    await screen.sees("zulipctl: what was typed is not the URL of an organization");
    await screen.sees("Address of the organization");
    screen.types(site + enter);
    await screen.sees(`User name on ${site}`);
    screen.types(owner.email + enter);
    await screen.sees(`Password of ${owner.email} on ${site}`);
    screen.types(owner.password + enter);
    expect(await screen.ends()).toBe(0);
    expect(config().current).toBe(new URL(site).host);
    expect(screen.screen).not.toContain("✔");
    secretFree(screen.screen, owner.password, owner.api_key);
  });

  test("zulipctl alone shows the account, and asks no server", async () => {
    const { path, env } = home();
    const work = { site: "https://chat.invalid", email: "ada@example.com", store: "keychain", account: "work" };
    mkdirSync(join(path, ".config/zulipctl"), { recursive: true, mode: 0o700 });
    const config = join(path, ".config/zulipctl/config.json");
    writeFileSync(config, JSON.stringify({ current: "work", profiles: { work } }), { mode: 0o600 });
    const screen = terminal([], { env });
    expect(await screen.ends()).toBe(0);
    expect(plain(screen.screen)).toContain("Site       https://chat.invalid");
    expect(plain(screen.screen)).toContain("Profile    work");
    expect(plain(screen.screen)).toContain("On most days:");
  });

  test("exits with 3 after three wrong passwords, and stores nothing", async () => {
    const { site, owner } = await serving();
    const { env, config } = home();
    const screen = terminal(["fetch-key", "--site", site, "--username", owner.email, "--store", "file"], { env });
    for (const _ of [1, 2, 3]) {
      await screen.sees(`Password of ${owner.email}`);
      screen.types(`wrong${enter}`);
      await screen.sees("zulipctl: Your username or password is incorrect");
    }
    expect(await screen.ends()).toBe(3);
    expect(plain(screen.screen).match(/Your username or password is incorrect/g)).toHaveLength(3);
    expect(config().profiles).toEqual({});
  });

  test("auth login prompts for missing values, and does not show the key", async () => {
    const { site, owner } = await serving();
    const { env, config } = home();
    const screen = terminal(["auth", "login", "--store", "file"], { env });
    await screen.sees("Log in with your password, or with an API key?");
    screen.types(`key${enter}`);
    await screen.sees("Address of the organization");
    screen.types(site + enter);
    await screen.sees(`E-mail address on ${site}`);
    screen.types(owner.email + enter);
    await screen.sees(`API key of ${owner.email} on ${site}`);
    screen.types(owner.api_key + enter);
    expect(await screen.ends()).toBe(0);
    expect(config().profiles[new URL(site).host]).toMatchObject({ site, email: owner.email, store: "file" });
    expect(screen.screen).not.toContain("✔");
    secretFree(screen.screen, owner.api_key);
  });

  test("auth login exits with 130 at Ctrl-C and Ctrl-D, and stores nothing", async () => {
    const { site } = await serving();
    const { env, config } = home();
    const questions = ["Log in with", "Address of the organization", "E-mail address on", "API key of"];
    for (const [n, last] of questions.entries()) {
      const screen = terminal(["auth", "login", "--store", "file"], { env });
      for (const [k, answer] of ["key", site, "a@b.example"].slice(0, n).entries()) {
        await screen.sees(questions[k]!);
        screen.types(answer + enter);
      }
      await screen.sees(last);
      screen.types(n % 2 ? controlD : controlC);
      expect(await screen.ends()).toBe(130);
    }
    expect(config().profiles).toEqual({});
  });

  test.each([
    ["y", 0],
    ["", 130],
  ])("answers %j to replacing another account's profile with exit code %d", async (said, code) => {
    const { site, owner, sandbox } = await serving();
    const other = sandbox.info().users.find(({ role, is_bot, is_active }) => role === 400 && !is_bot && is_active)!;
    const { path, env, config } = home();
    const argv = (email: string) => ["--site", site, "--username", email, "--profile", "work", "--store", "file"];
    await zulipctl(["auth", "login", "--with-key", ...argv(owner.email)], {
      env: { PATH: process.env.PATH!, HOME: path },
      input: owner.api_key,
    });
    const screen = terminal(["fetch-key", ...argv(other.email)], { env, columns: 200 });
    await screen.sees(
      `Give profile work to ${other.email} on ${new URL(site).host}? The profile belongs to ${owner.email} on ${site}, whose key is forgotten. [y/N]`,
    );
    screen.types(said + enter);
    if (code === 0) {
      await screen.sees(`Password of ${other.email}`);
      screen.types(other.password + enter);
    }
    expect(await screen.ends()).toBe(code);
    expect(config().profiles.work.email).toBe(code === 0 ? other.email : owner.email);
  });

  test("refuses a flag for stdin if the terminal would show the secret", async () => {
    const { site, owner } = await serving();
    const argv = ["--site", site, "--username", owner.email, "--store", "file", "--no-input"];
    for (const [verb, flag] of [
      [["fetch-key"], "--password-stdin"],
      [["auth", "login"], "--with-key"],
    ] as const) {
      const screen = terminal([...verb, flag, ...argv]);
      expect(await screen.ends()).toBe(2);
      expect(plain(screen.screen)).toContain(
        `zulipctl: ${flag} cannot read from this terminal: the secret would be shown as you type\n`,
      );
    }
  });

  test("one Ctrl-C ends a key command and the programs it started", async () => {
    const { env, path } = home();
    mkdirSync(join(path, ".config/zulipctl"), { recursive: true });
    const key_command = ["sh", "-c", "(trap '' INT; sleep 100) & echo started >&2; : > \"$HOME/started\"; sleep 100"];
    const profile = { site: "https://127.0.0.1:1", email: "a", store: "command", key_command };
    writeFileSync(
      join(path, ".config/zulipctl/config.json"),
      JSON.stringify({ current: "a", profiles: { a: profile } }),
      { mode: 0o600 },
    );
    const screen = terminal(["users", "list"], { env });
    const { existsSync } = await import("node:fs");
    while (!existsSync(join(path, "started"))) await new Promise((resolve) => setTimeout(resolve, 50));
    screen.types(controlC);
    expect(await screen.ends()).toBe(130);
  });
});
