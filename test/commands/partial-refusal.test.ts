/** A running server of level 468 refuses a wrong `old` of a permission, and yet has made the channel private. */
import { expect, test } from "vitest";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

const mismatch = {
  result: "error",
  msg: "'old' value does not match the expected value.",
  code: "EXPECTATION_MISMATCH",
};

test("a refusal after a part was applied counts as maybe partial, and undo takes the part back", async () => {
  const sandbox = fresh({ level: 468 });
  const channel = sandbox.state.channels.get(1)!;
  let refuses = true;
  const http: Http = (request) => {
    if (request.method !== "PATCH" || !refuses) return sandbox.handle(request);
    refuses = false;
    channel.invite_only = true;
    channel.history_public_to_subscribers = false;
    return Promise.resolve(answer(400, mismatch));
  };
  const files = new Map<string, string>();
  const logs = new Map<string, string>();
  const env = credentials(sandbox);
  const run = (...argv: string[]) => zulipctl(argv, { sandbox, http, files, logs, env });

  const refused = await run(
    ...["channel", "update", "1", "--private", "--can-send-message-group", "role:moderators"],
    ...["--expect", "can_send_message_group=role:everyone", "--json", "--yes"],
  );
  expect(refused.code).toBe(6);
  const { error } = JSON.parse(refused.err.trim().split("\n").at(-1)!);
  expect(error).toMatchObject({
    outcome: "maybe_partial",
    code: "EXPECTATION_MISMATCH",
    hint: "Check with: zulipctl channel show 1",
  });

  const undone = await run("undo", "--yes");
  expect({ code: undone.code, isPrivate: channel.invite_only }).toEqual({ code: 0, isPrivate: false });
});
