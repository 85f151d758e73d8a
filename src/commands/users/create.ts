import { randomBytes } from "node:crypto";
import { createUser } from "../../api/people.ts";
import { getOwnUser } from "../../api/users.ts";
import { canPrompt } from "../../argv/confirm.ts";
import type { TextInput } from "../../argv/text-input.ts";
import { passwordRequired, secretFromStdin } from "../../credentials/prompting.ts";
import { type Change, change } from "../../engine/change.ts";
import { Failure, namingFlag, Refused, Usage } from "../../errors.ts";
import { administers } from "../../model/person.ts";
import { programLine } from "../../output/line.ts";
import { commit } from "../../run/commit.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { oncePerRun } from "../../run/once-per-run.ts";
import { call } from "../../wire/call.ts";

interface CreateValues {
  email: string;
  fullName: string;
  passwordStdin: boolean | undefined;
  passwordColumn: TextInput | undefined;
  randomPassword: boolean | undefined;
}

const creation = ({ command }: Context, { email, fullName: full_name }: CreateValues, password: string): Change =>
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
async function passwordOfRow({ cell }: Context, { passwordColumn, randomPassword }: CreateValues): Promise<string> {
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

const refusal = createUser.who?.permission?.refusal ?? "";
const permissionName = "can_create_users";
const notAllowed = "permission denied: this account may not create users";
const instead = `This requires an administrator with ${permissionName}, which only the server's command line grants. Invite people instead with: zulipctl invite add`;

/**
 * Throws `Refused` if this account may not create users. No read tells that, so this asks for an account with the address
 * in use and without a name: servers refuse it in any case, and first for the missing permission.
 */
const checkPermissionOnce = oncePerRun(async (context: Context): Promise<void> => {
  const server = await context.server();
  if (context.flags.dryRun) {
    const { role } = await server.lookUp(getOwnUser, {});
    if (!administers(role)) throw new Refused(notAllowed, { outcome: "not_sent", hint: instead });
    await context.note(programLine(`a dry run cannot tell whether this account has ${permissionName}`));
    return;
  }
  const { email } = server;
  if (email === undefined) return;
  try {
    await server.deliver(call(createUser, { email, password: "", full_name: "" }));
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const { code } = failure.details;
    // Other failures are about the request, or are those of the first row.
    if (code === "UNAUTHORIZED_PRINCIPAL" || failure.message.startsWith(refusal))
      throw new Refused(notAllowed, { code, outcome: "not_sent", hint: failure.details.hint ?? instead });
  }
});

export async function planAccountOfRow(context: Context, values: CreateValues): Promise<Change[]> {
  const password = await passwordOfRow(context, values);
  await checkPermissionOnce(context);
  return [creation(context, values, password)];
}

/** Reads a password from stdin, or prompts without echo. */
async function typedPassword({ world, flags }: Context, { email, passwordStdin }: CreateValues): Promise<string> {
  if (!canPrompt(world, flags)) {
    if (!passwordStdin) throw passwordRequired();
    return secretFromStdin(world, "--password-stdin");
  }
  const password = await world.prompts.password(`Password of the new account ${email}`);
  if (!password.reveal()) throw new Usage("no password given");
  return password.reveal();
}

/** Creates one account. */
export async function createAccount(context: Context, values: CreateValues): Promise<Conclusion> {
  const flag = values.passwordColumn ? "--password-column" : values.randomPassword && "--random-password";
  if (flag) throw new Usage(`${flag} is for a batch: zulipctl batch <file> -- users create ${flag}`);
  const password = context.flags.dryRun ? "" : await typedPassword(context, values);
  return commit(context, { changes: [creation(context, values, password)] });
}
