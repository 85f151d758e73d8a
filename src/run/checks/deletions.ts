/** Refuses deactivations that would delete messages, if the account may not delete those of others. */

import { membersOf } from "../../common/object-members.ts";
import { type Change, callIn, isOneOf } from "../../engine/change.ts";
import type { Context } from "../context.ts";
import { requirePermission } from "./channels.ts";

function deletesMessages(change: Change): boolean {
  const call = callIn(change);
  const { delete_profile: _, ...ofMessages } = membersOf(call.args.actions);
  return isOneOf(call, ["users.deactivate"]) && Object.values(ofMessages).includes(true);
}

/** Servers refuse the whole request: nobody is deactivated. */
export async function checkMessageDeletion(context: Context, changes: readonly Change[]): Promise<void> {
  if (changes.some(deletesMessages)) await requirePermission(context, "can_delete_any_message_group");
}
