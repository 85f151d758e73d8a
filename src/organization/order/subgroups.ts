/** Subgroups go round in no circle at any moment: what would close one waits until it is open elsewhere. */
import { reached } from "../group-members.ts";
import { subgroupsOf } from "../snapshot.ts";
import { listOf, type OrderContext } from "./context.ts";
import type { Draft, Piece } from "./draft.ts";

const added = ({ args }: Pick<Piece, "args">) => listOf<number>(args.add_subgroups ?? args.subgroups);
const removed = ({ args }: Piece) => listOf<number>(args.delete_subgroups);

const left = (group: number, above: number) => `group ${group} left group ${above}`;

/** The same drafts, in which what comes into a group waits for what must have left another. */
export function withSubgroups({ snapshot }: OrderContext, drafts: readonly Draft[]): Draft[] {
  const moves = drafts.flatMap(({ args, pieces = [], makes }) => {
    const above = makes?.id ?? args.user_group_id;
    return typeof above === "number" ? [{ args, makes }, ...pieces].map((piece) => ({ above, piece })) : [];
  });
  const removals = moves.flatMap(({ above, piece }) =>
    removed({ fields: [], ...piece }).map((group) => ({ group, above })),
  );
  if (!removals.length) return [...drafts];
  const below = new Map(snapshot.organization.realm_user_groups.map((group) => [group.id, [...subgroupsOf(group)]]));
  for (const { above, piece } of moves) below.set(above, [...(below.get(above) ?? []), ...added(piece)]);
  const within = (id: number) => reached([id], (each) => below.get(each));
  return drafts.map((draft) => {
    const above = draft.args.user_group_id;
    if (typeof above !== "number" || !draft.pieces) return draft;
    const pieces = draft.pieces.map((piece): Piece => {
      const needs = added(piece).flatMap((group) => {
        const all = within(group);
        return removals
          .filter((gone) => all.has(gone.above) && within(gone.group).has(above))
          .map((gone) => left(gone.group, gone.above));
      });
      const provides = removed(piece).map((group) => left(group, above));
      return {
        ...piece,
        needs: [...(piece.needs ?? []), ...needs],
        provides: [...(piece.provides ?? []), ...provides],
      };
    });
    return { ...draft, pieces };
  });
}
