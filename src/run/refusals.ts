/** Refusals that name things by their ids, with the names in place of them. */
import type { Change, ChangeResult } from "../engine/change.ts";
import { Refused } from "../errors.ts";
import type { Context } from "./context.ts";
import { type Label, labels } from "./labels.ts";

type Kind = "channel" | "group";

/** Reads the names of what refusals are about; where that is refused, ids stay. */
export async function named(
  context: Context,
  changes: readonly Change[],
  results: readonly ChangeResult[],
): Promise<ChangeResult[]> {
  const wanted: Record<Kind, Set<number>> = { channel: new Set(), group: new Set() };
  const sentence = (n: number, called: (kind: Kind, id: number) => string): string | undefined => {
    const result = results[n]!;
    const more = result.outcome === "refused" ? result.failure.details.more : undefined;
    return more && changes[n]!.operation.refusalInWords?.(more, called);
  };
  const byId = (kind: Kind, id: number) => `${kind} ${id}`;
  for (const n of results.keys())
    sentence(n, (kind, id) => {
      wanted[kind].add(id);
      return "";
    });
  if (!wanted.channel.size && !wanted.group.size) return [...results];
  const label: Record<Kind, Label> = {
    channel: await labels(context, "channel", wanted.channel),
    group: await labels(context, "group", wanted.group),
  };
  return results.map((result, n) => {
    const [ids, names] = [sentence(n, byId), sentence(n, (kind, id) => `${kind} ${label[kind](id)}`)];
    if (result.outcome === "done" || ids === undefined || names === undefined) return result;
    const { message, details } = result.failure;
    return {
      ...result,
      failure: new Refused(
        message.replace(ids, () => names),
        details,
      ),
    };
  });
}
