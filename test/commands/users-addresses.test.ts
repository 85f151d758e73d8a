/** New organizations show addresses only to administrators. `email` is `user12@…` for everybody else. */
import { describe, expect, test } from "vitest";
import { getUsers } from "../../src/api/users.ts";
import { namesDirectory } from "../../src/resolve/names-directory.ts";
import { saveNames } from "../../src/resolve/saved-names.ts";
import { call } from "../../src/wire/call.ts";
import { fresh, zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";

function organization() {
  const sandbox = fresh({ level: 442 });
  for (const user of sandbox.state.users.values()) if (user.bot_type === null) user.email_address_visibility = 3;
  return sandbox;
}

const asked = (argv: string[], as: number | string = 200) => zulipctl(argv, { sandbox: organization(), as });
const member = "otis@sandbox.example";
const cora = "cora@sandbox.example";

describe("an administrator sees and types addresses", () => {
  test.each([
    ["users list --match cora@ --fields id,email", `ID\tEMAIL\n11\t${cora}\n`],
    ["users list --match user11@", "ID\tNAME\tEMAIL\tROLE\tSTATE\n"],
    [`users show ${cora} --fields e-mail`, `FIELD\tVALUE\nE-mail\t${cora}\n`],
    [`channel subscribers design --fields email`, undefined],
    [`permissions who own-organization --fields email`, "EMAIL\niris@sandbox.example\n"],
    [`permissions check ${cora} post --channel general`, undefined],
    [`group members designers --add ${cora} --dry-run`, undefined],
  ])("%s", async (line, out) => {
    const told = await asked(line.split(" "));
    expect(told).toMatchObject({ code: 0, err: expect.not.stringContaining("hidden") });
    expect(told.out).not.toMatch(/user\d+@/);
    if (out !== undefined) expect(told.out).toBe(out);
  });

  test.each([
    [`sender:${cora}`, "user11@chat.example"],
    [`dm:${cora},iris@sandbox.example`, "user11@chat.example,user8@chat.example"],
    [`pm_with:${cora.toUpperCase()}`, "user11@chat.example"],
    ["sender:notification-bot@zulip.com", "notification-bot@zulip.com"],
    [`topic:${cora}`, cora],
  ])("a narrow %s reaches the server as %s", async (narrow, operand) => {
    const { code, sent } = await asked(["messages", "find", "--narrow", narrow]);
    expect(code).toBe(0);
    expect(JSON.parse(new URL(sent.at(-1)!.url).searchParams.get("narrow")!)).toMatchObject([{ operand }]);
  });

  test("an export names people by their addresses", async () => {
    const { out } = await asked(["org", "export", "--only", "people"]);
    expect(out).toContain(`email: ${cora}`);
    expect(out).not.toMatch(/user\d+@/);
  });
});

describe("a member sees that addresses are hidden", () => {
  test("in tables", async () => {
    const { out } = await asked(["users", "list", "--fields", "name,email"], member);
    expect(out).toContain("Cora Member\thidden\n");
    expect(out).toContain(`Otis Member\t${member}\n`);
    expect((await asked(["users", "show", "11", "--fields", "e-mail"], member)).out).toBe(
      "FIELD\tVALUE\nE-mail\thidden\n",
    );
  });

  test("if a filter could have found them", async () => {
    const { out, err } = await asked(["users", "list", "--match", "cora@", "--fields", "id"], member);
    expect({ out, err }).toEqual({ out: "ID\n", err: "--match: 6 addresses are hidden from this account\n" });
  });

  test("if an address is not found", async () => {
    const { code, err } = await asked(["users", "show", cora], member);
    expect(code).toBe(2);
    expect(err).toContain(" 6 addresses are hidden from this account: use an id or name:<full name>.\n");
  });

  test("by completion, which offers ids in place of them", async () => {
    const world = testWorld();
    const by = { site: "https://chat.example", email: member };
    const members = [
      { user_id: 11, full_name: "Cora Member", email: "user11@chat.example", delivery_email: null, is_bot: false },
      { user_id: 12, full_name: "Otis Member", email: "user12@chat.example", delivery_email: member, is_bot: false },
    ];
    await saveNames(world, [{ account: by, call: call(getUsers, {}), answer: { members } }]);
    const kept = await world.files.read(`${namesDirectory(world.directories.cache, by)}/user`);
    expect(String(kept)).toBe(`11\tCora Member\n${member}\tOtis Member\n`);
  });
});
