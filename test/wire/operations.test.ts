/** Operations in the literal text of the API's documentation: client and sandbox share the definitions, and could err alike. */

import { expect, test } from "vitest";

import { operationNamed } from "../../src/api/registry.ts";
import { getSubscriptions } from "../../src/api/subscriptions.ts";
import { call } from "../../src/wire/call.ts";
import { encode } from "../../src/wire/encode.ts";

const draft = { type: "stream", to: [1], topic: "t", content: "c" };
const nobody = { direct_members: [], direct_subgroups: [] };

/** Bodies and queries stand decoded, a parameter after the other. */
const literal: [operation: string, args: Record<string, unknown>, wanted: string][] = [
  ["bots.list", {}, "GET /api/v1/bots"],
  ["bots.key", { bot_id: 5 }, "GET /api/v1/bots/5/api_key"],
  ["bots.update", { bot_id: 5, bot_owner_id: 7 }, "PATCH /api/v1/bots/5 bot_owner_id=7"],
  [
    "bots.create",
    { full_name: "Build server", short_name: "build", bot_type: 3, payload_url: "https://b.example/" },
    'POST /api/v1/bots full_name=Build server short_name=build bot_type=3 payload_url="https://b.example/"',
  ],
  [
    "bots.update",
    { bot_id: 5, full_name: "Build", role: 400, service_payload_url: "https://b.example/", default_sending_stream: "" },
    'PATCH /api/v1/bots/5 full_name=Build role=400 service_payload_url="https://b.example/" default_sending_stream=',
  ],
  ["bots.regenerate-key", { bot_id: 5 }, "POST /api/v1/bots/5/api_key/regenerate"],
  ["bots.deactivate", { bot_id: 5 }, "DELETE /api/v1/bots/5"],
  ["users.get", { user_id: 5 }, "GET /api/v1/users/5"],
  ["users.get-by-email", { email: "ada@example.com" }, "GET /api/v1/users/ada%40example.com"],
  ["users.update", { user_id: 5, full_name: "Ada", role: 400 }, "PATCH /api/v1/users/5 full_name=Ada role=400"],
  [
    "users.update",
    { user_id: 5, profile_data: [{ id: 3, value: null }] },
    'PATCH /api/v1/users/5 profile_data=[{"id":3,"value":null}]',
  ],
  ["users.update-by-email", { email: "ada@example.com", role: 200 }, "PATCH /api/v1/users/ada%40example.com role=200"],
  [
    "users.create",
    { email: "ada@example.com", password: "p", full_name: "Ada" },
    "POST /api/v1/users email=ada@example.com password=p full_name=Ada",
  ],
  [
    "users.deactivate",
    { user_id: 5, deactivation_notification_comment: "Bye" },
    "DELETE /api/v1/users/5 deactivation_notification_comment=Bye",
  ],
  ["users.reactivate", { user_id: 5 }, "POST /api/v1/users/5/reactivate"],
  ["users.me.deactivate", {}, "DELETE /api/v1/users/me"],
  ["users.me.regenerate-key", {}, "POST /api/v1/users/me/api_key/regenerate"],
  ["users.channels", { user_id: 5 }, "GET /api/v1/users/5/channels"],
  ["users.subscribed", { user_id: 5, stream_id: 7 }, "GET /api/v1/users/5/subscriptions/7"],
  [
    "channel.subscriptions",
    { include_subscribers: "true" },
    "GET /api/v1/users/me/subscriptions include_subscribers=true",
  ],
  [
    "channel.subscribe",
    { subscriptions: [{ name: "design" }], principals: [5, 6] },
    'POST /api/v1/users/me/subscriptions subscriptions=[{"name":"design"}] principals=[5,6]',
  ],
  [
    "channel.unsubscribe",
    { subscriptions: ["design"], principals: [5] },
    'DELETE /api/v1/users/me/subscriptions subscriptions=["design"] principals=[5]',
  ],
  ["channel.id", { stream: "design" }, "GET /api/v1/get_stream_id stream=design"],
  ["channel.subscribers", { stream_id: 7 }, "GET /api/v1/streams/7/members"],
  [
    "channel.create",
    { name: "design", subscribers: [], topics_policy: "inherit", can_subscribe_group: nobody },
    'POST /api/v1/channels/create name=design subscribers=[] topics_policy="inherit" can_subscribe_group={"direct_members":[],"direct_subgroups":[]}',
  ],
  ["channel.archive", { stream_id: 7 }, "DELETE /api/v1/streams/7"],
  ["channel.email", { stream_id: 7 }, "GET /api/v1/streams/7/email_address"],
  ["channel.default.add", { stream_id: 7 }, "POST /api/v1/default_streams stream_id=7"],
  ["channel.default.rm", { stream_id: 7 }, "DELETE /api/v1/default_streams stream_id=7"],
  ["channel.topics", { stream_id: 7 }, "GET /api/v1/users/me/7/topics"],
  ["channel.topics.rm", { stream_id: 7, topic_name: "logo" }, "POST /api/v1/streams/7/delete_topic topic_name=logo"],
  [
    "messages.show",
    { message_id: 42, apply_markdown: false, allow_empty_topic_name: true },
    "GET /api/v1/messages/42 apply_markdown=false allow_empty_topic_name=true",
  ],
  [
    "messages.send",
    { type: "channel", to: 7, topic: "logo", content: "A *draft*", read_by_sender: true },
    "POST /api/v1/messages type=channel to=7 topic=logo content=A *draft* read_by_sender=true",
  ],
  [
    "messages.send",
    { type: "direct", to: [5, 6], content: "hello" },
    "POST /api/v1/messages type=direct to=[5,6] content=hello",
  ],
  [
    "messages.edit",
    { message_id: 42, topic: "✔ logo", propagate_mode: "change_all", send_notification_to_new_thread: false },
    "PATCH /api/v1/messages/42 topic=✔ logo propagate_mode=change_all send_notification_to_new_thread=false",
  ],
  [
    "messages.edit",
    { message_id: 42, stream_id: 7, propagate_mode: "change_later", send_notification_to_old_thread: true },
    "PATCH /api/v1/messages/42 stream_id=7 propagate_mode=change_later send_notification_to_old_thread=true",
  ],
  ["messages.edit", { message_id: 42, content: "" }, "PATCH /api/v1/messages/42 content="],
  [
    "messages.history",
    { message_id: 42, allow_empty_topic_name: true },
    "GET /api/v1/messages/42/history allow_empty_topic_name=true",
  ],
  ["messages.readers", { message_id: 42 }, "GET /api/v1/messages/42/read_receipts"],
  ["messages.render", { content: "**a**" }, "POST /api/v1/messages/render content=**a**"],
  [
    "messages.flags",
    { messages: [42, 43], op: "add", flag: "starred" },
    "POST /api/v1/messages/flags messages=[42,43] op=add flag=starred",
  ],
  [
    "messages.flags.narrow",
    { anchor: "oldest", num_before: 0, num_after: 5, narrow: null, op: "remove", flag: "read" },
    "POST /api/v1/messages/flags/narrow anchor=oldest num_before=0 num_after=5 narrow=null op=remove flag=read",
  ],
  ["messages.read", {}, "POST /api/v1/mark_all_as_read"],
  ["channel.read", { stream_id: 7 }, "POST /api/v1/mark_stream_as_read stream_id=7"],
  [
    "channel.topics.read",
    { stream_id: 7, topic_name: "logo" },
    "POST /api/v1/mark_topic_as_read stream_id=7 topic_name=logo",
  ],
  ["messages.delete", { message_id: 42 }, "DELETE /api/v1/messages/42"],
  [
    "folder.update",
    { channel_folder_id: 2, name: "Teams", is_archived: false },
    "PATCH /api/v1/channel_folders/2 name=Teams is_archived=false",
  ],
  ["folder.reorder", { order: [2, 1] }, "PATCH /api/v1/channel_folders order=[2,1]"],
  [
    "drafts.update",
    { draft_id: 3, draft },
    'PATCH /api/v1/drafts/3 draft={"type":"stream","to":[1],"topic":"t","content":"c"}',
  ],
  ["drafts.rm", { draft_id: 3 }, "DELETE /api/v1/drafts/3"],
  [
    "group.create",
    { name: "devs", description: "", members: [5], can_join_group: 15 },
    "POST /api/v1/user_groups/create name=devs description= members=[5] can_join_group=15",
  ],
  [
    "group.update",
    { user_group_id: 9, name: "devs", can_join_group: { new: 15, old: 12 } },
    'PATCH /api/v1/user_groups/9 name=devs can_join_group={"new":15,"old":12}',
  ],
  ["group.deactivate", { user_group_id: 9 }, "POST /api/v1/user_groups/9/deactivate"],
  ["group.member", { user_group_id: 9, user_id: 5 }, "GET /api/v1/user_groups/9/members/5"],
  ["group.subgroups", { user_group_id: 9, add: [10] }, "POST /api/v1/user_groups/9/subgroups add=[10]"],
  [
    "linkifier.update",
    { filter_id: 4, pattern: "T", url_template: "https://t.example" },
    "PATCH /api/v1/realm/filters/4 pattern=T url_template=https://t.example",
  ],
  ["linkifier.rm", { filter_id: 4 }, "DELETE /api/v1/realm/filters/4"],
  [
    "linkifier.reorder",
    { ordered_linkifier_ids: [4, 3] },
    "PATCH /api/v1/realm/linkifiers ordered_linkifier_ids=[4,3]",
  ],
  ["presence.list", {}, "GET /api/v1/realm/presence"],
  ["presence.get", { user_id_or_email: "ada@example.com" }, "GET /api/v1/users/ada%40example.com/presence"],
  [
    "presence.set",
    { status: "idle", slim_presence: true, last_update_id: -1, history_limit_days: 30 },
    "POST /api/v1/users/me/presence status=idle slim_presence=true last_update_id=-1 history_limit_days=30",
  ],
  ["status.get", { user_id: 5 }, "GET /api/v1/users/5/status"],
  [
    "status.set",
    { status_text: "out", away: false, emoji_name: "car", emoji_code: "1f697", reaction_type: "unicode_emoji" },
    "POST /api/v1/users/me/status status_text=out away=false emoji_name=car emoji_code=1f697 reaction_type=unicode_emoji",
  ],
  ["scheduled.list", {}, "GET /api/v1/scheduled_messages"],
  [
    "scheduled.add",
    { type: "channel", to: 4, content: "hi", scheduled_delivery_timestamp: 1797977497, topic: "t" },
    "POST /api/v1/scheduled_messages type=channel to=4 content=hi scheduled_delivery_timestamp=1797977497 topic=t",
  ],
  ["scheduled.edit", { scheduled_message_id: 3, to: [5] }, "PATCH /api/v1/scheduled_messages/3 to=[5]"],
  ["scheduled.rm", { scheduled_message_id: 3 }, "DELETE /api/v1/scheduled_messages/3"],
  ["attachment.url", { path_id: "2/ab/c/a.txt" }, "GET /api/v1/user_uploads/2%2Fab%2Fc%2Fa.txt"],
  ["emoji.list", {}, "GET /api/v1/realm/emoji"],
  ["emoji.rm", { emoji_name: "party" }, "DELETE /api/v1/realm/emoji/party"],
  ["export.rm", { export_id: 1 }, "DELETE /api/v1/export/realm/1"],
  ["export.consents", {}, "GET /api/v1/export/realm/consents"],
  ["invite.list", {}, "GET /api/v1/invites"],
  [
    "invite.add",
    { invitee_emails: "ada@example.com", stream_ids: [], invite_expires_in_minutes: null },
    "POST /api/v1/invites invitee_emails=ada@example.com stream_ids=[] invite_expires_in_minutes=null",
  ],
  ["invite.link", { invite_as: 600 }, "POST /api/v1/invites/multiuse invite_as=600"],
  ["invite.rm", { invite_id: 3 }, "DELETE /api/v1/invites/3"],
  ["invite.link.rm", { invite_id: 3 }, "DELETE /api/v1/invites/multiuse/3"],
  ["invite.resend", { invite_id: 3 }, "POST /api/v1/invites/3/resend"],
  ["profile-field.list", {}, "GET /api/v1/realm/profile_fields"],
  [
    "profile-field.create",
    { field_type: 7, field_data: { subtype: "github" } },
    'POST /api/v1/realm/profile_fields field_data={"subtype":"github"} field_type=7',
  ],
  ["profile-field.update", { field_id: 2, hint: "h" }, "PATCH /api/v1/realm/profile_fields/2 hint=h"],
  ["profile-field.reorder", { order: [2, 1] }, "PATCH /api/v1/realm/profile_fields order=[2,1]"],
  ["profile-field.rm", { field_id: 2 }, "DELETE /api/v1/realm/profile_fields/2"],
  ["domain.list", {}, "GET /api/v1/realm/domains"],
  [
    "domain.add",
    { domain: "example.com", allow_subdomains: true },
    "POST /api/v1/realm/domains domain=example.com allow_subdomains=true",
  ],
  [
    "domain.update",
    { domain: "example.com", allow_subdomains: false },
    "PATCH /api/v1/realm/domains/example.com allow_subdomains=false",
  ],
  ["domain.rm", { domain: "example.com" }, "DELETE /api/v1/realm/domains/example.com"],
  [
    "playground.add",
    { name: "Play", pygments_language: "python", url_template: "https://p.example/{code}" },
    "POST /api/v1/realm/playgrounds name=Play pygments_language=python url_template=https://p.example/{code}",
  ],
  ["playground.rm", { playground_id: 2 }, "DELETE /api/v1/realm/playgrounds/2"],
  [
    "organization.update",
    { name: "Org", message_retention_days: "unlimited", invite_required: false, can_create_groups: { new: 12 } },
    'PATCH /api/v1/realm name=Org invite_required=false message_retention_days="unlimited" can_create_groups={"new":12}',
  ],
  [
    "organization.defaults",
    { color_scheme: 2, emojiset: "text" },
    "PATCH /api/v1/realm/user_settings_defaults color_scheme=2 emojiset=text",
  ],
  [
    "events.register",
    { fetch_event_types: ["realm"], include_subscribers: "true" },
    'POST /api/v1/register include_subscribers=true fetch_event_types=["realm"]',
  ],
  [
    "events.list",
    { queue_id: "q", last_event_id: -1, dont_block: true },
    "GET /api/v1/events queue_id=q last_event_id=-1 dont_block=true",
  ],
  ["events.rm", { queue_id: "q" }, "DELETE /api/v1/events queue_id=q"],
  [
    "messages.list",
    { anchor: "newest", num_before: 5, num_after: 0 },
    "GET /api/v1/messages anchor=newest num_before=5 num_after=0",
  ],
  ["apns.unregister", { token: "ab" }, "DELETE /api/v1/users/me/apns_device_token token=ab"],
];

test.each(literal)("%s %j: %s", (name, args, wanted) => {
  const { method, target, body } = encode(call(operationNamed(name)!, args));
  const [path, query = ""] = target.split("?");
  const sent = [...new URLSearchParams(body ?? query)].map(([name, value]) => `${name}=${value}`);
  expect([`${method} ${path}`, ...sent].join(" ")).toBe(wanted);
});

test("older servers get include_subscribers as JSON", () => {
  expect(encode(call(getSubscriptions, { include_subscribers: "true" }), 411).target).toContain(
    "include_subscribers=true",
  );
});
