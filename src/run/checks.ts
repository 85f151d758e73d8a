/**
 * Refuses changes before they are shown or sent, if the server would refuse them. It looks at what a change does, so every
 * command, each row of a batch and `api` follow the same rules.
 */
import type { Change } from "../engine/change.ts";
import { checkAccounts } from "./checks/accounts.ts";
import { checkMessageDeletion } from "./checks/deletions.ts";
import { checkExports } from "./checks/exports.ts";
import type { Context } from "./context.ts";
import { noteImplied } from "./implied.ts";

/** Throws what the run would be refused with. Notes what the server changes by itself. */
export async function checkChanges(context: Context, changes: readonly Change[]): Promise<void> {
  const sent = changes.filter(({ unchanged }) => !unchanged);
  await checkAccounts(context, sent);
  await checkMessageDeletion(context, sent);
  await checkExports(context, sent);
  await noteImplied(context, sent);
}
