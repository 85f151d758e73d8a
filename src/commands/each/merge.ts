/** Merges the results of several organizations. Records get the profile. */
import { errorRecord } from "../../error-record.ts";
import { Failure } from "../../errors.ts";
import { arranged } from "../../output/arrange.ts";
import type { ChangedMany, Choice, Column, Listing, Result, Row } from "../../output/form.ts";
import type { ShownRequest } from "../../output/report.ts";
import { collect } from "../../output/write-records.ts";
import { type Conclusion, requests } from "../../run/context.ts";
import type { concluded } from "../../run/perform.ts";

/** The result of one organization. */
export interface Outcome {
  profile: string;
  result?: Result | undefined;
  requests?: readonly ShownRequest[];
  /** The failure, if it failed. */
  error?: unknown;
  /** Text that the command wrote to stdout. */
  printed: string;
}

/** Reads a result to its end. `--limit` counts the records of each organization; `--sort` decides which are the first. */
export async function collected(
  given: Awaited<ReturnType<typeof concluded>>,
  { limit, sort }: Pick<Choice, "limit" | "sort">,
): Promise<Omit<Outcome, "profile" | "printed">> {
  if (given?.kind === "requests") {
    const all: ShownRequest[] = [];
    for await (const request of given.requests) all.push(request);
    return { requests: all, ...(given.failure && { error: given.failure }) };
  }
  if (given?.kind === "ended") return { result: given.result, error: given.failure };
  if (given?.kind !== "listing") return { result: given };
  const all = limit === undefined ? given.records : await arranged(given, { limit, sort });
  const records = [...(await collect(all, (record) => record))];
  const { ending, ...result } = given;
  const failure = await ending?.();
  return { result: { ...result, records }, ...(failure && { error: failure }) };
}

type Named = Outcome & { result: Result };

const isChange = ({ result }: Outcome): boolean => result?.kind === "change" || result?.kind === "changes";

/** `changing`: the command changes something, so failures are records too. */
export function merged(
  outcomes: readonly Outcome[],
  changing: boolean,
): Exclude<Conclusion, { kind: "local" }> | undefined {
  if (outcomes.some((outcome) => outcome.requests))
    return requests(
      outcomes.flatMap(({ profile, requests = [] }) => requests.map((request) => ({ ...request, profile }))),
    );
  const named = outcomes.filter((outcome): outcome is Named => outcome.result !== undefined);
  if (named.some(isChange) || (changing && !named.length)) return changes(outcomes);
  return named.length ? rows(named) : undefined;
}

function changes(outcomes: readonly Outcome[]): ChangedMany {
  const all: ChangedMany = { kind: "changes", sentences: [], outcomes: [], ids: [] };
  for (const { profile, result, error } of outcomes) {
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

const isRow = (record: unknown): record is Row =>
  typeof record === "object" && record !== null && !Array.isArray(record);

/** A record of an organization, with the columns of its own table. */
interface Origin {
  record: Row;
  columns: ReadonlyMap<string, Column>;
}

function rows(named: readonly Named[]): Listing {
  const origins = new WeakMap<Row, Origin>();
  const heads = new Map<string, Column>();
  const records: Row[] = [];
  const notes = new Set<string>();
  for (const { profile, result } of named) {
    if (result.kind !== "listing" && result.kind !== "single") continue;
    const columns = new Map(result.columns.map((column) => [column.head, column as Column]));
    for (const [head, column] of columns) if (!heads.has(head)) heads.set(head, column);
    const own: Row[] = result.kind === "single" ? [result.record] : (result.records as Row[]);
    for (const record of own) {
      const { profile: _, ...members } = isRow(record) ? record : { value: record };
      const row = { profile, ...members };
      origins.set(row, { record, columns });
      records.push(row);
    }
    const note = result.kind === "listing" ? (typeof result.note === "function" ? result.note() : result.note) : "";
    if (note) notes.add(note);
  }
  const columns = [...heads.values()].map((column): Column => {
    const ask = <T>(row: Row, what: (own: Column, record: Row) => T): T | undefined => {
      const origin = origins.get(row);
      const own = origin?.columns.get(column.head);
      return origin && own && what(own, origin.record);
    };
    return {
      ...column,
      value: (row) => ask(row, (own, record) => own.value(record)),
      ...(column.style && { style: (row) => ask(row, (own, record) => own.style?.(record)) }),
    };
  });
  const listings = named.flatMap(({ result }) => (result.kind === "listing" ? [result] : []));
  const members = (which: "known" | "rare") => [...new Set(listings.flatMap((each) => each[which] ?? []))];
  const said = named.flatMap(({ profile, result }) =>
    "said" in result && result.said !== undefined ? [result.said].flat().map((line) => `${profile}: ${line}`) : [],
  );
  const saying = named.every(({ result }) => "said" in result && result.said !== undefined);
  return {
    kind: "listing",
    records,
    id: () => undefined,
    columns: columns.length
      ? [{ head: "PROFILE", value: ({ profile }) => profile, importance: "high", whole: true }, ...columns]
      : [],
    ...(listings.length === named.length &&
      listings.every(({ known }) => known) && { known: ["profile", ...members("known")] }),
    rare: members("rare"),
    sparse: listings.length > 0 && listings.every(({ sparse }) => sparse),
    ...(saying && { said }),
    ...(notes.size && { note: [...notes].join(" ") }),
  };
}
