import { operationNamed } from "../api/registry.ts";
import { outputForm } from "../argv/global-flags.ts";
import type { Noun } from "../cli/noun.ts";
import { optionalOperand, type Values, withDefault } from "../cli/parameter.ts";
import { choice, filter, moment, number, offered, text, toggle } from "../cli/value-parameters.ts";
import { customVerb } from "../cli/verbs-with-code.ts";
import { counted } from "../common/counted.ts";
import { containsText } from "../common/folding.ts";
import { valueNamed } from "../common/object-members.ts";
import { Usage } from "../errors.ts";
import type { LogEntry } from "../log/change-log.ts";
import { changeText, ignoredText, merged, readLog } from "../log/read-log.ts";
import { fieldLabel } from "../model/field.ts";
import type { Listing } from "../output/form.ts";
import { programLine } from "../output/line.ts";
import { timeCell } from "../output/when.ts";
import { plainWords } from "../resolve/field-words.ts";
import type { Context } from "../run/context.ts";
import { journaled } from "../run/journal/unanswered.ts";
import { lastChanged } from "../undo/choose.ts";
import { type Chosen, type LoggedRun, loggedRun } from "../undo/entries.ts";
import { History } from "../undo/history.ts";
import { deletesProfile, whyNot } from "../undo/undoable.ts";
import { fieldOf } from "../wire/call.ts";

const flags = {
  since: moment("only changes from this time on: 2d, 12h, today, or 2026-01-31 12:00; see help times"),
  target: filter("only changes whose target has this text in its name or id"),
  outcome: choice(["done", "refused", "maybe_partial", "unknown"], "only changes with this outcome", "outcome"),
  limit: number("at most this many", "n", 1),
};

const optionalFields = [
  "job",
  "n",
  "journal",
  "profile",
  "row",
  "thing",
  "error",
  "ids",
  "before",
  "at",
  "from",
  "to",
  "ignored",
  "changes",
  "added",
  "removed",
];

const styles = { done: "good", refused: "bad", maybe_partial: "warn", unknown: "warn" } as const;

async function list(
  context: Context,
  { since, target, outcome, limit }: Values<Record<never, never>, typeof flags>,
): Promise<Listing<LogEntry>> {
  let unreadable = 0;
  const { job } = context.flags;
  const isChosen = (entry: LogEntry) =>
    (since === undefined || Date.parse(entry.time) >= since * 1000) &&
    (job === undefined || entry.job === job) &&
    (target === undefined || containsText(`${entry.target}\n${entry.thing ?? ""}`, target)) &&
    (outcome === undefined || entry.outcome === outcome);
  async function* records(): AsyncGenerator<LogEntry> {
    const entries = readLog(context.world, isChosen, () => unreadable++);
    let count = 0;
    for await (const entry of outputForm(context.flags) === "table" ? merged(entries) : entries) {
      yield entry;
      if (++count === limit) return;
    }
  }
  return {
    kind: "listing",
    records: records(),
    allFields: ["time", "run", "site", "account", "command", "operation", "target", "outcome"],
    optionalFields,
    id: "run",
    columns: [
      { head: "TIME", value: ({ time }) => timeCell(time), whole: true, importance: "high" },
      { head: "WHO", value: ({ profile, account }) => profile ?? account },
      { head: "TARGET", value: ({ target }) => target },
      { head: "CHANGE", value: changeText, importance: "high" },
      {
        head: "OUTCOME",
        value: ({ outcome }) => outcome,
        style: ({ outcome }) => valueNamed(styles, outcome),
      },
      { head: "COMMAND", value: ({ command }) => command, cut: true, importance: "low" },
      { head: "RUN", value: ({ run }) => run, whole: true },
    ],
    note: () =>
      unreadable
        ? `${counted(unreadable, "line")} of the log cannot be read: a full disk may have cut them short.`
        : undefined,
  };
}

const valuesText = (operation: string, values: LogEntry["from"]): string | undefined =>
  values &&
  Object.entries(values)
    .map(
      ([name, value]) => `${fieldLabel(name)}: ${plainWords(fieldOf(operationNamed(operation), name, value), value)}`,
    )
    .join(", ");

const textAfter = (entry: LogEntry): string =>
  [membersText(entry) ?? valuesText(entry.operation, entry.to), ignoredText(entry.ignored)].filter(Boolean).join(", ");

const membersText = ({ added, removed }: LogEntry): string | undefined =>
  [...(added ? [`added: ${added.join(", ")}`] : []), ...(removed ? [`removed: ${removed.join(", ")}`] : [])].join(
    "; ",
  ) || undefined;

