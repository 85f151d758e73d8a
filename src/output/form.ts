/** What commands give, and how it is wanted. */
import type { Failure } from "../errors.ts";
import type { World } from "../world.ts";

export type Form = "table" | "json" | "ndjson" | "csv" | "tsv" | "yaml" | "markdown" | "ids" | "none";

/** Prints records as they arrive; every other form prints a whole answer or nothing. */
export const arrives = (form: Form): boolean => ["ndjson", "csv", "tsv", "ids"].includes(form);

/** How this run's result is wanted. */
export interface Choice {
  form: Form;
  /** Server fields or table columns, in this order. */
  fields?: readonly string[];
  /** Goes with `form: "json"` alone. */
  jq?: string;
  color: "auto" | "always" | "never";
  /** No notices beside the result. */
  quiet?: boolean | undefined;
  /** Of a list: the column or member to sort by, with a `-` from the largest down, and how many records at most. */
  sort?: string | undefined;
  limit?: number | undefined;
  /** What a terminal shows in place of a table without rows. */
  empty?: string | undefined;
}

export type Row = Record<string, unknown>;

export interface Column<R = Row> {
  head: string;
  /** A text, number, boolean, list or object; `Marked` text keeps its highlights. Absent values leave the cell empty. */
  value: (record: R) => unknown;
  align?: "right";
  /** Broken, its text says something else or cannot be copied: a terminal without room for it leaves the column out. */
  whole?: true;
  /** Text that people write at length: a narrow terminal shows its beginning. Other texts go on in the next line. */
  cut?: true;
  /** A table is always shown with its important columns. Those of low importance are left out first. */
  importance?: "high" | "low";
  style?: (record: R) => "dim" | "good" | "bad" | "warn" | undefined;
}

/** What a read gives: records under the server's own names. */
export interface Listing<R = Row> {
  kind: "listing";
  records: Iterable<R> | AsyncIterable<R>;
  columns: Column<R>[];
  /** The id for `-o ids`: the member of that name, or what is made of the record; absent values print nothing. */
  id: (keyof R & string) | ((record: R) => unknown);
  /** What stands in place of a table, line by line. */
  said?: readonly string[];
  /** Shown under the table, on stderr; a function is asked when all records are printed. */
  note?: string | (() => string | undefined);
  /** On a terminal no header stands over no rows. */
  sparse?: boolean;
  /** Fields every record may have; absent where only the answer can know. Gives CSV its header also where no record came. */
  known?: readonly string[];
  /** Fields that only some records have. In CSV they come last, also where none of the first records has them. */
  rare?: readonly string[];
  /** The source is a change at work: it is read to its end even where nobody reads what is printed. */
  persists?: boolean;
  /** Called when all records are printed: says what is to be said last, and gives the failure to end with. */
  ending?: () => Promise<Failure | undefined>;
}

/** An answer as it is: a table shows it as JSON. */
export interface Raw {
  /** Stands before it in every form but `none`. */
  head?: string;
}

/** One object: what a server is, who is logged in. */
export interface Single<R = Row> {
  kind: "single";
  record: R;
  columns: Column<R>[];
  id?: (record: R) => unknown;
  /** What stands in place of a table, line by line: the one thing that was asked for. */
  said?: string | readonly string[];
  raw?: Raw;
}

/** What one change did. `answer` is the server's, without `result` and `msg`. */
export interface Changed {
  kind: "change";
  sentence: string;
  answer: Row;
  ids: unknown[];
  raw?: Raw;
}

/** What a command did that can make several changes. */
export interface ChangedMany {
  kind: "changes";
  sentences: string[];
  outcomes: Row[];
  ids: unknown[];
}

// biome-ignore lint/suspicious/noExplicitAny: listings of records of every type are printed alike.
export type AnyListing = Listing<any>;

// biome-ignore lint/suspicious/noExplicitAny: so are single records.
export type AnySingle = Single<any>;

export type Result = AnyListing | AnySingle | Changed | ChangedMany;

/** `signals`, where given, can end a filter that runs for ever. */
export type Place = Pick<World, "stdout" | "stderr" | "env"> & { signals?: World["signals"] };
