import { calledIn } from "../called.ts";
import type { Difference } from "../difference.ts";
import type { MadeIds } from "./made-ids.ts";
import { conflict, type Judgement } from "./verdict.ts";

/** What names a thing that was to be made, and will not be, is not touched either. */
export function possible(
  differences: readonly Difference[],
  judgements: readonly Judgement[],
  ids: MadeIds,
): readonly Judgement[] {
  const unmade = differences.filter((each, n) => each.action === "create" && judgements[n]!.is === "conflict");
  if (!unmade.length) return judgements;
  const called = new Map(unmade.map((each) => [`${each.section} ${each.name}`, calledIn(each)]));
  const among = new Set(called.keys());
  const left = judgements.map((judgement): Judgement => {
    const lacking = judgement.is === "open" && ids.lackingIn(judgement.left, among);
    return lacking ? conflict(`names ${called.get(lacking)}, which no longer exists`) : judgement;
  });
  return left.some((each, n) => each !== judgements[n]) ? possible(differences, left, ids) : left;
}
