import { getOwnUser, roleName } from "../../api/users.ts";
import { type Found, resolveAccount } from "../../credentials/accounts.ts";
import { NeedsLogin } from "../../errors.ts";
import type { Single } from "../../output/form.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";

interface Own {
  user_id: number;
  full_name: string;
  role?: unknown;
}

/** Ends with 3, and the record, where the server does not accept the key. */
export async function status({ world, flags, at, showInstead }: Context): Promise<Conclusion> {
  const account = await resolveAccount(world, flags);
  const server = at(account);
  await showInstead([call(getOwnUser, {})], server);
  try {
    return shown(account, true, await server.call(getOwnUser, {}));
  } catch (error) {
    if (!(error instanceof NeedsLogin)) throw error;
    // A key that cannot be had says nothing about the server.
    return {
      kind: "ended",
      failure: error,
      result: shown(account, error.details.httpStatus === undefined ? null : false),
    };
  }
}

function shown({ site, email, profile, source, kept, where }: Found, accepted: boolean | null, own?: Own): Single {
  const { user_id, full_name, role } = own ?? {};
  const record = { site, email, profile: profile ?? null, source, store: kept, where };
  return {
    kind: "single",
    record: { ...record, ...(own && { user_id, full_name, role }), accepted },
    columns: [
      { head: "Site", value: () => site },
      { head: "Account", value: () => email },
      ...(own ? [{ head: "Name", value: () => full_name }] : []),
      ...(own ? [{ head: "Role", value: () => (typeof role === "number" ? roleName(role) : role) }] : []),
      { head: "Credentials", value: () => source },
      { head: "Key", value: () => where },
      {
        head: "Accepted",
        value: () => (accepted === null ? "not tried" : accepted ? "yes" : "no"),
        style: () => (accepted ? "good" : "bad"),
      },
    ],
    id: () => user_id,
  };
}
