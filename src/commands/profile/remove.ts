/** Removes profiles with their keys. A key still works then, unless it is revoked. */

import { regenerateKey } from "../../api/people.ts";
import { getOwnUser } from "../../api/users.ts";
import { canPrompt, confirm } from "../../argv/confirm.ts";
import { resolveAccount } from "../../credentials/accounts.ts";
import { isOnlyCopy, otherProfiles } from "../../credentials/login.ts";
import { choiceHint, findProfile, listProfiles, removeProfile } from "../../credentials/profiles.ts";
import { change } from "../../engine/change.ts";
import { asError, NeedsLogin, Partial, Usage } from "../../errors.ts";
import { changed } from "../../output/form.ts";
import { programLine } from "../../output/line.ts";
import { forgetNames } from "../../resolve/saved-names.ts";
import { commit } from "../../run/commit.ts";
import { type Conclusion, type Context, type LocalChange, localChange } from "../../run/context.ts";

/** Removes the profile and its key, and saved names that no other profile needs. */
async function remove({ world, note }: Context, name: string, origin: string): Promise<void> {
  const all = await listProfiles(world);
  const remaining = await removeProfile(world, name, origin);
  const removed = all.find((listed) => listed.name === name)?.profile;
  const same = all.filter(({ profile }) => profile.site === removed?.site && profile.email === removed.email);
  // Old names are removed later anyway.
  if (removed && same.length === 1) await forgetNames(world, removed).catch(() => undefined);
  if (remaining.length) await note(choiceHint(remaining));
}

export const profileRemoval = (context: Context, name: string, origin: string): LocalChange =>
  localChange(async () => {
    const { world, flags } = context;
    const { site, email, store } = (await findProfile(world, name, origin)).profile;
    const isOnly = await isOnlyCopy(world, name);
    if (isOnly && canPrompt(world, flags)) {
      const question = {
        question: `Remove profile ${name} and the key of ${email}`,
        consequence: `zulipctl has no other copy of the key. The key still works: to revoke it, answer no and use: zulipctl auth logout --revoke --profile ${name}`,
      };
      await confirm(
        world,
        flags,
        question,
        { host: new URL(site).host },
        { declined: "canceled; nothing was removed" },
      );
    }
    await remove(context, name, origin);
    if (isOnly)
      await context.note(
        programLine(
          `the key of ${email} still works. To revoke it, make a new one in the app, under Account & privacy; for a bot: zulipctl bots rotate-key ${email}`,
        ),
      );
    const what = store === "command" ? "" : " and its key";
    return changed(`Removed profile ${name}${what}.`, { profile: name }, [name]);
  });

/** Replaces the key on the server, keeps the new one nowhere, and removes the profile. */
async function revocation(context: Context, name: string, origin: string): Promise<Conclusion> {
  const { world, flags, connectAs, command } = context;
  const { profile: _, ...account } = await resolveAccount(world, { ...flags, profile: name });
  const { site, email } = account;
  const server = connectAs({ ...account, profile: name });
  const own = await server.call(getOwnUser, {}).catch((error: unknown) => {
    if (error instanceof NeedsLogin) error.details.hint = `Remove the profile with: zulipctl profile rm ${name}`;
    throw error;
  });
  if (own.is_bot)
    throw new Usage(`--revoke: ${email} is a bot`, {
      hint: `Replace its key with: zulipctl bots rotate-key ${email} --print`,
      outcome: "not_sent",
    });
  const revoked = change(
    regenerateKey,
    {},
    {
      command,
      target: email,
      done: "",
      verifyWith: `zulipctl auth status --profile ${name}. The key is revoked if the server rejects it`,
      confirm: {
        question: `Revoke the API key of ${email}`,
        consequence: `Scripts and the apps on phones and computers use it too. The new key is not saved, and profile ${name} is removed.`,
      },
      raw: { include: false },
    },
  );
  const result = await commit({ ...context, server: async () => server }, { changes: [revoked] });
  if (result.kind !== "change") return result;
  const others = await otherProfiles(world, name, { site, email });
  try {
    await remove(context, name, origin);
  } catch (error) {
    throw new Partial(`the key of ${email} is revoked, but profile ${name} is not removed: ${asError(error).message}`, {
      hint: `Remove it with: zulipctl profile rm ${name}`,
    });
  }
  for (const other of others)
    await context.warn(programLine(`warning: profile ${other} has the same account, and its key no longer works`));
  return changed(`Revoked the API key of ${email}, and removed profile ${name}.`, { profile: name }, [name]);
}

/** Removes the profile of `--profile`, else of ZULIPCTL_PROFILE, else the current one. */
export async function logout(context: Context, { revoke = false }: { revoke?: boolean }): Promise<Conclusion> {
  const { world, flags } = context;
  const [origin, name] =
    flags.profile !== undefined
      ? ["--profile", flags.profile]
      : world.env.ZULIPCTL_PROFILE
        ? ["ZULIPCTL_PROFILE", world.env.ZULIPCTL_PROFILE]
        : ["auth logout", (await listProfiles(world)).find(({ current }) => current)?.name];
  if (name === undefined) {
    const names = (await listProfiles(world)).map(({ name }) => name);
    const hint = names.length ? choiceHint(names) : "List them with: zulipctl profile list";
    throw new NeedsLogin("no current profile", { hint });
  }
  await findProfile(world, name, origin);
  return revoke ? revocation(context, name, origin) : profileRemoval(context, name, origin);
}
