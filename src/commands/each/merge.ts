/** Merges the results of several organizations. Records get the profile. */

import { errorRecord } from "../../common/error-record.ts";
import { keyBy } from "../../common/group-by.ts";
import { isMapping } from "../../common/object-members.ts";
import { Failure } from "../../errors.ts";
import { sortAndLimit } from "../../output/arrange.ts";
import type { ChangedMany, Column, Listing, OutputOptions, Result, Row } from "../../output/form.ts";
import type { LeftAlone, ShownRequest } from "../../output/shown-requests.ts";
import { collect } from "../../output/write-records.ts";
import { type Conclusion, requests } from "../../run/context.ts";
import type { runWork } from "../../run/perform.ts";
import type { ProfileOutcome } from "./outcome.ts";

/** Reads a result to its end. `--limit` counts the records of each organization; `--sort` decides which are the first. */
export async function readToEnd(
  conclusion: Awaited<ReturnType<typeof runWork>>,
  { limit, sort }: Pick<OutputOptions, "limit" | "sort">,
): Promise<Pick<ProfileOutcome, "result" | "requests" | "error">> {
  if (conclusion?.kind === "requests") {
    const all: (ShownRequest | LeftAlone)[] = [];
    for await (const request of conclusion.requests) all.push(request);
    return { requests: all, error: conclusion.failure };
  }
  if (conclusion?.kind === "ended") return { result: conclusion.result, error: conclusion.failure };
  if (conclusion?.kind !== "listing") return { result: conclusion };
  const all = limit === undefined ? conclusion.records : await sortAndLimit(conclusion, { limit, sort });
  const records = [...(await collect(all, (record) => record))];
  const { finish, ...result } = conclusion;
  return { result: { ...result, records }, error: await finish?.() };
}

type Answered = ProfileOutcome & { result: Result };

const isChange = ({ result }: ProfileOutcome): boolean => result?.kind === "change" || result?.kind === "changes";

export function merge(outcomes: readonly ProfileOutcome[]): Exclude<Conclusion, { kind: "local" }> | undefined {
  if (outcomes.some((outcome) => outcome.requests))
    return requests(
      outcomes.flatMap(({ profile, requests = [] }) => requests.map((request) => ({ ...request, profile }))),
    );
  const answered = outcomes.filter((outcome): outcome is Answered => outcome.result !== undefined);
  // Failures of a command that changes something are records too.
  if (answered.some(isChange) || (!answered.length && outcomes.some(({ approval }) => approval)))
    return mergeChanges(outcomes);
  return answered.length ? mergeRecords(answered) : undefined;
}

function mergeChanges(outcomes: readonly ProfileOutcome[]): ChangedMany {
  const all: ChangedMany = { kind: "changes", sentences: [], outcomes: [], ids: [] };
  for (const { profile, result, error } of outcomes) {
    if (result && "onlyCopy" in result) all.onlyCopy ??= result.onlyCopy;
    if (result?.kind === "changes") {
      all.outcomes.push(...result.outcomes.map((outcome) => ({ profile, ...outcome })));
      all.sentences.push(...result.sentences.map((sentence) => `${profile}: ${sentence}`));
    } else if (result?.kind === "change") {
      all.outcomes.push({ profile, outcome: "done", answer: result.answer });
      all.sentences.push(`${profile}: ${result.sentence}`);
    } else if (error instanceof Failure)
      all.outcomes.push({ profile, outcome: outcomeOf(error), error: errorRecord(error) });
  }
  return all;
}

const outcomeOf = ({ details, kind }: Failure): string =>
  details.outcome === "not_sent" || kind === "usage" ? "not_sent" : kind === "unknown" ? "unknown" : "refused";

const isRow: (record: unknown) => record is Row = isMapping;

/** A record of an organization, with the columns of its own table. */
interface RecordOrigin {
  record: Row;
  columns: ReadonlyMap<string, Column>;
}

function mergeRecords(answered: readonly Answered[]): Listing {
  const origins = new Map<Row, RecordOrigin>();
  const heads = new Map<string, Column>();
  const notes = new Set<string>();
  for (const { profile, result } of answered) {
    if (result.kind !== "listing" && result.kind !== "single") continue;
    const columns = keyBy(result.columns, ({ head }) => head);
    for (const [head, column] of columns) if (!heads.has(head)) heads.set(head, column);
    const records: Row[] = result.kind === "single" ? [result.record] : (result.records as Row[]);
    for (const record of records) {
      const { profile: _, ...members } = isRow(record) ? record : { value: record };
      origins.set({ profile, ...members }, { record, columns });
    }
    const note = result.kind === "listing" ? (typeof result.note === "function" ? result.note() : result.note) : "";
    if (note) notes.add(note);
  }
  const columns = [...heads.values()].map((column): Column => {
    const { head } = column;
    const original = (row: Row) => {
      const { record, columns } = origins.get(row)!;
      return { record, column: columns.get(head) };
    };
    return {
      ...column,
      value: (row) => {
        const { record, column } = original(row);
        return column?.value(record);
      },
      style: (row) => {
        const { record, column } = original(row);
        return column?.style?.(record);
      },
    };
  });
  const listings = answered.flatMap(({ result }) => (result.kind === "listing" ? [result] : []));
  const members = (which: "allFields" | "optionalFields") => [
    ...new Set(listings.flatMap((listing) => listing[which] ?? [])),
  ];
  const lines = answered.map(({ profile, result }) =>
    "lines" in result && result.lines !== undefined
      ? [result.lines].flat().map((line) => `${profile}: ${line}`)
      : undefined,
  );
  return {
    kind: "listing",
    records: [...origins.keys()],
    id: () => undefined,
    columns: columns.length
      ? [{ head: "PROFILE", value: ({ profile }) => profile, importance: "high", whole: true }, ...columns]
      : [],
    ...(listings.length === answered.length &&
      listings.every(({ allFields }) => allFields) && { allFields: ["profile", ...members("allFields")] }),
    optionalFields: members("optionalFields"),
    hidesEmptyTable: listings.length > 0 && listings.every(({ hidesEmptyTable }) => hidesEmptyTable),
    ...(lines.every((each) => each !== undefined) && { lines: lines.flat() }),
    ...(notes.size && { note: [...notes].join(" ") }),
  };
}
