/** Lists of people and groups in sections, as the kinds of things state them. */
import { statedOperation } from "../../api/registry.ts";
import type { KindName } from "../../model/kinds/index.ts";
import type { KindListCall } from "../../model/kinds/kind.ts";
import { everyList, listArguments, portions } from "../../model/kinds/lists.ts";
import { groupsShape, type Member, type Members, peopleShape } from "../attribute-shapes.ts";
import type { FieldChange, ThingId } from "../difference.ts";
import { listChanges } from "../id-values.ts";
import type { RequestContext, RequestDraft } from "./requests.ts";

/** A thing that has lists. */
export interface ListOwner {
  readonly id: number;
  readonly name: string;
}

const listsOf = (kind: KindName) => everyList.filter((list) => list.kind === kind);

/** Returns the attributes of a section that are lists. */
export const listMembers = (kind: KindName): Members =>
  Object.fromEntries(
    listsOf(kind).map(({ plural, of, doc, member }): [string, Member] => [
      plural,
      { shape: of === "user" ? peopleShape : groupsShape, doc, ...(member !== plural && { record: member }) },
    ]),
  );

/** Returns the request that adds members to a list, or removes them. */
export function listRequest(call: KindListCall, owner: ListOwner, ids: readonly number[]) {
  return { operation: statedOperation(call), args: listArguments(call, owner, ids) };
}

/** Returns the requests for the changed lists of a thing. */
export function listDrafts(
  { ids, portion }: RequestContext,
  kind: KindName,
  owner: ListOwner,
  fields: readonly FieldChange[],
  more: Pick<RequestDraft, "phase" | "needs">,
): RequestDraft[] {
  return listsOf(kind).flatMap(({ plural, of, add, remove }) => {
    const change = fields.find(({ field }) => field === plural);
    const changes = listChanges<ThingId>(change?.from, change?.to);
    const [added, removed] = changes.map((some) => (of === "group" ? ids.all("groups", some) : some.map(Number)));
    const drafts = (call: KindListCall, all: readonly number[] = [], did: string) =>
      portions(all, portion).map(
        (some): RequestDraft => ({ ...more, ...listRequest(call, owner, some), result: `${plural} ${did}` }),
      );
    return [...drafts(remove, removed, "removed"), ...drafts(add, added, "added")];
  });
}
