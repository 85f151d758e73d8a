/** `settings update --people` sends large groups in several requests. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";

test("sends at most 500 people in one request, and counts each", async () => {
  const sandbox = fresh({ level: 468 });
  const { state } = sandbox;
  const cora = state.users.get(11)!;
  const ids = Array.from({ length: 501 }, (_, n) => 1000 + n);
  for (const user_id of ids)
    state.users.set(user_id, {
      ...cora,
      user_id,
      full_name: `Person ${user_id}`,
      delivery_email: `p${user_id}@sandbox.example`,
    });
  const group = state.groups.get(17)!;
  group.members = new Set(ids);
  const run = await zulipctl(["settings", "update", "enable_sounds=false", "--people", "group:designers"], { sandbox });
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).toBe(
    [500, 1]
      .map(
        (n) =>
          `For ${n} ${n > 1 ? "people" : "person"}, except where they chose for themselves: enable_sounds set to false.\n`,
      )
      .join(""),
  );
  const bodies = run.sent.filter(({ method }) => method === "PATCH").map(({ body }) => new URLSearchParams(body));
  const targets = bodies.map((body) => JSON.parse(body.get("target_users") ?? ""));
  expect(targets.map(({ user_ids }) => user_ids.length)).toEqual([500, 1]);
  expect(targets.flatMap(({ user_ids }) => user_ids)).toEqual(ids);
  expect(ids.filter((id) => state.users.get(id)?.settings?.enable_sounds !== false)).toEqual([]);
});
