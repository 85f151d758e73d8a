/** The statements of kinds: what they name exists, and nothing is left out. */
import { expect, test } from "vitest";
import { operationNamed, operations } from "../../src/api/registry.ts";
import { membersOf } from "../../src/common/members.ts";
import { everyKind } from "../../src/model/kinds/index.ts";
import type { Kind } from "../../src/model/kinds/kind.ts";
import { isChange } from "../../src/wire/operation.ts";

const namedBy = ({ read, create, update, archive, restore, remove, reorder, lists = {} }: Kind): string[] => [
  read.operation,
  ...create,
  ...[update, archive?.operation, restore?.operation, remove?.operation, reorder].flatMap((name) => name ?? []),
  ...Object.values(lists).flatMap(({ add, remove }) => [add, remove]),
];

test.each(everyKind)("the operations of kind %s exist, and its list is in the answer", (_, kind) => {
  expect(namedBy(kind).filter((name) => !operationNamed(name))).toEqual([]);
  const { operation, list, parts } = kind.read;
  if (!parts) expect(membersOf(membersOf(operationNamed(operation)?.result).entries)).toHaveProperty(list);
});

test("every operation that changes the server belongs to a kind, or changes no thing of one", () => {
  const known = new Set(everyKind.flatMap(([, kind]) => namedBy(kind)));
  const unknown = operations().filter((each) => isChange(each) && !known.has(each.name));
  expect(unknown.map(({ name }) => name).sort()).toMatchInlineSnapshot(`
    [
      "apns.register",
      "apns.unregister",
      "bots.regenerate-key",
      "channel.default.add",
      "channel.default.rm",
      "channel.read",
      "channel.topics.read",
      "channel.topics.rm",
      "group.subgroups",
      "invite.link.rm",
      "invite.resend",
      "messages.delete",
      "messages.edit",
      "messages.flags",
      "messages.flags.narrow",
      "messages.read",
      "messages.send",
      "organization.defaults",
      "organization.update",
      "presence.set",
      "sandbox.accept-invitation",
      "scheduled.add",
      "scheduled.edit",
      "scheduled.rm",
      "settings.update-people",
      "status.set",
      "users.me.deactivate",
      "users.me.regenerate-key",
      "users.update-by-email",
    ]
  `);
});
