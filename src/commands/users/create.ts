import { createUser } from "../../api/people.ts";
import { canAsk } from "../../argv/confirm.ts";
import { lineOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { checkName } from "../../notation/name.ts";
import { commit } from "../../run/commit.ts";
import type { Conclusion, Context } from "../../run/context.ts";

interface Options {
  email: string;
  fullName: string;
  passwordStdin?: boolean;
}

/** Read from stdin, or asked for without an echo. */
async function passwordOf({ world, flags }: Context, { email, passwordStdin }: Options): Promise<string> {
  const asks = canAsk(world, flags);
  if (!asks && !passwordStdin)
    throw new Usage("password required: stdin is not a terminal. Pass it on stdin with --password-stdin.");
  if (!asks && world.stdin.isTerminal)
    throw new Usage("--password-stdin cannot read from this terminal: the secret would be shown as you type", {
      hint: "Remove the flag to be asked, or redirect stdin from a file or a pipe.",
    });
  const password = asks
    ? (await world.prompts.password(`Password of the new account ${email}`)).reveal()
    : await lineOf(world, "--password-stdin");
  if (!password) throw new Usage("no password given");
  return password;
}

export async function create(context: Context, options: Options): Promise<Conclusion> {
  const { email, fullName: full_name } = options;
  context.world.signals.outcome ??= "not_sent";
  checkName(full_name, "--full-name");
  const password = context.flags.dryRun ? "" : await passwordOf(context, options);
  return commit(context, {
    changes: [
      change(
        createUser,
        { email, password, full_name },
        {
          command: context.command,
          target: email,
          done: "Created user {user_id}.",
          ids: "user_id",
          verifyWith: `zulipctl users list --match ${email}`,
        },
      ),
    ],
  });
}
