/** Subgroups go round in no circle at any moment: what would close one waits until it is open elsewhere. */
import { updateMembers } from "../../api/groups.ts";
import { reached } from "../reach.ts";
import { subgroupsOf } from "../snapshot.ts";
import type { OrderContext } from "./context.ts";
import type { Draft, Piece } from "./draft.ts";

const below = (piece: Piece, list: "add_subgroups" | "delete_subgroups") => (piece.args[list] ?? []) as number[];

const left = (group: number, above: number) => `group ${group} left group ${above}`;

/** By group, those directly in it: those that are there, and those that come. */
function edgesOf({ snapshot }: OrderContext, drafts: readonly Draft[]): Map<number, Set<number>> {
  const edges = new Map(
    snapshot.organization.realm_user_groups.map((group) => [group.id, new Set(subgroupsOf(group))]),
  );
  for (const { args, pieces, makes } of drafts) {
    const above = makes?.id ?? (args.user_group_id as number);
    const come = [
      ...((args.subgroups as number[] | undefined) ?? []),
      ...pieces.flatMap((each) => below(each, "add_subgroups")),
    ];
    if (come.length) edges.set(above, new Set([...(edges.get(above) ?? []), ...come]));
  }
  return edges;
}

/** The same drafts, in which what comes into a group waits for what must have left another. */
export function withSubgroups(context: OrderContext, drafts: readonly Draft[]): Draft[] {
  const removals = drafts.flatMap(({ operation, args, pieces }) =>
    operation === updateMembers
      ? pieces.flatMap((piece) =>
          below(piece, "delete_subgroups").map((group) => ({ group, above: args.user_group_id as number })),
        )
      : [],
  );
  if (!removals.length) return [...drafts];
  const edges = edgesOf(context, drafts);
  const known = new Map<number, Set<number>>();
  const within = (id: number) => {
    const found = known.get(id) ?? reached([id], (each) => edges.get(each));
    known.set(id, found);
    return found;
  };
  return drafts.map((draft) => {
    if (draft.operation !== updateMembers) return draft;
    const above = draft.args.user_group_id as number;
    return {
      ...draft,
      pieces: draft.pieces.map((piece) => {
        const needs = below(piece, "add_subgroups").flatMap((group) =>
          removals
            .filter((gone) => within(group).has(gone.above) && within(gone.group).has(above))
            .map((gone) => left(gone.group, gone.above)),
        );
        const provides = below(piece, "delete_subgroups").map((group) => left(group, above));
        return {
          ...piece,
          needs: [...(piece.needs ?? []), ...needs],
          provides: [...(piece.provides ?? []), ...provides],
        };
      }),
    };
  });
}
