/** Takes runs back, and what it leaves alone. */
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { credentials, fresh } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

function machine(setup: Setup = {}) {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), ...setup });
  const zulipctl = async (...argv: string[]) => {
    const [out, err] = [world.stdout.text.length, world.stderr.text.length];
    const code = await main(argv, world);
    return { code, out: world.stdout.text.slice(out), err: world.stderr.text.slice(err) };
  };
  const read = async (...argv: string[]) => JSON.parse((await zulipctl(...argv, "-o", "json")).out);
  return { world, zulipctl, read, sandbox };
}

/** What people see of the organization. */
async function organization({ zulipctl }: ReturnType<typeof machine>): Promise<string> {
  return (await zulipctl("org", "export", "--with", "subscribers")).out;
}

describe("undo gives back", () => {
  test.each<[string, string[]]>([
    ["values of a channel", ["channel", "update", "design", "--description", "x", "--new-name", "sketch", "--can-send-message-group", "role:moderators"]],
    ["the privacy of a channel", ["channel", "update", "design", "--private"]],
    ["a folder of a channel", ["channel", "update", "design", "--no-folder"]],
    ["a channel for new people", ["channel", "update", "design", "--default"]],
    ["an archived channel", ["channel", "archive", "general"]],
    ["a group", ["group", "update", "designers", "--description", "x", "--new-name", "drawers"]],
    ["members", ["group", "members", "writers", "--add", "adam@sandbox.example,mona@sandbox.example"]],
    ["subscribers", ["channel", "subscribers", "design", "--add", "adam@sandbox.example", "--delete", "otis@sandbox.example"]],
    ["a role", ["users", "update", "otis@sandbox.example", "--role", "moderator", "--full-name", "Otis Other"]],
    ["a deactivated person", ["users", "deactivate", "otis@sandbox.example"]],
    ["a folder", ["folder", "update", "Projects", "--new-name", "Work", "--description", "x"]],
    ["settings", ["settings", "update", "invite_required=false", "waiting_period_threshold=9"]],
    ["a linkifier", ["linkifier", "rm", "1"]],
    ["a group that was made", ["group", "create", "drawers"]],
    ["a linkifier that was added", ["linkifier", "add", "B-(?P<id>[0-9]+)", "https://b.example/{id}"]],
    ["a person who left", ["users", "offboard", "cora@sandbox.example", "--to", "otis@sandbox.example"]],
  ])("%s", async (what, argv) => {
    const run = machine();
    const before = await organization(run);
    const { code, err } = await run.zulipctl(...argv, "--yes");
    expect(code, err).toBe(0);
    const after = await organization(run);
    const undone = await run.zulipctl("undo", "--yes");
    expect(undone.code, undone.err).toBe(0);
    const now = await organization(run);
    if (what !== "a group that was made") expect(now).toBe(before);
    const again = await run.zulipctl("undo", "last", "--yes");
    expect(again.code, again.err).toBe(0);
    expect(await organization(run)).toBe(after);
  });
});
