import { outputForm } from "../../argv/global-flags.ts";
import { actionNames } from "../../audit/actions.ts";
import { type AuditLine, auditLines } from "../../audit/audit-lines.ts";
import { type AuditEntry, type LogChange, logChange } from "../../audit/entry.ts";
import { type AuditThing, type Names, namedKinds, renames } from "../../audit/name-history.ts";
import type { PackedLog } from "../../audit/packed-log.ts";
import { readExportLog } from "../../audit/read-export.ts";
import type { LogRow } from "../../audit/rows.ts";
import { membersOf } from "../../common/object-members.ts";
import { didYouMean } from "../../common/suggestions.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { timeCell } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import type { AuditFlags } from "./flags.ts";
import { sourceOf } from "./source.ts";

/** Matches a thing by any name that it has had. */
class NameFilter {
  readonly text: string;
  readonly #renamed = new Set<string>();

  constructor(
    readonly flag: "--by" | "--target",
    text: string,
  ) {
    this.text = text.replace(/^(#|@|name:|id:)/, "");
  }

  /** Collects earlier and later names from a row. */
  collect(row: LogRow): void {
    const rename = renames.get(row.event_type);
    if (!rename) return;
    const folded = this.text.toLowerCase();
    for (const name of [row.extra_data["1"], row.extra_data["2"]])
      if (typeof name === "string" && name.toLowerCase() === folded)
        this.#renamed.add(`${rename.kind} ${membersOf(row)[rename.column]}`);
  }

  matches(names: Names, thing: AuditThing | null): boolean {
    return (
      thing !== null &&
      (this.#renamed.has(`${thing.kind.replace("bot", "user")} ${thing.id}`) || names.hasName(thing, this.text))
    );
  }

  /** Throws `Usage` for a name that is nowhere in the export. */
  check(names: Names, log: PackedLog): void {
    const kinds = this.flag === "--by" ? (["user"] as const) : namedKinds;
    const all = names.all(kinds);
    const folded = this.text.toLowerCase();
    if (all.some((name) => name.toLowerCase() === folded) || this.#renamed.size) return;
    if (/^\d+$/.test(this.text) && kinds.some((kind) => names.has(kind, Number(this.text)))) return;
    if (this.flag === "--target" && this.#isInLog(names, log)) return;
    throw new Usage(`${this.flag}: nothing in this export is called "${this.text}"`, {
      hint: didYouMean(this.text, [...new Set(all)]),
    });
  }

  /** Settings, domains and linkifiers have no table of names. The whole log is read, so that names are as before. */
  #isInLog(names: Names, log: PackedLog): boolean {
    let found = false;
    for (const { entry } of changes(log, names, true)) found ||= this.matches(names, entry.target);
    return found;
  }
}

function checkAction(action: string | undefined): void {
  if (action === undefined || actionNames.includes(action) || /^(bot\.|unknown\.\d+$)/.test(action)) return;
  throw new Usage(`--action: unknown action "${action}"`, { hint: `Valid values: ${actionNames.join(", ")}.` });
}

/** Returns rows with names of their time, the newest or the oldest first. */
function* changes(log: PackedLog, names: Names, oldestFirst: boolean): Generator<LogChange> {
  if (oldestFirst) for (const row of log.rows()) names.replay(row, "1");
  for (const row of log.rows({ oldestFirst })) {
    if (!oldestFirst) names.replay(row, "1");
    const change = logChange(row, names);
    if (oldestFirst) names.replay(row, "2");
    if (change) yield change;
  }
}

const styles = { "!!": "bad", "!": "warn", "": undefined } as const;

const columns: Column<AuditLine>[] = [
  { head: "TIME", value: ({ time }) => timeCell(time), whole: true },
  { head: "BY", value: ({ by }) => by, importance: "high" },
  {
    head: "CHANGE",
    value: ({ mark, change }) => (mark ? `${mark} ${change}` : change),
    importance: "high",
    style: ({ mark }) => styles[mark],
  },
];

export async function auditLog(
  context: Context,
  flags: AuditFlags["log"],
): Promise<Listing<AuditLine> | Listing<AuditEntry>> {
  const { since, until, after, kind: kinds, action, destructive, reverse = false } = flags;
  const limit = flags.limit ?? Number.POSITIVE_INFINITY;
  if (since !== undefined && until !== undefined && since >= until)
    throw new Usage("--since must be earlier than --until");
  checkAction(action);
  const by = flags.by === undefined ? undefined : new NameFilter("--by", flags.by);
  const target = flags.target === undefined ? undefined : new NameFilter("--target", flags.target);
  const { log: rows, names } = await readExportLog(context.world.files, await sourceOf(context, flags.from), (row) => {
    by?.collect(row);
    target?.collect(row);
  });
  for (const filter of [by, target]) filter?.check(names, rows);
  const passes = ({ entry, kind, hidden }: LogChange): boolean => {
    const seconds = Date.parse(entry.time) / 1000;
    return (
      (!by || by.matches(names, entry.by && { kind: "user", ...entry.by })) &&
      (!target || target.matches(names, entry.target)) &&
      (kinds ? kinds.includes(kind) : !hidden) &&
      (since === undefined || seconds >= since) &&
      (until === undefined || seconds < until) &&
      (after === undefined || entry.id > after) &&
      (action === undefined || entry.action === action) &&
      (!destructive || entry.destructive)
    );
  };
  function* matching(): Generator<LogChange> {
    // `--limit` keeps the newest, whatever the order.
    const limited = Number.isFinite(limit);
    let found = 0;
    const last: LogChange[] = [];
    for (const change of changes(rows, names, reverse && !limited)) {
      if (since !== undefined && !reverse && Date.parse(change.entry.time) / 1000 < since) break;
      if (!passes(change)) continue;
      if (found++ >= limit) break;
      if (reverse && limited) last.push(change);
      else yield change;
    }
    yield* last.reverse();
  }
  if (outputForm(context.flags) === "table")
    return { kind: "listing", records: auditLines(matching()), columns, id: () => undefined };
  function* entries(): Generator<AuditEntry> {
    for (const { entry } of matching()) yield entry;
  }
  return {
    kind: "listing",
    records: entries(),
    columns: [],
    id: "id",
    allFields: ["id", "time", "by", "action", "target", "subject", "property", "from", "to", "destructive"],
    optionalFields: ["raw"],
  };
}
