import { expect, test } from "vitest";
import { AuditLog } from "../../src/sandbox/audit-log.ts";
import { getExisting } from "../../src/sandbox/state.ts";
import { noon, person, sandboxOf } from "./client.ts";

test("logs a change with the account that made it, even if the request is refused later", () => {
  const sandbox = sandboxOf();
  const { channels } = sandbox.state;
  const log = new AuditLog(sandbox.state);
  const [iris, adam] = ["iris", "adam"].map((key) => person(sandbox, key).user_id);
  const renamed = (caller: number | undefined, id: number, refusal?: Error) => () =>
    log.record(caller ?? null, noon, () => {
      getExisting(channels, id).name = `channel ${id}`;
      if (refusal) throw refusal;
    });
  expect(renamed(iris, 1, new Error("refused"))).toThrow("refused");
  renamed(adam, 2)();
  expect(log.rows.slice(-2)).toMatchObject([
    { event_type: 603, acting_user: iris, modified_stream: 1 },
    { event_type: 603, acting_user: adam, modified_stream: 2 },
  ]);
});

test("logs a permission that changes from some people to others", () => {
  const sandbox = sandboxOf();
  const log = new AuditLog(sandbox.state);
  const channel = getExisting(sandbox.state.channels, 1);
  for (const id of [9, 10])
    log.record(8, noon, () => {
      const value = { direct_members: [id], direct_subgroups: [] };
      const current = channel.settings.can_subscribe_group;
      if (typeof current === "object") Object.assign(current, value);
      else channel.settings.can_subscribe_group = value;
    });
  expect(log.rows.slice(-2).map(({ event_type }) => event_type)).toEqual([608, 608]);
});
