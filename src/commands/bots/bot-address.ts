/** Follows the new address of a bot on this machine: profiles are changed, other places are named. */

import { getUser } from "../../api/people.ts";
import { userAddress } from "../../api/users.ts";
import { belongsTo, listProfiles, moveProfiles } from "../../credentials/profiles.ts";
import { parseZuliprc } from "../../credentials/zuliprc.ts";
import { asError, Partial, Usage } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import type { Context, Plan } from "../../run/context.ts";

/** Returns the places outside profiles that name an address: files, and a variable. */
async function placesOf({ world, flags }: Context, address: string): Promise<string[]> {
  const { env, files, directories } = world;
  const is = (email: string | undefined) => email?.trim().toLowerCase() === address.toLowerCase();
  const paths = new Set([flags.zuliprc, env.ZULIP_CONFIG, `${directories.home}/.zuliprc`]);
  const found = is(env.ZULIP_EMAIL) ? ["ZULIP_EMAIL"] : [];
  for (const path of paths) {
    // A file that cannot be read is in nobody's use.
    const text = path ? await files.read(path).catch(() => undefined) : undefined;
    if (path && text !== undefined && is(emailIn(text, path))) found.push(path);
  }
  return found;
}

/** Undefined for a file that is no zuliprc: it belongs to another program. */
function emailIn(text: string, path: string): string | undefined {
  try {
    return parseZuliprc(text, path).email;
  } catch (error) {
    if (error instanceof Usage) return undefined;
    throw error;
  }
}

/** Reads the address of a bot. Throws `Usage` if the server hides it. */
export async function readBotAddress({ server }: Context, user_id: number): Promise<string> {
  const { user } = await (await server()).call(getUser, { user_id });
  const address = userAddress(user);
  if (address === undefined) throw new Usage("the server did not send the bot's address");
  return address;
}

/** Returns what follows the change. Undefined if nothing on this machine names the old address. */
export async function followAddress(context: Context, bot_id: number): Promise<Plan["next"]> {
  const { world, names, line, warn, note } = context;
  const { site } = await context.server();
  const bot = await names.person(bot_id, { many: line !== undefined });
  const email = bot && userAddress(bot);
  if (email === undefined) return undefined;
  const old = { site, email };
  const profileNames = (await listProfiles(world)).flatMap(({ name, profile }) =>
    belongsTo(profile, old) ? [name] : [],
  );
  const places = await placesOf(context, email);
  if (!profileNames.length && !places.length) return undefined;
  if (line !== undefined)
    throw new Usage(
      `--short-name: ${[...profileNames.map((name) => `profile ${name}`), ...places].join(" and ")} has the old address`,
      {
        hint: `Change this bot alone, without batch: zulipctl bots update ${bot_id} --short-name …`,
      },
    );
  return async (made: Changed) => {
    const hint = `The address is changed on the server. See it with: zulipctl bots show ${bot_id}`;
    try {
      const address = await readBotAddress(context, bot_id);
      if (address === email) return made;
      for (const name of await moveProfiles(world, old, address))
        await note(programLine(`profile ${name} has the new address: ${address}`));
      for (const place of places)
        await warn(programLine(`${place} has the old address ${email}: change it to ${address}`));
      return made;
    } catch (error) {
      throw new Partial(`the bot has a new address, but its profile was not changed: ${asError(error).message}`, {
        hint,
      });
    }
  };
}
