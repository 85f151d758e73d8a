import { getSubscribers } from "../../api/subscriptions.ts";
import { getUsers } from "../../api/users.ts";
import type { Listing } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { type Person, userColumns } from "../users/columns.ts";
import { peopleOf } from "../users/people.ts";

/** Servers below feature level 79 tell addresses. */
async function byAddress({ server }: Context, addresses: readonly string[]): Promise<Person[]> {
  const { members } = await (await server()).call(getUsers, {});
  const wanted = new Set(addresses);
  return members.filter(({ email, delivery_email }) => wanted.has(email) || wanted.has(delivery_email ?? email));
}

/** Subscribers, as `users list` shows people. */
export async function show(context: Context, { id: stream_id }: { id: number }): Promise<Listing<Person>> {
  const { subscribers } = await context.ask(getSubscribers, { stream_id });
  const ids = subscribers.filter((each) => typeof each === "number");
  const addresses = subscribers.filter((each) => typeof each === "string");
  return {
    kind: "listing",
    records: addresses.length ? await byAddress(context, addresses) : await peopleOf(context, ids, "<channel>"),
    id: ({ user_id }) => user_id,
    columns: userColumns,
  };
}
