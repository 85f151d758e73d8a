import { fromZuliprc } from "../../credentials/accounts.ts";
import { agree, checkName, makeProfile, tryKeeping } from "../../credentials/login.ts";
import { siteOf } from "../../credentials/site.ts";
import { Usage } from "../../errors.ts";
import { type LocalChange, local } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import { trial, tryKey } from "./login.ts";

export async function importZuliprc(
  context: Context,
  { store = "keychain" }: { store?: "keychain" | "file" },
  file?: string,
): Promise<LocalChange> {
  const { world, flags } = context;
  if (file !== undefined && flags.zuliprc !== undefined && file !== flags.zuliprc)
    throw new Usage(`${file} and --zuliprc ${flags.zuliprc} are two different files`, {
      hint: "Pass only one of them.",
    });
  const path = file ?? flags.zuliprc ?? `${world.places.home}/.zuliprc`;
  const account = await fromZuliprc(world, flags, path, "auth import");
  if (flags.site !== undefined && siteOf(flags.site, "--site") !== account.site)
    throw new Usage(`--site is ${flags.site}, but ${path} is for ${account.site}`, { hint: "Remove --site." });
  await checkName(world, flags);
  const make = async () => {
    const agreed = await agree(world, flags, account);
    await tryKeeping(world, store);
    const login = await tryKey(context, account, account.email, await account.key());
    return makeProfile(world, flags, account, store, login, agreed);
  };
  return local(make, async () => trial(context, account));
}
