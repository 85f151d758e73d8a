/** What looking again tells of a difference. */
import { labelOf } from "../called.ts";
import type { Difference, FieldChange } from "../difference.ts";
import type { LastIds } from "../last-ids.ts";

export type Judgement =
  /** What of the difference is still to be sent. */
  | { readonly is: "open"; readonly left: Difference }
  /** All of it is so; of what was to be made, under this id. */
  | { readonly is: "done"; readonly id?: number }
  /** What is there now: completes "it". */
  | { readonly is: "conflict"; readonly says: string };

/** What is known of things that were to be made, by the number of the difference. */
export interface MadeSoFar {
  /** Their ids. */
  readonly made: ReadonlyMap<number, number>;
  /** Of those whose request got no answer, the attributes that it gave them. */
  readonly asked: ReadonlyMap<number, readonly string[]>;
  /** Of those that earlier runs have made, the attributes that they were given: what has another value was changed since. */
  readonly given: ReadonlyMap<number, readonly string[]>;
  /** What was removed to be made anew. */
  readonly gone: ReadonlySet<number>;
  /** The last ids before the run; undefined where its journal does not tell. */
  readonly last?: LastIds | undefined;
  /** The default language of code blocks, of which the playground that was removed may have taken it along. */
  readonly emptied: ReadonlyMap<number, string>;
}

export const conflict = (says: string): Judgement => ({ is: "conflict", says });

/** An attribute has a value that is neither what was planned from nor what was planned. */
export const another = (change: FieldChange, is: unknown): Judgement =>
  conflict(`now has another ${labelOf(change)}: ${JSON.stringify(is) ?? "none"}`);

/** Of what was to be made and is there. */
export const idOf = (judgement: Judgement): number | undefined =>
  judgement.is === "done"
    ? judgement.id
    : judgement.is === "open" && judgement.left.action === "update"
      ? judgement.left.id
      : undefined;
