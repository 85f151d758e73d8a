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
