/** The results of commands, and the output options. */
import type { Failure } from "../errors.ts";
import type { World } from "../world/world.ts";

export type OutputForm = "table" | "json" | "ndjson" | "csv" | "tsv" | "yaml" | "markdown" | "ids" | "none";

export type FilteredForm = "table" | "ndjson" | "csv" | "tsv" | "yaml";

/** Prints records as they arrive. Other forms print a complete answer or nothing. */
export const isStreamed = (form: OutputForm): boolean => ["ndjson", "csv", "tsv", "ids"].includes(form);

/** The output options of a run. */
export interface OutputOptions {
  form: OutputForm;
  /** Server fields or table columns, in this order. */
  fields?: readonly string[];
  /** Only with `form: "json"`. */
  jq?: string;
  /** The form of the filter's results. Absent: one result a line, strings without quotes. */
  jqForm?: FilteredForm | undefined;
  color: "auto" | "always" | "never";
  /** No notices. */
  quiet?: boolean | undefined;
  /** For a list: the sort column, with `-` for descending, and the limit. */
  sort?: string | undefined;
  limit?: number | undefined;
  /** A terminal shows it instead of an empty table. */
  empty?: string | undefined;
}

export type Row = Record<string, unknown>;

export interface Column<R = Row> {
  head: string;
  /** A text, number, boolean, list or object. A `HighlightedText` keeps its highlights. Absent values are empty cells. */
  value: (record: R) => unknown;
  align?: "right";
  /** The text must not be wrapped. A terminal without room hides the column. */
  whole?: true;
  /** Long texts: a narrow terminal shows their beginning. Other texts are wrapped. */
  cut?: true;
  /** Important columns are always shown. Columns of low importance are hidden first. */
  importance?: "high" | "low";
  /** In CSV without chosen fields, the column stands in place of this member. */
  insteadOf?: string;
  style?: (record: R) => "dim" | "good" | "bad" | "warn" | undefined;
}

/** The result of a read: records with the server's names. */
export interface Listing<R = Row> {
  kind: "listing";
  records: Iterable<R> | AsyncIterable<R>;
  columns: Column<R>[];
  /** The id for `-o ids`: a member or a function. Absent values print nothing. */
  id: (keyof R & string) | ((record: R) => unknown);
  /** The member or column by which a table is sorted. Other forms keep the server's order, and can be streamed. */
  tableOrder?: string;
  /** Lines instead of the table. */
  lines?: readonly string[];
  /** A note below the table, on stderr. A function is called after all records. */
  note?: string | (() => string | undefined);
  /** A terminal shows no header for an empty list. */
  hidesEmptyTable?: boolean;
  /** All possible fields, if they are known. They become the header of an empty CSV. */
  allFields?: readonly string[];
  /** The fields of records that are not in an empty list. Called after all records. */
  emptyFields?: () => readonly string[];
  /** Fields that only some records have. In CSV they come last, and always. */
  optionalFields?: readonly string[];
  /** The records come from running changes, so they are read to the end in any case. */
  readsToEnd?: boolean;
  /** Called after all records. Prints last messages and returns the failure to end with. */
  finish?: () => Promise<Failure | undefined>;
  onlyCopy?: OnlyCopy | undefined;
}

/** An unchanged answer. A table shows it as JSON. */
interface RawAnswer {
  /** Printed before it, except with `none`. */
  head?: string;
}

/** One object: a server, an account. */
export interface Single<R = Row> {
  kind: "single";
  record: R;
  columns: Column<R>[];
  id?: (record: R) => unknown;
  /** Lines instead of the table. */
  lines?: string | readonly string[];
  raw?: RawAnswer;
}

/** An answer that exists once, such as a new key. Success means that it was written. */
export interface OnlyCopy {
  /** What was done, and what is lost: `bot 7 was created, but its key`. Precedes "could not be written". */
  what: string;
  /** How to get another one. */
  hint: string;
}

/** The result of one change. `answer` is without `result` and `msg`. */
export interface Changed {
  kind: "change";
  sentence: string;
  answer: Row;
  ids: unknown[];
  raw?: RawAnswer;
  onlyCopy?: OnlyCopy | undefined;
}

export const changed = (sentence: string, answer: Row, ids: unknown[] = []): Changed => ({
  kind: "change",
  sentence,
  answer,
  ids,
});

/** The result of a command that can make several changes. */
export interface ChangedMany {
  kind: "changes";
  sentences: string[];
  outcomes: Row[];
  ids: unknown[];
  onlyCopy?: OnlyCopy | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: listings of records of every type are printed alike.
export type AnyListing = Listing<any>;

// biome-ignore lint/suspicious/noExplicitAny: so are single records.
export type AnySingle = Single<any>;

export type Result = AnyListing | AnySingle | Changed | ChangedMany;

/** `signals` can stop a filter that runs forever. */
export type OutputWorld = Pick<World, "stdout" | "stderr" | "env"> & { signals?: World["signals"] };
