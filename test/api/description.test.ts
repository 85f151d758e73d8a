/** Holds every operation against the description of Zulip 12.3. */
import { expect, test } from "vitest";
import { operations } from "../../src/api/registry.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";
import type { Param } from "../../src/wire/params.ts";
import { shapeOf } from "../../src/wire/shape.ts";
import { type DescribedParameter, describedOperation, describedOperations } from "../description.ts";

/** Calls that the description leaves out. */
const undescribed = [
  ...["GET /bots", "POST /bots", "PATCH /bots/{bot_id}", "DELETE /bots/{bot_id}", "GET /user_uploads/{path_id}"],
  ...["PATCH /realm", "PATCH /realm/profile_fields/{field_id}", "DELETE /realm/profile_fields/{field_id}"],
  "DELETE /export/realm/{export_id}",
  // Only the sandbox has it.
  "POST /sandbox/accept_invitation",
];

const bodyOfGet = "the description has a form, but a GET has no body";
const fileByOtherName = "the server takes the only file, whatever its name is";
const since507 = "newer than the description: level 507";
const retention = "a running server reads JSON";
const plainPermission = "a running server reads JSON, as it does for the other permissions";
const ownAccount = "it is refused or ignored for others, and zulipctl changes no settings of the caller";

/** Where zulipctl differs from the description, and why. */
const allowed: Readonly<Record<string, string>> = {
  "attachment.add filename: missing": fileByOtherName,
  "attachment.add file: unknown": fileByOtherName,
  "emoji.add filename: required": "the server refuses a request without it",
  "channel.update default_push_notifications: unknown": since507,
  "channel.create default_push_notifications: unknown": since507,
  "channel.subscribe default_push_notifications: unknown": since507,
  "channel.update message_retention_days: JSON": retention,
  "channel.create message_retention_days: JSON": retention,
  "channel.subscribe message_retention_days: JSON": retention,
  "channel.create can_delete_any_message_group: JSON": plainPermission,
  "channel.create can_delete_own_message_group: JSON": plainPermission,
  "drafts.add drafts: required": "without drafts the call does nothing",
  "folder.create description: required": "zulipctl always sends one",
  "folder.list include_archived: form": bodyOfGet,
  "group.list include_deactivated_groups: form": bodyOfGet,
  "events.register queue_lifespan_secs: unknown": "servers know it, but do not document it",
  "messages.list use_first_unread_anchor: missing": "deprecated: the anchor first_unread does the same",
  "messages.send queue_id: missing": "for the copy of an own message in an open client",
  "messages.send local_id: missing": "for the copy of an own message in an open client",
  "messages.send type: lacks stream,private": "older words for channel and direct",
  "scheduled.add type: lacks stream,private": "older words for channel and direct",
  "scheduled.edit type: lacks stream,private": "older words for channel and direct",
  "messages.edit prev_content_sha256: missing": "for an open client: zulipctl compares the content itself",
  "presence.list presence_last_update_id: answer": "one type for two calls; it is optional",
  "settings.update-people target_users: required": "without it, the call would change the caller's own settings",
  ...Object.fromEntries(
    [
      ...["full_name", "email", "old_password", "new_password", "timezone", "allow_private_data_export"],
      ...["enable_marketing_emails", "enable_login_emails", "enable_digest_emails", "presence_enabled"],
      ...["send_private_typing_notifications", "send_stream_typing_notifications", "send_read_receipts"],
      "email_address_visibility",
    ].map((name) => [`settings.update-people ${name}: missing`, ownAccount]),
  ),
};

/** A plain number or truth value looks the same as JSON. */
const needsQuotes = ({ type }: DescribedParameter): boolean => type !== "integer" && type !== "boolean";

function differencesOf(operation: AnyOperation, name: string, described: DescribedParameter): string[] {
  const param: Param | undefined = operation.params[name];
  if (!param) return ["missing"];
  const found: string[] = [];
  if (param.optional === Boolean(described.required)) found.push("required");
  if (described.in === "path") return found;
  const isInQuery = operation.method === "GET" || param.query === true;
  if (described.in !== "multipart" && isInQuery !== (described.in === "query")) found.push(described.in);
  const isJson = param.encoding === "json";
  if (needsQuotes(described) && isJson !== Boolean(described.json)) found.push("JSON");
  if (!needsQuotes(described) && described.json && !isJson) found.push("JSON");
  if (described.since !== undefined && param.since !== described.since) found.push(`since ${param.since}`);
  const { options, entries } = shapeOf(param.type);
  if (described.enum && Array.isArray(options) && options.every((each) => typeof each !== "object")) {
    const unknown = described.enum.filter((word) => !options.some((each) => each === word));
    if (unknown.length) found.push(`lacks ${unknown.join()}`);
  }
  if (described.members && entries && isJson && !name.startsWith("can_")) {
    if (JSON.stringify(Object.keys(entries).sort()) !== JSON.stringify([...described.members].sort()))
      found.push("members");
  }
  return found;
}

const jsonOperations = operations().filter(({ answer }) => answer === "json");

test("has every operation that the description has, and no other", () => {
  const requests = jsonOperations.map(({ method, path }) => `${method} ${path}`);
  expect(requests.filter((request) => !describedOperation(request)).sort()).toEqual([...undescribed].sort());
  const found = new Set(requests.map((request) => describedOperation(request)));
  expect(describedOperations.filter((each) => !found.has(each))).toEqual([]);
});

test("parameters and answers are those of the description, with these exceptions", () => {
  const differences = jsonOperations.flatMap((operation) => {
    const described = describedOperation(`${operation.method} ${operation.path}`);
    if (!described) return [];
    const params: Record<string, Param> = operation.params;
    const answer = Array.isArray(described.answer) ? described.answer : Object.keys(described.answer);
    return [
      ...Object.entries(described.params).flatMap(([name, parameter]) =>
        differencesOf(operation, name, parameter).map((what) => `${name}: ${what}`),
      ),
      ...Object.keys(params)
        .filter((name) => params[name]?.encoding !== "unsent" && !Object.hasOwn(described.params, name))
        .map((name) => `${name}: unknown`),
      ...Object.keys(shapeOf(operation.result).entries ?? {})
        .filter((name) => !answer.includes(name))
        .map((name) => `${name}: answer`),
    ].map((difference) => `${operation.name} ${difference}`);
  });
  expect(differences.toSorted()).toEqual(Object.keys(allowed).toSorted());
});
