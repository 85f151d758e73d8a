/** Records of a list that were found and not read. */
import type { Form } from "./form.ts";

/**
 * Records that were not read, since their bytes show that they have their type, and that they are written as they would be
 * anew. They are there until more is asked for.
 */
export interface Skimmed {
  /** `{…},{…}` */
  readonly bytes: Buffer;
  /** Of each record. */
  readonly forms: readonly Form[];
  /** Where the value of each member begins and ends in `bytes`: two numbers a member, one record after the other. */
  readonly places: readonly number[];
}

/** Records that came together. Where they were skimmed, they are read when they are wanted, and there until the next batch is. */
export type Batch<R> = Iterable<R> & { skimmed?: Skimmed };
