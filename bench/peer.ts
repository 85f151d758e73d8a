/** The server of the bench, a process of its own: answers at once or after a while, and counts. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { defaultLevel } from "../src/sandbox/index.ts";

const user = (user_id: number) => ({
  user_id,
  delivery_email: `person${user_id}@chat.example`,
  email: `user${user_id}@chat.example`,
  full_name: `Person Number ${user_id}`,
  date_joined: "2024-03-02T10:11:12.123456+00:00",
  is_active: true,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: false,
  role: 400,
  timezone: "Europe/Berlin",
  avatar_url: "https://secure.gravatar.com/avatar/6d8cad0fd00256e7b40691d27ddfd466?d=identicon&version=1",
  avatar_version: 1,
  bot_type: null,
  bot_owner_id: null,
  is_billing_admin: false,
  is_imported_stub: false,
});

/** As a server of the default level tells one: half of what it says are permissions. */
const channel = (stream_id: number) => ({
  stream_id,
  name: `channel ${stream_id}`,
  description: `What **channel ${stream_id}** is about`,
  rendered_description: `<p>What <strong>channel ${stream_id}</strong> is about</p>`,
  date_created: 1_700_000_000,
  creator_id: 8,
  invite_only: stream_id % 5 === 0,
  is_web_public: false,
  is_archived: false,
  is_default: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  first_message_id: 100 + stream_id,
  folder_id: stream_id % 10 === 0 ? 1 : null,
  topics_policy: "inherit",
  is_announcement_only: false,
  is_recently_active: true,
  stream_post_policy: 1,
  stream_weekly_traffic: 12,
  subscriber_count: 40,
  can_add_subscribers_group: 16,
  can_administer_channel_group: { direct_members: [8], direct_subgroups: [] },
  can_create_topic_group: 15,
  can_delete_any_message_group: 16,
  can_delete_own_message_group: 16,
  can_move_messages_out_of_channel_group: 16,
  can_move_messages_within_channel_group: 16,
  can_remove_subscribers_group: 11,
  can_resolve_topics_group: 16,
  can_send_message_group: 15,
  can_subscribe_group: 16,
});

const folders = [{ id: 1, name: "Projects", description: "", rendered_description: "", is_archived: false, order: 0 }];

const groups = [11, 12, 13].map((id) => ({
  id,
  name: `group ${id}`,
  description: "",
  creator_id: 8,
  date_created: 1_700_000_000,
  members: [8],
  direct_subgroup_ids: [],
  is_system_group: false,
  deactivated: false,
  can_add_members_group: 11,
  can_join_group: 11,
  can_leave_group: 15,
  can_manage_group: 11,
  can_mention_group: 15,
  can_remove_members_group: 11,
}));

const settings = { result: "success", msg: "", zulip_version: "12.3", zulip_feature_level: defaultLevel };
const subscribed = { result: "success", msg: "", subscribed: {}, already_subscribed: {} };
const created = { result: "success", msg: "", channel_folder_id: 2 };
const done = Buffer.from('{"result":"success","msg":""}');

interface Manner {
  /** The number of people. */
  users: number;
  /** The number of channels. Every tenth is in a folder. */
  channels: number;
  /** The delay of each answer, in milliseconds. */
  delay: number;
  /** Whether the connection may be used again. */
  keep: boolean;
  /** The size of the export, in bytes. */
  exported: number;
}

let changes = 0;
let requests = 0;

const exports = [{ id: 1, export_time: 0, pending: false, export_url: "/files/export" }];
const block = Buffer.alloc(1024 * 1024, "export");

/** A file of so many bytes, at the pace of whoever reads it. */
async function sendFile(response: ServerResponse, bytes: number): Promise<void> {
  response.setHeader("content-type", "application/gzip");
  response.setHeader("content-length", bytes);
  for (let left = bytes; left > 0; left -= block.length)
    if (!response.write(block.subarray(0, left))) await once(response, "drain");
  response.end();
}

/** Resolves with the site. */
function serve({ users, channels, delay, keep, exported }: Manner): Promise<string> {
  const members = Array.from({ length: users }, (_, at) => user(at + 8));
  const streams = Array.from({ length: channels }, (_, at) => channel(at + 1));
  const answers = {
    "/api/v1/streams": Buffer.from(JSON.stringify({ result: "success", msg: "", streams })),
    "/api/v1/channel_folders": Buffer.from(JSON.stringify({ result: "success", msg: "", channel_folders: folders })),
    "/api/v1/channel_folders/create": Buffer.from(JSON.stringify(created)),
    "/api/v1/user_groups": Buffer.from(JSON.stringify({ result: "success", msg: "", user_groups: groups })),
    "/api/v1/users": Buffer.from(JSON.stringify({ result: "success", msg: "", members })),
    "/api/v1/export/realm": Buffer.from(JSON.stringify({ result: "success", msg: "", exports })),
    "/api/v1/server_settings": Buffer.from(JSON.stringify(settings)),
    "/api/v1/users/me/subscriptions": Buffer.from(JSON.stringify(subscribed)),
  };
  const server = createServer(async (request, response) => {
    const path = request.url!.split("?")[0]!;
    request.resume();
    if (path === "/changes") {
      response.end(String(changes));
      changes = 0;
      return;
    }
    if (path === "/requests") {
      response.end(String(requests));
      requests = 0;
      return;
    }
    requests++;
    if (path === "/files/export") return sendFile(response, exported);
    if (request.method !== "GET") changes++;
    const body = answers[path as keyof typeof answers] ?? done;
    if (delay) await setTimeout(delay);
    response.setHeader("content-type", "application/json");
    response.setHeader("content-length", body.length);
    // What a server tells of its limit, high enough that nobody waits.
    response.setHeader("x-ratelimit-limit", 1_000_000);
    response.setHeader("x-ratelimit-remaining", 999_999);
    response.setHeader("x-ratelimit-reset", Math.floor(Date.now() / 1000) + 60);
    if (!keep) response.setHeader("connection", "close");
    response.end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

process.on("message", async (manner: Manner) => {
  process.send!(await serve(manner));
});
process.on("disconnect", () => process.exit());
