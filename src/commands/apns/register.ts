import { addApnsToken } from "../../api/push.ts";
import { given } from "../../argv/given.ts";
import { textOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import type { Context } from "../../run/context.ts";

interface Options {
  token?: string;
  tokenStdin?: boolean;
  appid: string;
}

export async function register({ world }: Context, { token, tokenStdin, appid }: Options) {
  if ((token === undefined) === !tokenStdin)
    throw new Usage(
      token === undefined
        ? "one of --token and --token-stdin is needed"
        : "--token and --token-stdin contradict each other",
    );
  return [
    change(
      addApnsToken,
      { token: token ?? (await textOf(world, "--token-stdin", given("-"))), appid },
      {
        target: appid,
        done: "Device registered for {target}.",
        flags: { token: token === undefined ? "--token-stdin" : "--token", appid: "--appid" },
        verifyWith: "zulipctl apns register, again: registering the same device twice changes nothing",
      },
    ),
  ];
}
