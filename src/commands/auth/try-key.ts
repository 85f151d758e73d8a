import { getOwnUser } from "../../api/users.ts";
import type { Site } from "../../client/account.ts";
import type { Login } from "../../credentials/login.ts";
import { NeedsLogin } from "../../errors.ts";
import type { Context } from "../../run/context.ts";
import { call } from "../../wire/call.ts";
import type { Secret } from "../../world.ts";

/** Asks the server whether it accepts the key; throws `NeedsLogin` where it does not. */
export async function tryKey({ at }: Context, { site, tls }: Site, email: string, key: Secret): Promise<Login> {
  try {
    const { user_id } = await at({ site, tls, email, key: async () => key }).call(getOwnUser, {});
    return { email, key, userId: user_id };
  } catch (error) {
    // There is no account in use yet that auth status could tell of.
    if (error instanceof NeedsLogin)
      error.details.hint = `Nothing was saved. ${email} finds the key in the settings of the app, under Account & privacy.`;
    throw error;
  }
}

/** The same, for a dry run to show. */
export const trial = ({ at }: Context, { site, tls }: Site) => ({
  server: at({ site, tls }),
  call: call(getOwnUser, {}),
});
