/** What the log keeps of a raw request that adds subscribers or removes them, so that `undo` can restore the list. */
import { getSubscribers } from "../../api/subscribers.ts";
import { unsubscribe } from "../../api/subscriptions.ts";
import { membersOf, numbersIn } from "../../common/object-members.ts";
import type { KnownCall } from "../../engine/change.ts";
import { undefinedOnFailure } from "../../errors.ts";
import type { Context } from "../../run/context.ts";

/** Adds the id of the only channel. Of several people who are removed, those stay who are in it: the answer has no names. */
export async function withChannel(context: Context, known: KnownCall): Promise<KnownCall> {
  const { operation, args } = known;
  const [first, another] = Array.isArray(args.subscriptions) ? args.subscriptions : [];
  const name = typeof first === "string" ? first : membersOf(first).name;
  if (known.isPartial || known.hasOthers || typeof name !== "string" || another !== undefined) return known;
  const server = await context.server();
  if (context.flags.dryRun || !(await server.keepsPrevious())) return known;
  const found = context.names.channel({ text: `name:${name}`, origin: "data" }, "subscriptions");
  const stream_id = await undefinedOnFailure(found);
  if (stream_id === undefined) return known;
  const people = numbersIn(args.principals);
  const reads = operation.name === unsubscribe.name && people.length > 1;
  const list = reads ? await undefinedOnFailure(server.lookUp(getSubscribers, { stream_id })) : undefined;
  const present = list && people.filter((id) => list.subscribers.includes(id));
  return { ...known, args: { ...args, stream_id, ...(present?.length && { principals: present }) } };
}
