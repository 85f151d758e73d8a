import { expect, test } from "vitest";
import { answer, hostile, refusal, success } from "./hostile-server.ts";
import { zulipctl } from "./program.ts";

const update = ["channel", "update", "general", "--description", "x", "--feature-level", "442", "-o", "json"];
const streams = success({ streams: [{ stream_id: 2, name: "general" }] });
const outcome = ({ code, err }: { code: number | null; err: string }) => ({
  code,
  outcome: (JSON.parse(err) as { error: { outcome: string } }).error.outcome,
});

test.each([0, 1, 5, 20])("a success that nobody asked for, %i ms after a read, never hides a refusal", async (ms) => {
  const { env, asked } = await hostile((socket, _, request) => {
    if (!request.startsWith("GET")) return setTimeout(() => socket.write(refusal(400, "BAD_REQUEST")), 40);
    if (ms === 0) return socket.write(streams + success());
    socket.write(streams);
    return setTimeout(() => socket.writable && socket.write(success()), ms);
  });
  expect(outcome(await zulipctl(update, { env }))).toEqual({ code: 1, outcome: "not_applied" });
  expect(asked).toEqual(["GET /api/v1/streams?exclude_archived=false&include_all=true", "PATCH /api/v1/streams/2"]);
});

test.each([
  ["a success and a refusal", success() + refusal(400, "BAD_REQUEST")],
  ["a refusal and a success", refusal(400, "BAD_REQUEST") + success()],
  ["two pages", answer(200, "<p>one</p>") + answer(200, "<p>two</p>")],
])("%s to one change: what became of it is not claimed", async (_, both) => {
  const { env, asked, site } = await hostile((socket) => socket.write(both));
  const ended = await zulipctl(["attachment", "rm", "3", "--yes"], { env });
  expect(ended).toMatchObject({
    code: 7,
    out: "",
    err:
      `zulipctl: ${new URL(site).host} sent more than one answer; the change may or may not have been applied\n` +
      "Check with: zulipctl attachment list\n",
  });
  expect(asked).toEqual(["DELETE /api/v1/attachments/3"]);
});
