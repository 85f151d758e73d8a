/**
 * Finds out whether a creation without an answer was made, when the server refuses its repetition: a record says who
 * created a thing, and when.
 */

import { createChannel } from "../api/channels.ts";
import { getOwnUser } from "../api/users.ts";
import { membersOf } from "../common/members.ts";
import type { ChangeResult } from "./change.ts";
import type { Request } from "./task.ts";
import type { Transport } from "./transport.ts";

/** How far the clocks of this machine and of a server may differ, in milliseconds. */
const clockDifference = 60_000;

/**
 * Returns the result if the thing is what the run made, and `existed` if somebody else made it, or this account earlier.
 * Undefined if the server does not tell. `began`: when the run began.
 */
export async function earlierCreation(
  transport: Transport,
  { operation, args, tasks: [{ change }] }: Request,
  began: string,
): Promise<ChangeResult | "existed" | undefined> {
  const { newChannel } = change;
  const { created } = newChannel === undefined ? operation : createChannel;
  const name = newChannel ?? args.name;
  if (!created || typeof name !== "string") return undefined;
  const { [created.list]: all } = await transport.read(created.read, created.args);
  const records = Array.isArray(all) ? all.map(membersOf) : [];
  const { creator_id, date_created, ...found } = records.find((each) => each.name === name.trim()) ?? {};
  if (typeof creator_id !== "number" || typeof date_created !== "number") return undefined;
  const isLater = date_created * 1000 > Date.parse(began) - clockDifference;
  if (!isLater || creator_id !== (await transport.read(getOwnUser, {})).user_id) return "existed";
  return { outcome: "done", answer: { [created.answer]: found[created.id] }, ignored: [] };
}
