import { expect, test } from "vitest";
import { zulipctl } from "../run.ts";

const token = "a1".repeat(32);
const register = ["apns", "register", "--appid", "org.zulip.Zulip"];

test("apns register says once, on stderr, that a newer server deprecates it", async () => {
  expect(await zulipctl([...register, "--token", token])).toMatchObject({
    code: 0,
    out: 'Registered the device for "org.zulip.Zulip".\n',
    err: "zulipctl: chat.example (feature level 442) deprecates apns register; a later release will drop it\n",
  });
  expect((await zulipctl([...register, "--token", token, "--quiet"])).err).toBe("");
  expect((await zulipctl([...register, "--token", token], { level: 406 })).err).not.toBe("");
  expect(await zulipctl([...register, "--token", token], { level: 405 })).toMatchObject({ code: 0, err: "" });
});
