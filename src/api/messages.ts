import { operation } from "../wire/operation.ts";
import { json } from "../wire/params.ts";
import { anything, boolean, integer, list, object, optional, record, string, type Value } from "../wire/types.ts";

const term = object({ operator: string, operand: anything, negated: optional(boolean) });
export type NarrowTerm = Value<typeof term>;

/** https://zulip.com/api/check-messages-match-narrow */
export const matchNarrow = operation({
  name: "messages.match",
  method: "GET",
  path: "/messages/matches_narrow",
  doc: "Tell which messages match a search or filter expression.",
  params: {
    msg_ids: json(list(integer), { doc: "Ids of messages.", flag: "--ids" }),
    narrow: json(list(term), { doc: "Terms, all of which must hold.", flag: "--narrow" }),
  },
  result: { messages: record(object({ match_content: string, match_subject: string })) },
});
