import { describe, expect, test } from "vitest";
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

test("apns register reads the token from stdin", async () => {
  const { code, sent } = await zulipctl([...register, "--token-stdin"], { input: `${token}\n` });
  expect(code).toBe(0);
  expect(sent[0]?.body).toBe(`token=${token}&appid=org.zulip.Zulip`);
});

test("apns register shows no token anywhere", async () => {
  const dry = await zulipctl([...register, "--token", token, "-nv"]);
  expect(dry.out).toBe(
    "POST https://chat.example/api/v1/users/me/apns_device_token  apns.register\n" +
      '  token = "[secret]"\n  appid = "org.zulip.Zulip"\n  body: token=[secret]&appid=org.zulip.Zulip\n',
  );
  const verbose = await zulipctl([...register, "--token", token, "-v"]);
  expect(dry.out + dry.err + verbose.out + verbose.err).not.toContain(token);
});

describe("apns register as a usage error sends nothing:", () => {
  test.each([
    [register, "missing required flag: --token or --token-stdin"],
    [[...register, "--token", "a", "--token-stdin"], "--token cannot be combined with --token-stdin"],
    [["apns", "register", "--token", "a"], "apns register needs --appid <id>"],
  ])("%j", async (argv, words) => {
    const { code, err, sent } = await zulipctl(argv);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err.split("\n")[0]).toBe(`zulipctl: ${words}`);
  });
});

describe("apns register is refused", () => {
  test.each([
    ["", "org.zulip.Zulip", 100, "Empty or invalid length token"],
    ["zz", "org.zulip.Zulip", 100, "Invalid APNS token"],
    [token, "org zulip", 100, "appid has invalid format"],
    [token, "org.zulip.Zulip", "beep-bot@sandbox.example", "This endpoint does not accept bot requests."],
  ])("%s for %s by %s", async (given, appid, as, words) => {
    const argv = ["apns", "register", "--token", given, "--appid", appid, "--quiet"];
    expect(await zulipctl(argv, { as })).toMatchObject({ code: 1, err: `zulipctl: ${words}\n` });
  });
});
