/** `watch` on servers with other names for settings, and with what only the server knows. */
import { expect, test } from "vitest";
import { readSnapshot } from "../../src/organization/snapshot.ts";
import { tableChanges } from "../../src/watch/event-changes.ts";
import { recordOf } from "../../src/watch/watch-records.ts";
import { WatchedState } from "../../src/watch/watched-state.ts";
import type { Http } from "../../src/world/world.ts";
import { newerServer } from "../newer-server.ts";
import { credentials, fresh, zulipctl } from "../run.ts";

async function watched(sandbox: ReturnType<typeof fresh>, http: Http = sandbox.handle) {
  const files = new Map<string, string>();
  await zulipctl(["org", "snapshot", "--to", "all.json"], { http, files, env: credentials(sandbox) });
  return new WatchedState(readSnapshot(files.get("all.json") ?? "", "all.json"), []);
}

function recordsOf(state: WatchedState, event: Record<string, unknown>) {
  const all = [...tableChanges(state, { id: 1, type: "realm", op: "update", ...event })];
  return all.map((change) => {
    const { action, property, from, to } = recordOf(state, change, { now: 0, event: null }).record;
    return [action, property, from, to];
  });
}

test("prints changes of settings and permissions that only the server knows", async () => {
  const newer = newerServer();
  const state = await watched(newer.sandbox, newer.handle);
  const nobody = newer.groupId("role:nobody");
  expect([
    recordsOf(state, { property: "something_new", value: true }),
    recordsOf(state, { property: "newest_number", value: 4 }),
    recordsOf(state, { op: "update_dict", data: { can_do_new_things_group: nobody, newest_text: "new" } }),
    recordsOf(state, { type: "stream", stream_id: 1, property: "can_do_new_things_group", value: nobody }),
    recordsOf(state, { type: "user_group", group_id: 17, data: { can_do_new_things_group: nobody } }),
    recordsOf(state, { type: "something_else", op: "new", value: 1 }),
  ]).toEqual([
    [["setting.changed", "something_new", false, true]],
    [["setting.changed", "newest_number", 3, 4]],
    [
      ["setting.changed", "can_do_new_things_group", "role:members", "nobody"],
      ["setting.changed", "newest_text", "old", "new"],
    ],
    [["channel.permission_changed", "can_do_new_things_group", "role:members", "nobody"]],
    [["group.permission_changed", "can_do_new_things_group", "role:members", "nobody"]],
    [],
  ]);
});

test.each([
  [442, { property: "giphy_rating", value: 4 }, { property: "web_home_view", value: "recent_topics" }],
  [512, { property: "gif_rating_policy", value: 4 }, { property: "web_home_view", value: "recent" }],
])("uses the same names and words at level %i", async (level, rating, view) => {
  const state = await watched(fresh({ level }));
  expect(recordsOf(state, rating)).toEqual([["setting.changed", "gif_rating_policy", "g", "r"]]);
  expect(recordsOf(state, { type: "realm_user_settings_defaults", ...view })).toEqual([
    ["default_setting.changed", "web_home_view", "inbox", "recent"],
  ]);
});

test("prints the settings of new levels in words", async () => {
  const state = await watched(fresh({ level: 500 }));
  expect(recordsOf(state, { property: "media_preview_size", value: 200 })).toEqual([
    ["setting.changed", "media_preview_size", "small", "large"],
  ]);
  expect(recordsOf(state, { property: "default_avatar_source", value: "G" })).toEqual([
    ["setting.changed", "default_avatar_source", "jdenticon", "gravatar"],
  ]);
});
