/** Reads a line of a journal. A broken disk, a person or another program may have changed it. */
import { keyed, membersOfJson } from "../common/object-members.ts";
import { fits } from "../wire/fits.ts";
import {
  count,
  either,
  integer,
  list,
  matching,
  object,
  optional,
  pair,
  string,
  type Type,
  time,
  word,
} from "../wire/types.ts";
import type { Header, JournalEntry } from "./journal.ts";

const rows = list(either(count, matching(/^\d+\.\d+$/, "must be row.part")));
const error = object({ message: string });
const members = object({});

/** What readers rely on, by the member that tells the kind of a line. */
const kinds: Readonly<Record<string, Type>> = {
  journal: object({
    ...keyed(["journal", "run", "site", "account", "input", "words"], () => string),
    ...{ version: count, rows: count, began: time },
    ...{ lines: optional(list(pair(count, count))), command: optional(string) },
  }),
  sent: object({
    sent: count,
    rows,
    parts: optional(list(count)),
    operation: string,
    args: members,
    from: optional(members),
  }),
  found: object({ found: list(members) }),
  name: object({ name: string, is: integer, kind: string }),
  people: object({ group: integer, people: list(integer) }),
  returned: object({ returned: count }),
  answered: either(
    object({ answered: count, outcome: word("done"), answers: list(members), ignored: optional(list(string)) }),
    object({ answered: count, outcome: word("refused"), error }),
    object({ answered: count, outcome: word("split") }),
  ),
  judged: either(
    object({ judged: count, rows, as: word("unchanged") }),
    object({ judged: count, rows, as: word("refused"), errors: list(error) }),
  ),
  unanswered: object({ unanswered: count, error }),
  settled: either(
    object({ settled: count, as: word("done", "not_applied") }),
    object({ settled: count, as: word("unknown"), error }),
  ),
  more: object({ more: count }),
  resumed: object({ resumed: time }),
  ended: object({
    ended: time,
    counts: object(keyed(["done", "refused", "unknown", "not_sent", "invalid", "conflict"], () => optional(count))),
  }),
};

const checks = Object.entries(kinds).map(([kind, type]) => ({ kind, fits: fits(type) }));

const isLine = (value: object): value is Header | JournalEntry =>
  checks.find(({ kind }) => kind in value)?.fits(value) ?? false;

/** Undefined if the text is no line of a journal. */
export function journalLine(text: string): Header | JournalEntry | undefined {
  const line = membersOfJson(text);
  return isLine(line) ? line : undefined;
}
