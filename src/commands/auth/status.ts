/** `auth status`: the account in use, and whether the server accepts its key. */
import { getOwnUser } from "../../api/users.ts";
import { type Credentials, resolveAccount } from "../../credentials/accounts.ts";
import { readOnlyBy } from "../../credentials/read-only.ts";
import { NeedsLogin } from "../../errors.ts";
import { roleName } from "../../model/person.ts";
import type { Column, Single } from "../../output/form.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import type { AnswerOf } from "../../wire/operation.ts";

/** Ends with 3, and the record, if the server rejects the key. */
export async function authStatus({ world, flags, connectAs, showInstead }: Context): Promise<Conclusion> {
  const account = await resolveAccount(world, flags);
  const guard = readOnlyBy(world, flags, account);
  const server = connectAs(account);
  await showInstead([call(getOwnUser, {})], server);
  try {
    return statusOf(account, guard, true, await server.call(getOwnUser, {}));
  } catch (error) {
    if (!(error instanceof NeedsLogin)) throw error;
    // Without a key, nothing was sent to the server.
    return {
      kind: "ended",
      failure: error,
      result: statusOf(account, guard, error.details.httpStatus === undefined ? null : false),
    };
  }
}

function statusOf(
  { site, email, profile, source, storage, location }: Credentials,
  guard: string | undefined,
  accepted: boolean | null,
  own?: AnswerOf<typeof getOwnUser>,
): Single {
  const { user_id, full_name, role } = own ?? {};
  const column = (head: string, value: unknown): Column => ({ head, value: () => value });
  return {
    kind: "single",
    record: {
      ...{ site, email, profile: profile ?? null, source, store: storage, where: location },
      ...(own && { user_id, full_name, role }),
      accepted,
      read_only: guard !== undefined,
    },
    columns: [
      column("Site", site),
      column("Account", email),
      ...(own ? [column("Name", full_name), column("Role", typeof role === "number" ? roleName(role) : role)] : []),
      column("Credentials", source),
      column("Key", location),
      {
        ...column("Accepted", accepted === null ? "not tried" : accepted ? "yes" : "no"),
        style: () => (accepted ? "good" : "bad"),
      },
      ...(guard === undefined ? [] : [column("Read-only", `yes, by ${guard}: changes are refused`)]),
    ],
    id: () => user_id,
  };
}
