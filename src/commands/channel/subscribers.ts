import { getSubscribers } from "../../api/subscriptions.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { type Person, peopleOf, userColumns } from "../users/people.ts";

/** Subscribers, as `users list` shows people. */
export async function show(context: Context, { id: stream_id }: { id: number }): Promise<Listing<Person>> {
  const { subscribers } = await context.ask(getSubscribers, { stream_id });
  return {
    kind: "listing",
    records: await peopleOf(context, subscribers, "<channel>"),
    id: ({ user_id }) => user_id,
    columns: userColumns,
  };
}
