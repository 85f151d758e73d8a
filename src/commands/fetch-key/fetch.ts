import { fetchKey } from "../../api/keys.ts";
import { Usage } from "../../errors.ts";
import type { Changed } from "../../output/form.ts";
import { resolveNewSite } from "../../shell/accounts.ts";
import { canAsk } from "../../shell/confirm.ts";
import { type Context, DryRun, show } from "../../shell/context.ts";
import { knownEmail, makeProfile, nameFor } from "../../shell/login.ts";
import { lineOf } from "../../shell/text.ts";
import { Secret } from "../../world.ts";

interface Options {
  username?: string;
  passwordStdin?: boolean;
  store?: "keychain" | "file";
  print?: boolean;
}

export async function fetch({ world, flags, at }: Context, options: Options): Promise<Changed> {
  if (options.print && options.store)
    throw new Usage("--print and --store contradict each other: --print stores nothing", { hint: "Give one of them." });
  const site = await resolveNewSite(world, flags);
  const name = nameFor(flags, site);
  const server = at(site);
  const username = options.username ?? (await knownEmail(world, flags)) ?? (await askedName(world, flags, site.site));
  if (flags.dryRun) throw new DryRun([await show(server, fetchKey, { username, password: "" })]);
  if (!options.passwordStdin && !canAsk(world, flags))
    throw new Usage("a password is needed; nobody can be asked here, so give it on stdin with --password-stdin");
  const given = options.passwordStdin ? new Secret(await lineOf(world, "--password-stdin")) : undefined;

  const obtain = async () => {
    const password = given ?? (await world.prompts.password(`Password of ${username} on ${site.site}`));
    if (!password.reveal()) throw new Usage("no password was given");
    const { api_key, email, user_id } = await server.call(fetchKey, { username, password: password.reveal() });
    return { email, key: new Secret(api_key), userId: user_id ?? null };
  };
  if (!options.print) return makeProfile(world, name, site, options.store ?? "keychain", obtain);
  const { email, key, userId } = await obtain();
  return {
    kind: "change",
    sentence: key.reveal(),
    answer: { site: site.site, email, user_id: userId, api_key: key.reveal() },
    ids: [],
  };
}

async function askedName(world: Context["world"], flags: Context["flags"], site: string): Promise<string> {
  if (!flags.dryRun && canAsk(world, flags)) {
    const said = await world.prompts.text(`User name on ${site}`);
    if (said.trim()) return said.trim();
  }
  throw new Usage("no account is named", { hint: "Name the account with --username." });
}
