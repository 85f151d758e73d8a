import { addApnsToken, removeApnsToken } from "../../api/push.ts";
import { given } from "../../argv/given.ts";
import { textOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import type { Context } from "../../run/context.ts";

interface Options {
  token?: string;
  tokenStdin?: boolean;
}

/** The device token, and the flag that gave it. */
async function tokenOf({ world }: Context, { token, tokenStdin }: Options): Promise<{ token: string; flag: string }> {
  if ((token === undefined) === !tokenStdin)
    throw new Usage(
      token === undefined
        ? "missing required flag: --token or --token-stdin"
        : "--token cannot be combined with --token-stdin",
    );
  if (token !== undefined) return { token, flag: "--token" };
  return { token: await textOf(world, "--token-stdin", given("-")), flag: "--token-stdin" };
}

export async function register(context: Context, { appid, ...options }: Options & { appid: string }) {
  const { token, flag } = await tokenOf(context, options);
  return [
    change(
      addApnsToken,
      { token, appid },
      {
        target: appid,
        done: "Registered the device for {target}.",
        flags: { token: flag, appid: "--appid" },
        verifyWith: "zulipctl apns register, again: registering the same device twice changes nothing",
      },
    ),
  ];
}

export async function unregister(context: Context, options: Options) {
  const { token, flag } = await tokenOf(context, options);
  return [
    change(
      removeApnsToken,
      { token },
      {
        target: "device",
        done: "Unregistered the device.",
        flags: { token: flag },
        verifyWith: "zulipctl apns unregister, again: a device that is not registered is refused",
      },
    ),
  ];
}
