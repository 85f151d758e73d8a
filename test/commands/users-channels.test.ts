/** Servers from level 458 on name archived channels among those of a person. */
import { expect, test } from "vitest";
import type { Http } from "../../src/world/world.ts";
import { fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

/** Runs the command on a server whose list for Cora has the channels 1 and 7, which is archived. */
function channelsOfCora(...words: string[]) {
  const sandbox = fresh({ level: 468 });
  const http: Http = (request) =>
    request.url.endsWith("/users/11/channels")
      ? Promise.resolve(answer(200, { result: "success", msg: "", subscribed_channel_ids: [1, 7] }))
      : sandbox.handle(request);
  return zulipctl(["users", "channels", "11", "-o", "ids", ...words], { sandbox, http });
}

test("leaves archived channels out, and names them", async () => {
  const { code, out, err } = await channelsOfCora();
  expect({ code, out, err }).toEqual({
    code: 0,
    out: "1\n",
    err: "zulipctl: 1 archived channel left out: attic (7)\n",
  });
});

test("says nothing about archived channels with --quiet", async () => {
  const { code, out, err } = await channelsOfCora("-q");
  expect({ code, out, err }).toEqual({ code: 0, out: "1\n", err: "" });
});
