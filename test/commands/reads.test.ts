/** What the commands that only read put on the wire, as literal text. */
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { fresh, person, zulipctl } from "../run.ts";
import { testWorld } from "../world.ts";

const api = "https://chat.example/api/v1";

test.each([
  [
    "channel list",
    [`GET ${api}/streams?include_all=true&include_default=true`, `GET ${api}/channel_folders?include_archived=true`],
  ],
  [
    "channel list --archived -o csv",
    [`GET ${api}/streams?exclude_archived=false&include_all=true&include_default=true`],
  ],
  ["folder list", [`GET ${api}/channel_folders`]],
  ["folder list --archived", [`GET ${api}/channel_folders?include_archived=true`]],
  ["group list --system", [`GET ${api}/user_groups`]],
  ["group list --deactivated", [`GET ${api}/user_groups?include_deactivated_groups=true`]],
  [
    "group members 17",
    [
      `GET ${api}/user_groups/17/members?direct_member_only=true`,
      `GET ${api}/user_groups/17/subgroups?direct_subgroup_only=true`,
      `GET ${api}/users?user_ids=%5B9%2C11%5D`,
    ],
  ],
  ["group members 17 -o ids", [`GET ${api}/user_groups/17/members?direct_member_only=true`]],
  ["users list --role guest", [`GET ${api}/users`]],
  ["linkifier list", [`GET ${api}/realm/linkifiers`]],
  ["drafts list", [`GET ${api}/drafts`]],
  ["attachment list", [`GET ${api}/attachments`]],
  ["export list", [`GET ${api}/export/realm`]],
  ["auth status", [`GET ${api}/users/me`]],
])("%s", async (line, asked) => {
  const { code, sent } = await zulipctl(line.split(" "));
  expect(code).toBe(0);
  expect(sent.map(({ method, url, body }) => `${method} ${url}${body ?? ""}`)).toEqual(asked);
});

test("server info asks one question, without credentials", async () => {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle });
  expect(await main(["server", "info", "--site", "https://chat.example"], world)).toBe(0);
  expect(world.sent.map(({ method, url, headers }) => [`${method} ${url}`, "authorization" in headers])).toEqual([
    [`GET ${api}/server_settings`, false],
  ]);
});

test("below feature level 356 channels are asked for by the older name", async () => {
  const { code, sent } = await zulipctl(["channel", "list"], { level: 300 });
  expect(code).toBe(0);
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${api}/streams?include_all_active=true&include_default=true`,
  ]);
});

test("below feature level 356 a member, who may not ask for every channel, gets those that a member sees", async () => {
  const sandbox = fresh({ level: 300 });
  const { code, out, sent } = await zulipctl(["channel", "list", "-o", "ids"], {
    sandbox,
    as: person(sandbox, 400).email,
  });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${api}/streams?include_all_active=true&include_default=true`,
    `GET ${api}/streams?include_web_public=true&include_default=true`,
  ]);
  expect({ code, out }).toEqual({ code: 0, out: "3\n5\n1\n2\n" });
});
