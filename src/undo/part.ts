/** The parts of what runs changed: values, lists and things. Each goes back, or is left alone, by itself. */
import type { LogEntry } from "../log/change-log.ts";
import type { ListName } from "../model/kinds/lists.ts";
import type { AnyOperation } from "../wire/operation.ts";

interface Common {
  /** The place of its first change in the runs. */
  readonly position: number;
  readonly entry: LogEntry;
}

/** A change of the runs, or what the server changed beside it. */
export interface RunChange extends Common {
  /** Its line in the log. */
  readonly line: LogEntry;
}

/** A value before and after the runs. */
export interface ValuePart extends Common {
  readonly kind: "value";
  readonly operation: AnyOperation;
  readonly name: string;
  /** Tells values apart. */
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
  /** The values that the runs may have left: several if it is not known whether the last change was applied. */
  readonly ends: readonly unknown[];
  /** All values that the runs set. They may have set the old one last. */
  readonly all: readonly unknown[];
}

/** A change by another run between two of these runs. */
export interface Overtaking {
  readonly by: string;
  readonly isAdded: boolean;
}

/** Members that the runs added and removed, at the end. */
export interface ListPart extends Common {
  readonly kind: "list";
  readonly list: ListName;
  /** The id of the thing that has the list. */
  readonly owner: number;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Members that are again as they were before the runs, and whether they were in the list. */
  readonly restored: ReadonlyMap<number, boolean>;
  /** Members that another run changed before the next one of these runs did. */
  readonly overtaken: ReadonlyMap<number, Overtaking>;
}

export interface ThingPart extends Common {
  readonly kind: "made" | "lost" | "removed" | "invited" | "moved" | "overtaken" | "impossible";
  readonly id?: unknown;
  /** The run that has overtaken it, if the log has one, and of which value or how many messages. */
  readonly by?: string | undefined;
  readonly value?: ValuePart;
  readonly count?: number;
}

export type Part = ValuePart | ListPart | ThingPart;
