/** Terminals without escape sequences get none. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serving } from "../binary/program.ts";
import { directory } from "../node/directory.ts";
import { left, note, terminal } from "./terminal.ts";

const dumb = { TERM: "dumb" };
const plain = (screen: string) => screen.replaceAll("\r", "");

describe.skipIf(left)(`with TERM=dumb${note}`, () => {
  test("prompts in plain lines, and does not show the password", async () => {
    const { site, owner } = await serving();
    const screen = terminal(["fetch-key", "--site", site, "--store", "file"], { env: dumb });
    await screen.sees(`User name on ${site}`);
    screen.types(`${owner.email}\r`);
    await screen.sees(`Password of ${owner.email}`);
    screen.types(`${owner.password}\r`);
    expect(await screen.ends()).toBe(0);
    expect(screen.screen).not.toContain("\x1b");
    expect(screen.screen).not.toContain(owner.password.slice(0, 8));
    const lines = plain(screen.screen).split("\n");
    expect(lines.slice(0, 2)).toEqual([
      `User name on ${site}: ${owner.email}`,
      `Password of ${owner.email} on ${site}: `,
    ]);
  });

  test.each([
    ["y\r", 0, "Deleted attachment 1.\n"],
    ["\r", 130, "zulipctl: canceled; nothing was sent\n"],
    ["\x03", 130, "zulipctl: canceled; nothing was sent\n"],
    ["\x04", 130, "zulipctl: canceled; nothing was sent\n"],
  ])("a prompt answered with %j exits with %i", async (keys, code, end) => {
    const { env } = await serving();
    const screen = terminal(["attachment", "rm", "1"], { env: { ...env, ...dumb } });
    await screen.sees("[y/N] ");
    screen.types(keys);
    expect(await screen.ends()).toBe(code);
    expect(screen.screen).not.toContain("\x1b");
    expect(plain(screen.screen).split("[y/N]")[1]!.split("\n").slice(1).join("\n")).toBe(end);
  });

  test("prints tables without color, and a long batch without a bar", async () => {
    const { env } = await serving({
      disturb: async ({ serve }) => {
        const { status, headers, text } = serve();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return {
          status,
          headers,
          body: (async function* () {
            yield Buffer.from(text);
          })(),
        };
      },
    });
    const file = join(directory(), "rows.csv");
    writeFileSync(file, "name\na\nb\nc\nd\n");
    const words = ["batch", file, "--", "folder", "create", "{name}"];
    const screen = terminal(words, { env: { ...env, ...dumb } });
    expect(await screen.ends()).toBe(0);
    expect(plain(screen.screen)).toContain("4 of 4 rows done");
    expect(screen.screen).not.toContain("\x1b");
  });
});