interface ShownChange extends LogEntry {
  can_undo: boolean;
  /** Why it cannot be undone. */
  reason?: string;
}

/** Returns the runs that are shown. A run that was resumed is shown with its other parts, if its first part is named. */
async function chosenRuns(history: History, run: string, job: string | undefined): Promise<Chosen> {
  if (job !== undefined) {
    const runs = history.runs.filter((record) => record.job === job && !record.isUndo).map((record) => record.run);
    if (!runs.length) throw new Usage(`job ${job} has no runs`, { hint: "List runs with: zulipctl log" });
    return { runs: runs.reverse(), title: `job ${job}`, isSeveral: true };
  }
  if (run === "last") return lastChanged(history);
  const isFirst = (history.record(run)?.journal ?? run) === run;
  return { runs: isFirst ? history.partsOf(run) : [run], title: `run ${run}` };
}

/** Plans an undo. Returns why each change is left alone, and which are back already. */
async function checked(context: Context, found: LoggedRun): Promise<(entry: LogEntry) => string | undefined> {
  const server = await context.server();
  const [{ Planner }, { State, readingOf }, { thingKey }] = await Promise.all([
    import("../undo/plan.ts"),
    import("../undo/state.ts"),
    import("../undo/thing.ts"),
  ]);
  const planner = new Planner(found.entries, new State(server, found, readingOf(server, context)));
  await planner.things();
  const items = await planner.items();
  const reasons = new Map(items.flatMap((item) => (item.left ? [[thingKey(item), item.left.says] as const] : [])));
  const planned = new Set(items.map(thingKey));
  return (entry) => {
    const { site, account } = entry;
    if (site !== server.site || account !== server.email) return `it was made as ${account ?? "nobody"} on ${site}`;
    const keys = planner.keysOf(entry);
    const reason = keys.map((key) => reasons.get(key)).find((each) => each !== undefined);
    return reason ?? (keys.some((key) => planned.has(key)) ? undefined : "it is back already");
  };
}

async function showRun(
  context: Context,
  { run = "last", check }: { run?: string; check?: boolean | undefined },
): Promise<Listing<ShownChange>> {
  const {
    world,
    warn,
    flags: { job },
  } = context;
  const history = await History.open(world, (each) => journaled(world, each));
  const found = await loggedRun(history, await chosenRuns(history, run, job));
  for (const line of found.left) await warn(programLine(line));
  const now = check ? await checked(context, found) : undefined;
  function* records(): Generator<ShownChange> {
    for (const entry of found.entries) {
      const reason = (now && deletesProfile(entry) ? undefined : whyNot(entry)) ?? now?.(entry);
      yield Object.assign({}, entry, { can_undo: reason === undefined, ...(reason !== undefined && { reason }) });
    }
  }
  return {
    kind: "listing",
    records: records(),
    id: "run",
    allFields: ["time", "run", "site", "account", "command", "operation", "target", "outcome", "can_undo"],
    optionalFields: [...optionalFields, "reason"],
    columns: [
      { head: "TARGET", value: ({ target }) => target, importance: "high" },
      { head: "OPERATION", value: ({ operation }) => operation },
      { head: "FROM", value: ({ operation, from }) => valuesText(operation, from), cut: true },
      { head: "TO", value: textAfter, cut: true },
      { head: "OUTCOME", value: ({ outcome }) => outcome, style: ({ outcome }) => styles[outcome] },
      { head: "UNDO", value: ({ can_undo, reason }) => (can_undo ? "yes" : `no: ${reason}`), importance: "high" },
    ],
  };
}

const listVerb = customVerb({
  doc: "List changes made from this machine, the newest first: time, command and result",
  flags,
  examples: [
    "zulipctl log --since 2d",
    "zulipctl log --limit 10",
    "zulipctl log --target design --outcome refused -o ndjson",
  ],
  note: 'The log is in the state directory, and only you can read it. "log": false in the configuration turns it off; "record_previous": false keeps old values out of it.',
  run: async () => list,
});

export const logNoun = {
  doc: listVerb.doc,
  itself: listVerb,
  verbs: {
    show: customVerb({
      doc: "Show one run: every change with its old and new values, and whether it can be undone",
      operands: {
        run: optionalOperand(withDefault("last", offered("logged-run", text("run of zulipctl log, or last", "run")))),
      },
      flags: { check: toggle("ask the server whether each change can be undone now") },
      examples: ["zulipctl log show", "zulipctl log show last -o json", "zulipctl log show --check"],
      run: async () => showRun,
    }),
  },
} satisfies Noun;
