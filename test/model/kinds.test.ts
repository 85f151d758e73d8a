/** The statements of kinds: what they name exists, and nothing is left out. */
import { expect, test } from "vitest";
import { memberKindNamed, operationNamed, operations } from "../../src/api/registry.ts";
import { membersOf } from "../../src/common/object-members.ts";
import { judgedSubject } from "../../src/effects/judge.ts";
import { change } from "../../src/engine/change.ts";
import { everyKind, kindNamed } from "../../src/model/kinds/index.ts";
import type { Kind } from "../../src/model/kinds/kind.ts";
import { everyList, listArguments, listKey } from "../../src/model/kinds/lists.ts";
import { isChange } from "../../src/wire/operation.ts";

const namedBy = ({ read, create, update, archive, restore, remove, reorder, lists = {} }: Kind): string[] => [
  read.operation,
  ...create,
  ...[update, archive?.operation, restore?.operation, remove?.operation, reorder].flatMap((name) => name ?? []),
  ...Object.values(lists).flatMap(({ read, add, remove }) => [
    ...(read ? [read.operation] : []),
    ...[add.operation, remove.operation],
  ]),
];

test.each(everyKind)("the operations of kind %s exist, and its list is in the answer", (_, kind) => {
  expect(namedBy(kind).filter((name) => !operationNamed(name))).toEqual([]);
  const { operation, list, parts } = kind.read;
  if (kind.log) expect(Object.values(kind.lists ?? {}).filter((list) => !list.log)).toEqual([]);
  if (!parts) expect(membersOf(membersOf(operationNamed(operation)?.result).entries)).toHaveProperty(list);
});

test.each(everyList)("the list $name is read and changed as stated", (list) => {
  const { name, kind, of, read, add, remove } = list;
  const named = memberKindNamed(name).of(7);
  expect(named).toMatchObject({ list: listKey(list, 7), owner: 7 });
  expect(named.read.name).toBe((read ?? kindNamed(kind).read).operation);
  const [, inPath = ""] = /\{(\w+)\}/.exec(named.read.path) ?? [];
  if (read) {
    expect(named.args).toMatchObject({ [inPath]: 7 });
    expect(membersOf(membersOf(named.read.result).entries)).toHaveProperty(read.list);
  }
  for (const [call, did] of [
    [add, "added"],
    [remove, "removed"],
  ] as const) {
    const operation = operationNamed(call.operation)!;
    const args = listArguments(call, { id: 7, name: "x" }, [9]);
    expect(Object.keys(args).filter((param) => !Object.hasOwn(operation.params, param))).toEqual([]);
    expect(operation.params[call.members]).toMatchObject({ of });
    expect(operation.memberships?.(args)).toContainEqual(
      expect.objectContaining({ name, owner: 7, [did]: [9], list: listKey(list, 7) }),
    );
    const does = did === "added" ? "join" : "leave";
    expect(judgedSubject(change(operation, args, { target: "x", done: "", verifyWith: "" })).impacts).toContainEqual({
      does,
      list: name,
      of: 7,
      who: [9],
    });
  }
});

test("events tell who comes to a list, and who goes", () => {
  const missing = everyList.filter(({ kind, plural }) => {
    const told = Object.values(kindNamed(kind).events ?? {}).filter(
      (event) => "list" in event && event.list === plural,
    );
    return !told.some((event) => "joined" in event) || !told.some((event) => "left" in event);
  });
  // One of these events is about several channels: `src/watch/event-changes.ts` reads them.
  expect(missing.map(({ name }) => name)).toEqual(["channel subscribers"]);
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
