/** What the description of Zulip 12.3 says. `test/data/zulip-12.3/README.md` says where it comes from. */
import { readRecords } from "./records.ts";

export interface DescribedParameter {
  in: "form" | "query" | "path" | "multipart";
  type: string;
  json?: true;
  required?: true;
  enum?: (string | number)[];
  members?: string[];
  since?: number;
}

/** A type in words, or the members of an object or of each thing in a list. */
export type DescribedType = string | { type: string; record?: Record<string, DescribedType> };

interface DescribedOperation {
  op: string;
  params: Record<string, DescribedParameter>;
  answer: Record<string, DescribedType> | string[];
  members_of?: Record<string, string[]>;
}

interface DescribedEvent {
  event: string;
  members: string[];
  data?: string[];
}

export const describedOperations = readRecords<DescribedOperation>("zulip-12.3/operations");
export const describedEvents = new Map(
  readRecords<DescribedEvent>("zulip-12.3/events").map((each) => [each.event, each]),
);

/** Parameters in paths have other names here and there. */
const withoutNames = (op: string): string => op.replace(/\{\w+\}/g, "{}");

export const describedOperation = (op: string): DescribedOperation | undefined =>
  describedOperations.find((each) => each.op === op) ??
  describedOperations.find((each) => withoutNames(each.op) === withoutNames(op));
