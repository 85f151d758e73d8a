/** Lists that nobody gets into without one of their members, such as the subscribers of a private channel. */
import { presentOn } from "../../effects/server-present.ts";
import { undefinedOnFailure } from "../../errors.ts";
import { kindNamed } from "../../model/kinds/index.ts";
import { listNamed, portions } from "../../model/kinds/lists.ts";
import type { Context } from "../context.ts";
import type { ListChange, MemberListSpec } from "./spec.ts";

/** Returns whether nobody could get into the thing without a member. */
export async function mayLockOut({ server }: Context, { kind }: MemberListSpec, id: number): Promise<boolean> {
  const { lockout, kind: of } = listNamed(kind.name);
  if (!lockout) return false;
  const records = await undefinedOnFailure(presentOn(server).records(of));
  const record = records?.find((each) => each[kindNamed(of).id ?? "id"] === id);
  return record !== undefined && lockout.when(record);
}

/** The largest number of requests that take people out of a private channel one after the other. */
const mostSteps = 10;

/**
 * Splits what is taken out of a private channel: single people, in portions if there are many, and the account in use last.
 * Before each request the engine looks at the list. So of two runs that set it at once, each to two people or more, one sees
 * what the other has done before it has taken out everybody.
 */
export function steps(part: readonly ListChange[], me: number): ListChange[][] {
  return part.flatMap((each) => {
    const others = each.removed.filter((id) => id !== me);
    const all = portions(others, Math.ceil(others.length / mostSteps) || 1);
    if (others.length < each.removed.length) all.push([me]);
    return all.map((removed) => [{ ...each, removed }]);
  });
}
