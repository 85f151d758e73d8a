import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

test("channel list --inactive lists channels that the server calls inactive", async () => {
  const sandbox = fresh();
  const http = async (request: Parameters<typeof sandbox.handle>[0]) => {
    const response = await sandbox.handle(request);
    if (!request.url.includes("/streams?")) return response;
    const chunks: Uint8Array[] = [];
    for await (const bytes of response.body) chunks.push(bytes);
    const { streams, ...rest } = JSON.parse(Buffer.concat(chunks).toString());
    const changed = streams.map((channel: { stream_id: number }) => ({
      ...channel,
      is_recently_active: ![4, 5].includes(channel.stream_id),
    }));
    return answer(200, { ...rest, streams: changed });
  };
  const { out } = await zulipctl(["channel", "list", "--inactive", "-o", "ids"], { sandbox, http });
  expect(out).toBe("5\n4\n");
});

test("channel email fails if the server has no gateway", async () => {
  const http = async () => answer(200, { result: "success", msg: "", email: "" });
  expect(await zulipctl(["channel", "email", "1", "--feature-level", "442"], { http })).toMatchObject({
    code: 1,
    err: "zulipctl: the server has no gateway for incoming e-mail, so channels have no e-mail address\n",
  });
});
