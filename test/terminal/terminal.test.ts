import { describe, expect, test } from "vitest";
import { serving } from "../binary/program.ts";
import { left, note, plain, terminal } from "./terminal.ts";

const enter = "\r";
const controlC = "\x03";
const controlD = "\x04";

describe.skipIf(left)(`in a terminal${note}`, () => {
  test("fetch-key prompts for the password and does not show it", async () => {
    const { site, owner } = await serving();
    const screen = terminal(["fetch-key", "--site", site, "--username", owner.email, "--store", "file"]);
    await screen.sees(`Password of ${owner.email} on ${site}`);
    screen.types(owner.password + enter);
    expect(await screen.ends()).toBe(0);
    expect(plain(screen.screen)).toContain(`Profile ${new URL(site).host}: ${owner.email} on ${site}`);
    expect(screen.screen).not.toContain("✔");
    for (const part of [owner.password, owner.password.slice(-8), owner.api_key, "*"])
      expect(screen.screen).not.toContain(part);
  });

  test.each([
    ["Ctrl-C", `half${controlC}`],
    ["Ctrl-D", controlD],
  ])("%s at the password exits with 130 and sends nothing", async (_, keys) => {
    const { site, owner } = await serving();
    const screen = terminal(["fetch-key", "--site", site, "--username", owner.email, "--store", "file"]);
    await screen.sees("Password of");
    screen.types(keys);
    expect(await screen.ends()).toBe(130);
    expect(plain(screen.screen)).toMatch(/zulipctl: canceled; nothing was sent\n$/);
  });

  test.each([
    ["Return alone", enter],
    ["n", `n${enter}`],
    ["Ctrl-C", controlC],
    ["Ctrl-D", controlD],
  ])("%s at a question means no, and exits with 130", async (_, keys) => {
    const { sandbox, env } = await serving();
    const id = sandbox.info().attachments[0]!.id;
    const screen = terminal(["attachment", "rm", String(id)], { env });
    await screen.sees(`Delete attachment ${id} (minutes.txt, 1.2 KiB`);
    screen.types(keys);
    expect(await screen.ends()).toBe(130);
    expect(plain(screen.screen).trim().split("\n").at(-1)).toBe("zulipctl: canceled; nothing was sent");
    expect(sandbox.info().attachments.map((each) => each.id)).toContain(id);
  });

  test("a long question breaks between words", async () => {
    const { env } = await serving();
    const screen = terminal(["group", "deactivate", "makers"], { env, columns: 66 });
    await screen.sees("[y/N]");
    screen.types(enter);
    expect(await screen.ends()).toBe(130);
    expect(plain(screen.screen)).toContain('Deactivate group "makers" (1 member, 2 subgroups) on\n');
  });

  test("y at a question means yes", async () => {
    const { sandbox, env } = await serving();
    const id = sandbox.info().attachments[0]!.id;
    const screen = terminal(["attachment", "rm", String(id)], { env });
    await screen.sees("[y/N]");
    screen.types(`y${enter}`);
    expect(await screen.ends()).toBe(0);
    expect(plain(screen.screen).trim().split("\n").at(-1)).toBe(`Deleted attachment ${id}.`);
    expect(sandbox.info().attachments.map((each) => each.id)).not.toContain(id);
  });

  test("--no-input does not prompt", async () => {
    const { sandbox, env } = await serving();
    const id = sandbox.info().attachments[0]!.id;
    const screen = terminal(["attachment", "rm", String(id), "--no-input"], { env });
    expect(await screen.ends()).toBe(2);
    expect(plain(screen.screen).replace(/\n(?!$)/g, " ")).toMatch(
      new RegExp(
        `^zulipctl: confirmation required: --no-input is given. Delete attachment ${id} on .*[?] This cannot be undone. Pass --yes to confirm.\n$`,
      ),
    );
  });

  test("a sandbox serves another terminal until Ctrl-C", async () => {
    const server = terminal(["sandbox", "start"]);
    await server.sees("zulipctl users list");
    const [, , site, , email, , key] = /export (ZULIP_SITE)=(\S+) (ZULIP_EMAIL)=(\S+) (ZULIP_API_KEY)=(\S+)/.exec(
      plain(server.screen),
    )!;
    const screen = terminal(["users", "list", "--role", "owner", "-o", "ids"], {
      env: { ZULIP_SITE: site!, ZULIP_EMAIL: email!, ZULIP_API_KEY: key! },
    });
    expect(await screen.ends()).toBe(0);
    expect(plain(screen.screen)).toMatch(/^\d+\n$/);
    server.types(controlC);
    expect(await server.ends()).toBe(0);
  });

  test("a program of sandbox exec handles Ctrl-C itself, and keeps its server", async () => {
    const script = `
      let pressed = 0;
      process.on("SIGINT", async () => {
        const { status } = await fetch(process.env.ZULIP_SITE + "/api/v1/server_settings");
        console.log("pressed", ++pressed, status);
        if (pressed === 2) process.exit(9);
      });
      setInterval(() => {}, 1000);
      console.log("ready");
    `;
    const screen = terminal(["sandbox", "exec", "--", process.execPath, "-e", script]);
    await screen.sees("ready");
    screen.types(controlC);
    await screen.sees("pressed 1 200");
    screen.types(controlC);
    await screen.sees("pressed 2 200");
    expect(await screen.ends()).toBe(9);
  });
});
