import { operation } from "../wire/operation.ts";
import { maybe, text } from "../wire/params.ts";
import { integer } from "../wire/types.ts";

/** Only the sandbox has this call: elsewhere people accept invitations in a browser. */
export const acceptInvitation = operation("sandbox.accept-invitation", "POST /sandbox/accept_invitation", {
  effects: { none: "only the sandbox has it" },
  params: { email: text(), full_name: maybe(text()) },
  result: { user_id: integer },
});
