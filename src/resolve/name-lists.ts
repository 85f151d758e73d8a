/** The reads that return all things of a kind: what completion knows names of. No schemas: every run loads it. */
import { everyKind, type KindName } from "../model/kinds/index.ts";
import type { Kind } from "../model/kinds/kind.ts";

interface NameList {
  readonly name: KindName;
  readonly kind: Kind;
}

/** Bots are in the list of people. */
export const nameLists: readonly NameList[] = everyKind
  .filter(([, { recordOf }]) => recordOf === undefined)
  .map(([name, kind]) => ({ name, kind }));

/** Returns the kind whose list a call reads whole. Undefined for other calls, and for a part of a list. */
export const nameListOf = (operation: string, args: Readonly<Record<string, unknown>>): NameList | undefined =>
  nameLists.find(
    ({ kind: { read } }) =>
      read.operation === operation &&
      !("user_ids" in args) &&
      (read.parts === undefined || String(args.fetch_event_types) === String(read.parts)),
  );
