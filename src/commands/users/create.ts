import { randomBytes } from "node:crypto";
import { createUser } from "../../api/people.ts";
import { canPrompt } from "../../argv/confirm.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { passwordRequired, secretFromStdin } from "../../credentials/prompting.ts";
import { type Change, change } from "../../engine/change.ts";
import { namingFlag, Usage } from "../../errors.ts";
import { commit } from "../../run/commit.ts";
import type { Conclusion, Context } from "../../run/context.ts";

interface Values {
  email: string;
  fullName: string;
  passwordStdin: boolean | undefined;
  passwordColumn: TextInput | undefined;
  randomPassword: boolean | undefined;
}

const creation = ({ command }: Context, { email, fullName: full_name }: Values, password: string): Change =>
  change(
    createUser,
    { email, password, full_name },
    {
      command,
      target: email,
      done: "Created user {user_id}.",
      already: "{target} has an account with this name already; its password is not changed.",
      ids: "user_id",
      verifyWith: `zulipctl users list --match ${email}`,
    },
  );

/** `at`: the typed word that is wrong. */
const wrong = (message: string, at: string, hint?: string): Usage =>
  Object.assign(new Usage(message, { outcome: "not_sent", hint }), { flag: at });

/** Returns the password of a row of a batch: from its column, or a new one that nobody sees. */
async function passwordOfRow({ cell }: Context, { passwordColumn, randomPassword }: Values): Promise<string> {
  if (randomPassword) return randomBytes(24).toString("base64url");
  if (!passwordColumn) throw wrong("users create in a batch requires --password-column or --random-password", "create");
  const flag = "--password-column";
  if (passwordColumn.hasData)
    throw wrong(`${flag} takes the name of a column, not its value`, flag, `Write: ${flag} password`);
  if (!cell) throw wrong(`${flag} needs columns, and --format lines has none`, flag);
  const column = passwordColumn.text.trim();
  const password = await namingFlag(flag, () => cell(column));
  if (!password) throw Object.assign(new Usage("the cell is empty"), { emptyColumn: column });
  return password;
}

export const row = async (context: Context, values: Values): Promise<Change[]> => [
  creation(context, values, await passwordOfRow(context, values)),
];

/** Reads a password from stdin, or prompts without echo. */
async function typedPassword({ world, flags }: Context, { email, passwordStdin }: Values): Promise<string> {
  if (!canPrompt(world, flags)) {
    if (!passwordStdin) throw passwordRequired();
    return secretFromStdin(world, "--password-stdin");
  }
  const password = await world.prompts.password(`Password of the new account ${email}`);
  if (!password.reveal()) throw new Usage("no password given");
  return password.reveal();
}

/** Creates one account. */
export async function create(context: Context, values: Values): Promise<Conclusion> {
  const flag = values.passwordColumn ? "--password-column" : values.randomPassword && "--random-password";
  if (flag) throw new Usage(`${flag} is for a batch: zulipctl batch <file> -- users create ${flag}`);
  const password = context.flags.dryRun ? "" : await typedPassword(context, values);
  return commit(context, { changes: [creation(context, values, password)] });
}
