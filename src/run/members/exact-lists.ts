/** Guards of `--set`: an empty list, or a list that removes many, needs a flag of its own. `--yes` is not enough. */
import { canPrompt } from "../../argv/confirm.ts";
import { counted } from "../../common/counted.ts";
import {
  exceeds,
  fewRemovals,
  isMoreThanTenth,
  limitText,
  type RemovalLimit,
  type Removals,
} from "../../common/removal-limit.ts";
import { Usage } from "../../errors.ts";
import type { Context } from "../context.ts";
import type { MemberListSpec, MembersSpec, Owner } from "./spec.ts";

/** A complete list, and what it replaces. */
interface ExactList extends Removals {
  readonly list: MemberListSpec;
  /** Nobody is meant to be in it. */
  readonly isEmpty: boolean;
}

export interface ExactListFlags {
  readonly allowEmpty?: boolean;
  readonly maxRemovals?: RemovalLimit;
  readonly diff?: boolean;
}

interface Violation {
  /** For the error, and for the question. */
  readonly problem: string;
  readonly consequence: string;
  readonly flag: string;
  readonly lifted: string;
  /** No question can answer it. */
  readonly isFinal?: true;
}

function violationOf(
  { list: { kind, member }, isEmpty, count, total }: ExactList,
  { allowEmpty, maxRemovals }: ExactListFlags,
): Violation | undefined {
  const flag = kind.flags.whole;
  if (isEmpty && !allowEmpty) {
    const all = total === 0 ? `all ${member}s` : total === 1 ? `the only ${member}` : `all ${counted(total, member)}`;
    const consequence = total ? `No ${member} is left.` : "";
    return { problem: `${flag} is empty: it would remove ${all}`, consequence, flag, lifted: "--allow-empty" };
  }
  const removals = { count, total };
  const share = `${count} of ${counted(total, member)}`;
  const problem = `${flag} would remove ${share}`;
  const violation = { problem, consequence: `That is ${share}.`, flag, lifted: `--max-removals ${count}` };
  if (maxRemovals)
    return exceeds(removals, maxRemovals)
      ? { ...violation, problem: `${problem}: --max-removals allows ${limitText(maxRemovals)}`, isFinal: true }
      : undefined;
  return !isEmpty && count > fewRemovals && isMoreThanTenth(removals) ? violation : undefined;
}

/** Returns what the question must say about these lists. Throws `Usage` if no question is asked. */
export function checkExactLists(
  { world, flags, line }: Context,
  { of }: MembersSpec,
  { typed }: Owner,
  lists: readonly ExactList[],
  values: ExactListFlags & { isOneOfSeveral: boolean },
): string[] {
  if (values.diff) return [];
  const asks = line === undefined && !flags.yes && canPrompt(world, flags);
  const found = lists.flatMap((each) => violationOf(each, values) ?? []);
  const refused = found.find(({ isFinal }) => isFinal || !asks);
  if (!refused) return found.map(({ consequence }) => consequence);
  const where = values.isOneOfSeveral ? `${of} "${typed}": ` : "";
  const { problem, lifted, flag, isFinal } = refused;
  const remedy = `To do that, ${isFinal ? "pass" : "add"}: ${lifted}`;
  throw Object.assign(new Usage(`${where}${problem}. ${remedy}`, { outcome: "not_sent" }), { flag });
}
