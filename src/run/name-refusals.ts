/** Replaces ids in the server's refusals by names. */
import type { ChangeAndResult } from "../engine/result-summary.ts";
import { Refused } from "../errors.ts";
import type { Context } from "./context.ts";
import { type Label, labels } from "./labels.ts";

type NameableKind = "channel" | "group";

/** Reads names for refusals. If the server refuses the read, ids stay. */
export async function nameRefusals(context: Context, all: readonly ChangeAndResult[]): Promise<ChangeAndResult[]> {
  const wanted: Record<NameableKind, Set<number>> = { channel: new Set(), group: new Set() };
  const sentence = (
    { change, result }: ChangeAndResult,
    called: (kind: NameableKind, id: number) => string,
  ): string | undefined => {
    const more = result.outcome === "refused" ? result.failure.details.more : undefined;
    return more && change.operation.describeRefusal?.(more, called);
  };
  const byId = (kind: NameableKind, id: number) => `${kind} ${id}`;
  for (const made of all)
    sentence(made, (kind, id) => {
      wanted[kind].add(id);
      return "";
    });
  if (!wanted.channel.size && !wanted.group.size) return [...all];
  const label: Record<NameableKind, Label> = {
    channel: await labels(context, "channel", wanted.channel),
    group: await labels(context, "group", wanted.group),
  };
  return all.map((made) => {
    const { change, result } = made;
    const [ids, names] = [sentence(made, byId), sentence(made, (kind, id) => `${kind} ${label[kind](id)}`)];
    if (result.outcome === "done" || ids === undefined || names === undefined) return made;
    const { message, details } = result.failure;
    const failure = new Refused(
      message.replace(ids, () => names),
      details,
    );
    return { change, result: { ...result, failure } };
  });
}
