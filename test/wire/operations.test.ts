/** Operations in the literal text of the API's documentation: client and sandbox share the definitions, and could err alike. */

import { expect, test } from "vitest";
import { uploadFile } from "../../src/api/attachments.ts";
import {
  addDefaultChannel,
  archiveChannel,
  createChannel,
  getChannelEmail,
  getChannelId,
  removeDefaultChannel,
} from "../../src/api/channels.ts";
import { addDomain, getDomains, removeDomain, updateDomain } from "../../src/api/domains.ts";
import { removeDraft, updateDraft } from "../../src/api/drafts.ts";
import { getEmoji, removeEmoji } from "../../src/api/emoji.ts";
import { deleteQueue, getEvents, register } from "../../src/api/events.ts";
import { getConsents, removeExport } from "../../src/api/exports.ts";
import { reorderFolders, updateFolder } from "../../src/api/folders.ts";
import { createGroup, deactivateGroup, getMember, updateGroup, updateSubgroups } from "../../src/api/groups.ts";
import {
  createInvitationLink,
  getInvitations,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
} from "../../src/api/invitations.ts";
import { removeLinkifier, reorderLinkifiers, updateLinkifier } from "../../src/api/linkifiers.ts";
import { getMessages } from "../../src/api/messages.ts";
import { updateOrganization } from "../../src/api/organization.ts";
import {
  createUser,
  deactivateBot,
  deactivateOwnUser,
  deactivateUser,
  getBotKey,
  getBots,
  getSubscribed,
  getUser,
  getUserByEmail,
  getUserChannels,
  reactivateUser,
  regenerateKey,
  updateUser,
  updateUserByEmail,
} from "../../src/api/people.ts";
import { addPlayground, removePlayground } from "../../src/api/playgrounds.ts";
import {
  createProfileField,
  getProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from "../../src/api/profile-fields.ts";
import { removeApnsToken } from "../../src/api/push.ts";
import { getSubscribers, getSubscriptions, subscribe, unsubscribe } from "../../src/api/subscriptions.ts";
import { deleteTopic, getTopics } from "../../src/api/topics.ts";
import { updateDefaults } from "../../src/api/user-settings.ts";
import { call } from "../../src/wire/call.ts";
import { encode } from "../../src/wire/encode.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";

const draft = { type: "stream", to: [1], topic: "t", content: "c" };
const nobody = { direct_members: [], direct_subgroups: [] };

/** Bodies and queries stand decoded, a parameter after the other. */
const literal: [AnyOperation, Record<string, unknown>, string][] = [
  [getBots, {}, "GET /api/v1/bots"],
  [getBotKey, { bot_id: 5 }, "GET /api/v1/bots/5/api_key"],
  [deactivateBot, { bot_id: 5 }, "DELETE /api/v1/bots/5"],
  [getUser, { user_id: 5 }, "GET /api/v1/users/5"],
  [getUserByEmail, { email: "ada@example.com" }, "GET /api/v1/users/ada%40example.com"],
  [updateUser, { user_id: 5, full_name: "Ada", role: 400 }, "PATCH /api/v1/users/5 full_name=Ada role=400"],
  [
    updateUser,
    { user_id: 5, profile_data: [{ id: 3, value: null }] },
    'PATCH /api/v1/users/5 profile_data=[{"id":3,"value":null}]',
  ],
  [updateUserByEmail, { email: "ada@example.com", role: 200 }, "PATCH /api/v1/users/ada%40example.com role=200"],
  [
    createUser,
    { email: "ada@example.com", password: "p", full_name: "Ada" },
    "POST /api/v1/users email=ada@example.com password=p full_name=Ada",
  ],
  [
    deactivateUser,
    { user_id: 5, deactivation_notification_comment: "Bye" },
    "DELETE /api/v1/users/5 deactivation_notification_comment=Bye",
  ],
  [reactivateUser, { user_id: 5 }, "POST /api/v1/users/5/reactivate"],
  [deactivateOwnUser, {}, "DELETE /api/v1/users/me"],
  [regenerateKey, {}, "POST /api/v1/users/me/api_key/regenerate"],
  [getUserChannels, { user_id: 5 }, "GET /api/v1/users/5/channels"],
  [getSubscribed, { user_id: 5, stream_id: 7 }, "GET /api/v1/users/5/subscriptions/7"],
  [getSubscriptions, { include_subscribers: "true" }, "GET /api/v1/users/me/subscriptions include_subscribers=true"],
  [
    subscribe,
    { subscriptions: [{ name: "design" }], principals: [5, 6] },
    'POST /api/v1/users/me/subscriptions subscriptions=[{"name":"design"}] principals=[5,6]',
  ],
  [
    unsubscribe,
    { subscriptions: ["design"], principals: [5] },
    'DELETE /api/v1/users/me/subscriptions subscriptions=["design"] principals=[5]',
  ],
  [getChannelId, { stream: "design" }, "GET /api/v1/get_stream_id stream=design"],
  [getSubscribers, { stream_id: 7 }, "GET /api/v1/streams/7/members"],
  [
    createChannel,
    { name: "design", subscribers: [], topics_policy: "inherit", can_subscribe_group: nobody },
    'POST /api/v1/channels/create name=design subscribers=[] topics_policy="inherit" can_subscribe_group={"direct_members":[],"direct_subgroups":[]}',
  ],
  [archiveChannel, { stream_id: 7 }, "DELETE /api/v1/streams/7"],
  [getChannelEmail, { stream_id: 7 }, "GET /api/v1/streams/7/email_address"],
  [addDefaultChannel, { stream_id: 7 }, "POST /api/v1/default_streams stream_id=7"],
  [removeDefaultChannel, { stream_id: 7 }, "DELETE /api/v1/default_streams stream_id=7"],
  [getTopics, { stream_id: 7 }, "GET /api/v1/users/me/7/topics"],
  [deleteTopic, { stream_id: 7, topic_name: "logo" }, "POST /api/v1/streams/7/delete_topic topic_name=logo"],
  [
    updateFolder,
    { channel_folder_id: 2, name: "Teams", is_archived: false },
    "PATCH /api/v1/channel_folders/2 name=Teams is_archived=false",
  ],
  [reorderFolders, { order: [2, 1] }, "PATCH /api/v1/channel_folders order=[2,1]"],
  [
    updateDraft,
    { draft_id: 3, draft },
    'PATCH /api/v1/drafts/3 draft={"type":"stream","to":[1],"topic":"t","content":"c"}',
  ],
  [removeDraft, { draft_id: 3 }, "DELETE /api/v1/drafts/3"],
  [
    createGroup,
    { name: "devs", description: "", members: [5], can_join_group: 15 },
    "POST /api/v1/user_groups/create name=devs description= members=[5] can_join_group=15",
  ],
  [
    updateGroup,
    { user_group_id: 9, name: "devs", can_join_group: { new: 15, old: 12 } },
    'PATCH /api/v1/user_groups/9 name=devs can_join_group={"new":15,"old":12}',
  ],
  [deactivateGroup, { user_group_id: 9 }, "POST /api/v1/user_groups/9/deactivate"],
  [getMember, { user_group_id: 9, user_id: 5 }, "GET /api/v1/user_groups/9/members/5"],
  [updateSubgroups, { user_group_id: 9, add: [10] }, "POST /api/v1/user_groups/9/subgroups add=[10]"],
  [
    updateLinkifier,
    { filter_id: 4, pattern: "T", url_template: "https://t.example" },
    "PATCH /api/v1/realm/filters/4 pattern=T url_template=https://t.example",
  ],
  [removeLinkifier, { filter_id: 4 }, "DELETE /api/v1/realm/filters/4"],
  [reorderLinkifiers, { ordered_linkifier_ids: [4, 3] }, "PATCH /api/v1/realm/linkifiers ordered_linkifier_ids=[4,3]"],
  [removeExport, { export_id: 1 }, "DELETE /api/v1/export/realm/1"],
  [getConsents, {}, "GET /api/v1/export/realm/consents"],
  [getInvitations, {}, "GET /api/v1/invites"],
  [
    sendInvitations,
    { invitee_emails: "ada@example.com", stream_ids: [], invite_expires_in_minutes: null },
    "POST /api/v1/invites invitee_emails=ada@example.com stream_ids=[] invite_expires_in_minutes=null",
  ],
  [createInvitationLink, { invite_as: 600 }, "POST /api/v1/invites/multiuse invite_as=600"],
  [revokeInvitation, { invite_id: 3 }, "DELETE /api/v1/invites/3"],
  [revokeInvitationLink, { invite_id: 3 }, "DELETE /api/v1/invites/multiuse/3"],
  [resendInvitation, { invite_id: 3 }, "POST /api/v1/invites/3/resend"],
  [getProfileFields, {}, "GET /api/v1/realm/profile_fields"],
  [
    createProfileField,
    { field_type: 7, field_data: { subtype: "github" } },
    'POST /api/v1/realm/profile_fields field_data={"subtype":"github"} field_type=7',
  ],
  [updateProfileField, { field_id: 2, hint: "h" }, "PATCH /api/v1/realm/profile_fields/2 hint=h"],
  [reorderProfileFields, { order: [2, 1] }, "PATCH /api/v1/realm/profile_fields order=[2,1]"],
  [removeProfileField, { field_id: 2 }, "DELETE /api/v1/realm/profile_fields/2"],
  [getDomains, {}, "GET /api/v1/realm/domains"],
  [
    addDomain,
    { domain: "example.com", allow_subdomains: true },
    "POST /api/v1/realm/domains domain=example.com allow_subdomains=true",
  ],
  [
    updateDomain,
    { domain: "example.com", allow_subdomains: false },
    "PATCH /api/v1/realm/domains/example.com allow_subdomains=false",
  ],
  [removeDomain, { domain: "example.com" }, "DELETE /api/v1/realm/domains/example.com"],
  [
    addPlayground,
    { name: "Play", pygments_language: "python", url_template: "https://p.example/{code}" },
    "POST /api/v1/realm/playgrounds name=Play pygments_language=python url_template=https://p.example/{code}",
  ],
  [removePlayground, { playground_id: 2 }, "DELETE /api/v1/realm/playgrounds/2"],
  [getEmoji, {}, "GET /api/v1/realm/emoji"],
  [removeEmoji, { emoji_name: "party" }, "DELETE /api/v1/realm/emoji/party"],
  [
    updateOrganization,
    { name: "Org", message_retention_days: "unlimited", invite_required: false, can_create_groups: { new: 12 } },
    'PATCH /api/v1/realm name=Org invite_required=false message_retention_days="unlimited" can_create_groups={"new":12}',
  ],
  [
    updateDefaults,
    { color_scheme: 2, emojiset: "text" },
    "PATCH /api/v1/realm/user_settings_defaults color_scheme=2 emojiset=text",
  ],
  [
    register,
    { fetch_event_types: ["realm"], include_subscribers: "true" },
    'POST /api/v1/register include_subscribers=true fetch_event_types=["realm"]',
  ],
  [
    getEvents,
    { queue_id: "q", last_event_id: -1, dont_block: true },
    "GET /api/v1/events queue_id=q last_event_id=-1 dont_block=true",
  ],
  [deleteQueue, { queue_id: "q" }, "DELETE /api/v1/events queue_id=q"],
  [
    getMessages,
    { anchor: "newest", num_before: 5, num_after: 0 },
    "GET /api/v1/messages anchor=newest num_before=5 num_after=0",
  ],
  [removeApnsToken, { token: "ab" }, "DELETE /api/v1/users/me/apns_device_token token=ab"],
  [uploadFile, {}, "POST /api/v1/user_uploads"],
];

test.each(literal.map(([operation, args, wanted]) => [operation.name, wanted, operation, args] as const))(
  "%s: %s",
  (_, wanted, operation, args) => {
    const { method, target, body } = encode(call(operation, args));
    const [path, query = ""] = target.split("?");
    const sent = [...new URLSearchParams(body ?? query)].map(([name, value]) => `${name}=${value}`);
    expect([`${method} ${path}`, ...sent].join(" ")).toBe(wanted);
  },
);

test("older servers are told of subscribers and of names in their way", () => {
  expect(encode(call(getSubscriptions, { include_subscribers: "true" }), 411).target).toContain(
    "include_subscribers=true",
  );
  expect(encode(call(updateUser, { user_id: 5, full_name: "Ada" }), 105).body).toBe("full_name=%22Ada%22");
});
