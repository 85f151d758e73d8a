import { createUser } from "../../api/people.ts";
import { canAsk } from "../../argv/confirm.ts";
import { lineOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { checkName } from "../../notation/name.ts";
import { commit } from "../../run/commit.ts";
import type { Conclusion } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";

interface Options {
  email: string;
  fullName: string;
  passwordStdin?: boolean;
}

/** Read from stdin, or asked for without an echo. */
async function passwordOf({ world, flags }: Context, { email, passwordStdin }: Options): Promise<string> {
  const asks = canAsk(world, flags);
  if (!asks && !passwordStdin)
    throw new Usage("a password is needed; nobody can be asked here, so give it on stdin with --password-stdin");
  if (!asks && world.stdin.isTerminal)
    throw new Usage("--password-stdin reads stdin, and this terminal would show what is typed", {
      hint: "Leave it away to be asked, or give stdin a file or a pipe.",
    });
  const password = asks
    ? (await world.prompts.password(`Password of the new account ${email}`)).reveal()
    : await lineOf(world, "--password-stdin");
  if (!password) throw new Usage("no password was given");
  return password;
}

export async function create(context: Context, options: Options): Promise<Conclusion> {
  const { email, fullName: full_name } = options;
  context.world.signals.outcome ??= "not_sent";
  checkName(full_name, "--full-name");
  const password = context.flags.dryRun ? "" : await passwordOf(context, options);
  return commit(context, [
    change(
      createUser,
      { email, password, full_name },
      {
        command: context.command,
        target: email,
        done: "User {user_id} created.",
        ids: "user_id",
        verifyWith: `zulipctl users list --match ${email}`,
      },
    ),
  ]);
}
