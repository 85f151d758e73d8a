import { formOf } from "../argv/flags.ts";
import { acts } from "../cli/conversation.ts";
import { ago, choice, number, text } from "../cli/kinds.ts";
import type { RawFlags } from "../cli/word.ts";
import { counted } from "../counted.ts";
import { asError, reasonOf, Usage } from "../errors.ts";
import type { LogEntry } from "../log/change-log.ts";
import { changeText, merged, readLog } from "../log/read-log.ts";
import type { Listing } from "../output/form.ts";
import { when } from "../output/when.ts";
import type { Context } from "../run/context.ts";

const filters = {
  since: ago("changes of the last so many days (2d) or hours (12h) only"),
  target: text("changes of what has this in its name or id only"),
  outcome: choice(["done", "refused", "unknown"], "changes that came to this only", "outcome"),
  limit: number("so many at most", "n", 1),
};

const styles = new Map<string, "good" | "bad" | "warn">([
  ["done", "good"],
  ["refused", "bad"],
  ["unknown", "warn"],
]);

const members = ["time", "run", "site", "account", "command", "operation", "target", "outcome"];
const some = ["profile", "row", "thing", "error", "ids", "before", "changes", "added", "removed"];

const whose = ({ profile, account }: LogEntry) => profile ?? account;

/** What `--target` looks in: what the person called it, and its id. */
const names = ({ target, thing = "" }: LogEntry) => `${target}\n${thing}`.toLowerCase();

async function* first<T>(all: AsyncIterable<T>, limit: number): AsyncGenerator<T> {
  let left = limit;
  for await (const each of all) {
    yield each;
    if (--left === 0) return;
  }
}

async function list(
  { world, flags }: Context,
  { since, target, outcome, limit = Number.POSITIVE_INFINITY }: RawFlags<typeof filters>,
): Promise<Listing<LogEntry>> {
  let unread = 0;
  const wanted = target?.toLowerCase();
  async function* records(): AsyncGenerator<LogEntry> {
    for await (const entry of readLog(world, () => unread++)) {
      if (since !== undefined && !(Date.parse(entry.time) >= world.clock.now() - since)) continue;
      if (wanted !== undefined && !names(entry).includes(wanted)) continue;
      if (outcome === undefined || entry.outcome === outcome) yield entry;
    }
  }
  const lines = readable(records());
  return {
    kind: "listing",
    records: first(formOf(flags) === "table" ? merged(lines) : lines, limit),
    known: members,
    rare: some,
    id: ({ run }) => run,
    columns: [
      { head: "TIME", value: ({ time }) => when(Date.parse(time)), whole: true, importance: "high" },
      { head: "WHO", value: whose },
      { head: "TARGET", value: ({ target }) => target },
      { head: "CHANGE", value: changeText, importance: "high" },
      { head: "OUTCOME", value: ({ outcome }) => outcome, style: ({ outcome }) => styles.get(outcome) },
      { head: "COMMAND", value: ({ command }) => command, cut: true, importance: "low" },
    ],
    note: () =>
      unread ? `${counted(unread, "line")} of the log cannot be read: a full disk may have cut them short.` : undefined,
  };
}

async function* readable<T>(records: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* records;
  } catch (error) {
    const { message } = reasonOf(asError(error));
    throw new Usage(`cannot read the log: ${message}`, { cause: error });
  }
}

export const log = acts({
  doc: "List changes made from this machine, the newest first: time, command and result",
  flags: filters,
  examples: [
    "zulipctl log --since 2d",
    "zulipctl log --limit 10",
    "zulipctl log --target design --outcome refused -o ndjson",
  ],
  note: 'The log lies in the state directory, for the owner alone. "log": false in the configuration turns it off.',
  run: async () => list,
});
