/**
 * How a list of a hundred thousand records is read fast. Measured by the bench, whose limits this folder exists for.
 *
 * 1. The splitter takes the bytes of an answer in pieces and finds the one big list in it. What stands before and after
 *    the list is kept as text; the list itself is never held whole, so memory does not grow with it.
 * 2. The elements of a piece are parsed together: it cuts at the last `},{` and lets `JSON.parse` find out whether that
 *    was the end of an element. Where it was not, it goes over the bytes one by one.
 * 3. Where records are only printed (`-o json`, tables), parsing them is most of the work. The skimmer learns the form of
 *    a record that was read: the names of its members, in their order. Of further records it compares the names as
 *    numbers of eight bytes, checks that each value has its type by its first byte, and notes where each value stands.
 *    Output is then copied from the bytes.
 * 4. What the skimmer is in doubt about, it leaves to the parser: white space, unusual escapes and numbers, letters that
 *    a terminal must not get, nested values. Skimmed and parsed records print the same; tests compare them.
 * 5. After too many records that it cannot skim, it gives up for the rest of the list.
 */
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
