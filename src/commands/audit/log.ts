import { choiceOf } from "../../argv/flags.ts";
import { actionNames } from "../../audit/actions.ts";
import { changeOf, type Entry, type LogChange } from "../../audit/entry.ts";
import { readLog } from "../../audit/export.ts";
import type { Log } from "../../audit/log.ts";
import type { Named, Names } from "../../audit/names.ts";
import { renames } from "../../audit/names.ts";
import type { LogRow } from "../../audit/rows.ts";
import { type Line, linesOf } from "../../audit/sentence.ts";
import { type Kind, kinds } from "../../audit/words.ts";
import { Usage } from "../../errors.ts";
import { momentOf } from "../../notation/time.ts";
import type { Column, Listing } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { sourceOf } from "./source.ts";

interface Options {
  from?: string;
  since?: string;
  until?: string;
  after?: string;
  by?: string;
  target?: string;
  kind?: string;
  action?: string;
  destructive?: boolean;
  limit?: string;
  reverse?: boolean;
}

/** Collects all names of a thing while reading the log, and matches it by any of them. */
class NameFilter {
  readonly text: string;
  readonly #renamed = new Set<string>();

  constructor(text: string) {
    this.text = text.replace(/^(#|@|name:|id:)/, "");
  }

  see(row: LogRow): void {
    const rename = renames.get(row.event_type);
    if (!rename) return;
    const id = row[rename.of];
    const folded = this.text.toLowerCase();
    for (const name of [row.extra_data["1"], row.extra_data["2"]])
      if (typeof name === "string" && name.toLowerCase() === folded) this.#renamed.add(`${rename.kind} ${id}`);
  }

  /** Whether the name was found. */
  found = false;

  matches(names: Names, thing: { kind: string; id: number | null; name: string | null } | null): boolean {
    const matches = this.#matches(names, thing);
    this.found ||= matches;
    return matches;
  }

  #matches(names: Names, thing: { kind: string; id: number | null; name: string | null } | null): boolean {
    if (!thing) return false;
    const { kind, id, name } = thing;
    if (name?.toLowerCase() === this.text.toLowerCase() || String(id) === this.text) return true;
    const named = kind === "bot" ? "user" : kind;
    if (id === null || !["user", "channel", "group"].includes(named)) return false;
    return this.#renamed.has(`${named} ${id}`) || names.isCalled(named as Named, id, this.text);
  }
}

const isKind = (word: string): word is Kind => kinds.some((kind) => kind === word);

function kindsOf(text: string | undefined): readonly Kind[] | undefined {
  return text?.split(",").map((word) => {
    const kind = word.trim();
    if (isKind(kind)) return kind;
    throw new Usage(`--kind: unknown kind "${kind}"`, { hint: `Valid values: ${kinds.join(", ")}.` });
  });
}

function checkAction(action: string | undefined): void {
  if (action === undefined || actionNames.includes(action) || /^(bot\.|unknown\.\d+$)/.test(action)) return;
  throw new Usage(`--action: unknown action "${action}"`, { hint: `Valid values: ${actionNames.join(", ")}.` });
}

const numberOf = (text: string | undefined, flag: string): number | undefined => {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new Usage(`${flag}: invalid number "${text}"`);
  return Number(text);
};

/** Returns rows with names of their time, the newest or the oldest first. */
function* changes(log: Log, names: Names, oldestFirst: boolean): Generator<LogChange> {
  if (oldestFirst) for (const row of log.rows()) names.undo(row);
  for (const row of log.rows({ oldestFirst })) {
    if (!oldestFirst) names.undo(row);
    const one = changeOf(row, names);
    if (oldestFirst) names.redo(row);
    if (one) yield one;
  }
}

const columns: Column<Line>[] = [
  { head: "TIME", value: ({ time }) => when(Date.parse(time)), whole: true },
  { head: "BY", value: ({ by }) => by, importance: "high" },
  {
    head: "CHANGE",
    value: ({ change }) => change,
    importance: "high",
    style: ({ destructive }) => (destructive ? "warn" : undefined),
  },
];

const recordColumns: Column<Entry>[] = [
  { head: "id", value: ({ id }) => id },
  { head: "time", value: ({ time }) => time },
  { head: "by", value: ({ by }) => by?.email },
  { head: "action", value: ({ action }) => action },
  { head: "target", value: ({ target }) => target?.name },
];

export async function log(context: Context, options: Options): Promise<Listing<Line> | Listing<Entry>> {
  const { world, flags } = context;
  const now = world.clock.now();
  const since = options.since === undefined ? undefined : momentOf(now, options.since, "--since");
  const until = options.until === undefined ? undefined : momentOf(now, options.until, "--until");
  if (since !== undefined && until !== undefined && since >= until)
    throw new Usage("--since must be earlier than --until");
  const after = numberOf(options.after, "--after");
  const limit = numberOf(options.limit, "--limit") ?? Number.POSITIVE_INFINITY;
  const ofKinds = kindsOf(options.kind);
  checkAction(options.action);
  const by = options.by === undefined ? undefined : new NameFilter(options.by);
  const target = options.target === undefined ? undefined : new NameFilter(options.target);
  const read = await readLog(world.files, await sourceOf(context, options.from), (row) => {
    by?.see(row);
    target?.see(row);
  });
  const { names } = read;

  const missing = (): string | undefined => {
    const all = [by, target].filter((filter) => filter && !filter.found);
    return all.length
      ? `Nothing in this export is called ${all.map((filter) => filter?.text).join(" or ")}.`
      : undefined;
  };
  const passes = ({ entry, kind, hidden }: LogChange): boolean => {
    const seconds = Date.parse(entry.time) / 1000;
    return (
      (!by || by.matches(names, entry.by && { kind: "user", ...entry.by })) &&
      (!target || target.matches(names, entry.target)) &&
      (ofKinds ? ofKinds.includes(kind) : !hidden) &&
      (since === undefined || seconds >= since) &&
      (until === undefined || seconds < until) &&
      (after === undefined || entry.id > after) &&
      (options.action === undefined || entry.action === options.action) &&
      (!options.destructive || entry.destructive)
    );
  };
  const reverse = options.reverse ?? false;
  function* chosen(): Generator<LogChange> {
    // `--limit` keeps the newest, whatever the order.
    const limited = Number.isFinite(limit);
    let found = 0;
    const last: LogChange[] = [];
    for (const one of changes(read.log, names, reverse && !limited)) {
      if (since !== undefined && !reverse && Date.parse(one.entry.time) / 1000 < since) break;
      if (!passes(one)) continue;
      if (found++ >= limit) break;
      if (reverse && limited) last.push(one);
      else yield one;
    }
    yield* last.reverse();
  }
  if (choiceOf(flags).form === "table")
    return { kind: "listing", records: linesOf(chosen()), columns, id: () => undefined, note: missing };
  function* entries(): Generator<Entry> {
    for (const { entry } of chosen()) yield entry;
  }
  return {
    kind: "listing",
    records: entries(),
    columns: recordColumns,
    id: "id",
    known: ["id", "time", "by", "action", "target", "subject", "property", "from", "to", "destructive"],
    rare: ["raw"],
  };
}
