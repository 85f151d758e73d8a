/** What requests name besides the thing that they are about: it must be there, and in use, before they are sent. */
import { provisionalIn } from "../../engine/provisional-ids.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param } from "../../wire/params.ts";
import type { Facts } from "./draft.ts";

type Args = Readonly<Record<string, unknown>>;
type Kind = "user" | "group" | "channel" | "folder";

const numbers = (value: unknown): number[] => [value].flat().filter((each) => typeof each === "number");

/** People and groups of a permission. */
function inWho(value: unknown): [Kind, number][] {
  if (typeof value === "number") return [["group", value]];
  const { direct_members, direct_subgroups } = value as { direct_members: number[]; direct_subgroups: number[] };
  return [
    ...direct_members.map((id): [Kind, number] => ["user", id]),
    ...direct_subgroups.map((id): [Kind, number] => ["group", id]),
  ];
}

const removing = new Set(["delete", "delete_subgroups"]);

interface Mentions {
  /** What it brings into play. */
  readonly used: readonly [Kind, number][];
  /** What it expects, or takes out. */
  readonly left: readonly [Kind, number][];
}

/** Whom and what a request names besides the thing that it is about. */
export function mentioned({ name, params, path }: AnyOperation, args: Args): Mentions {
  const used: [Kind, number][] = [];
  const left: [Kind, number][] = [];
  for (const [param, value] of Object.entries(args)) {
    const { of } = (params as Record<string, Param>)[param]!;
    if (path.includes(`{${param}}`) || param === "stream_id") continue;
    if (of === "who") {
      const update =
        typeof value === "object" && "new" in value! ? (value as { new: unknown; old?: unknown }) : undefined;
      used.push(...inWho(update ? update.new : value));
      if (update?.old !== undefined) left.push(...inWho(update.old));
    } else if (of === "user" || of === "group" || of === "channel" || of === "folder") {
      const all = numbers(value).map((id): [Kind, number] => [of, id]);
      (removing.has(param) || name === "channel.unsubscribe" ? left : used).push(...all);
    }
  }
  return { used, left };
}

/** What is made must be there, what is brought back must be so; and nothing that it names is put away before. */
export function factsOfArgs(operation: AnyOperation, args: Args): Required<Facts> {
  const { used, left } = mentioned(operation, args);
  const words = (some: readonly [Kind, number][], says: string) => some.map(([kind, id]) => `${kind} ${id} ${says}`);
  return {
    needs: [...provisionalIn(args).map((id) => `${id} is made`), ...words(used, "is in use")],
    provides: words([...used, ...left], "was named"),
    follows: [],
  };
}
