import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { updateOrganization } from "../../src/api/organization.ts";
import { deactivateUser } from "../../src/api/people.ts";
import { operationNamed, operations } from "../../src/api/registry.ts";
import { getSubscriptions } from "../../src/api/subscriptions.ts";
import { updateDefaults } from "../../src/api/user-settings.ts";
import { call } from "../../src/wire/call.ts";
import { encode } from "../../src/wire/encode.ts";

const literal = readFileSync(`${import.meta.dirname}/operations.txt`, "utf8").matchAll(/^(\w\S*) ?(.*)\n {4}(.+)$/gm);

test.each([...literal].map(([, name, args, request]) => [name!, args || "{}", request!] as const))(
  "%s %s: %s",
  (name, args, request) => {
    const { method, target, body } = encode(call(operationNamed(name)!, JSON.parse(args)));
    const [path, query = ""] = target.split("?");
    const sent = [...new URLSearchParams(query), ...new URLSearchParams(body)].map(
      ([name, value]) => `${name}=${value}`,
    );
    expect([`${method} ${path}`, ...sent].join(" ")).toBe(request);
  },
);

test.each([
  [452, "giphy_rating=2"],
  [453, "gif_rating_policy=2"],
])("a server of level %i gets %s", (level, sent) => {
  expect(encode(call(updateOrganization, { gif_rating_policy: 2 }), level).body).toBe(sent);
});

test.each([
  [453, "web_home_view=recent_topics"],
  [454, "web_home_view=recent"],
])("a server of level %i gets the word %s", (level, sent) => {
  expect(encode(call(updateDefaults, { web_home_view: "recent" }), level).body).toBe(sent);
});

test("what is deleted with an account travels in the URL, and the comment in the body", () => {
  const actions = {
    delete_profile: true,
    delete_public_channel_messages: true,
    delete_private_channel_messages: false,
    delete_direct_messages: false,
  };
  const encoded = encode(call(deactivateUser, { user_id: 5, deactivation_notification_comment: "Bye", actions }), 500);
  const query = `actions=${encodeURIComponent(JSON.stringify(actions))}`;
  const target = `/api/v1/users/5?${query}`;
  const body = "deactivation_notification_comment=Bye";
  expect(encoded).toMatchObject({ target, body, masked: { target, body }, parameters: { actions } });
});

test("older servers get include_subscribers as JSON", () => {
  const { target } = encode(call(getSubscriptions, { include_subscribers: "true" }), 411);
  expect(target).toContain("include_subscribers=true");
});

/** The lowest role of callers, literally: the sandbox reads it from the operations. */
const callers = {
  owner: "domain.add domain.rm domain.update",
  administrator: `
    channel.default.add channel.default.rm channel.topics.rm export.consents export.create export.list export.rm
    folder.create folder.reorder folder.update linkifier.add linkifier.reorder linkifier.rm linkifier.update
    organization.defaults organization.update playground.add playground.rm profile-field.create profile-field.reorder
    profile-field.rm profile-field.update settings.update-people users.create users.deactivate users.reactivate
    users.update users.update-by-email`,
  member: `
    bots.create bots.deactivate bots.key bots.list bots.regenerate-key bots.update channel.create channel.subscribe
    emoji.add group.create group.deactivate group.list group.member group.members group.members.list group.subgroups
    group.subgroups.list group.update invite.add invite.link invite.link.rm invite.list invite.resend invite.rm`,
};

test.each(Object.entries(callers))("state that these calls need the role %s", (role, names) => {
  const found = operations().filter(({ who }) => who?.role === role);
  expect(found.map(({ name }) => name).sort()).toEqual(names.trim().split(/\s+/));
});
