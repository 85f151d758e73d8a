import { listKind } from "../wire/membership.ts";
import { operation } from "../wire/operation.ts";
import { json } from "../wire/params.ts";
import { integer, list } from "../wire/types.ts";

/** https://zulip.com/api/get-subscribers */
export const getSubscribers = operation("channel.subscribers", "GET /streams/{stream_id}/members", {
  params: { stream_id: json(integer, { of: "channel" }) },
  result: { subscribers: list(integer) },
  ofArchived: "subscribers",
});

export const channelSubscribers = listKind("channel subscribers", getSubscribers);
