/**
 * Faults that are put into the rules of undo on purpose. The simulation must find each. `edits`: a file of `src`, a text that
 * stands there once, and what replaces it.
 */

type Edit = readonly [file: string, from: string, to: string];

/** Removes the first condition of a statement, so that the statement never runs. */
const never = (text: string): readonly [string, string] => [text, text.replace("if (", "if (false && ")];

export const faults: readonly (readonly [rule: string, ...Edit[]])[] = [
  [
    "goes on to an older run",
    [
      "undo/choose.ts",
      "      if (record.isUndo) {",
      "      if (!record.isUndo && !isChanged) continue;\n      if (record.isUndo) {",
    ],
  ],
  [
    "takes back the run before an undo",
    [
      "undo/choose.ts",
      "throw new Usage(`the last run is an undo",
      "if (before) return { runs: [before], title: titleOf([before]) };\n    throw new Usage(`the last run is an undo",
    ],
  ],
  [
    "does not continue an undo that was killed",
    ["undo/choose.ts", ...never("if (undoes.length && (isKilled || only)) {")],
  ],
  ["does not take back the rest after --only", ["undo/choose.ts", "(isKilled || only)", "isKilled"]],
  ["takes runs of other jobs", ["undo/choose.ts", "record.job === job &&", "record.job !== undefined &&"]],
  ["takes runs of a job that are days apart", ["undo/choose.ts", "> mostApart)", "> 1000 * mostApart)"]],
  ["forgets the job of the environment", ["log/runs.ts", 'env.ZULIPCTL_JOB ?? ""', '""']],
  ["takes back a run that is still going", ["undo/choose.ts", ...never("if (await this.history.isGoing(run))")]],
  [
    "leaves out the parts of a resumed run",
    ["undo/choose.ts", "? this.history.partsOf(run) : [run]", "? [run] : [run]"],
  ],
  ["gives two runs one name", ["log/runs.ts", "Number(count) + 1", "Number(count)"]],
  ["lets names go back with the clock", ["log/runs.ts", "day >= today", "day === today"]],
  ["counts a refused run as a change", ["undo/history.ts", 'outcome !== "refused" &&', ""]],
  ["takes lines of other runs", ["undo/entries.ts", "wanted.has(run) ||", "true ||"]],
  [
    "does not count lost lines",
    ["undo/entries.ts", "  return Math.max(\n    lost,", "  return 0 * Math.max(\n    lost,"],
  ],
  ["does not keep the number of lines", ["run/recorder.ts", "lines: this.#lines", "lines: 0"]],
  [
    "forgets what the journal knows",
    ["undo/entries.ts", "if (!isKnown(entry)) found.push(entry)", "if (!isKnown(entry)) continue"],
  ],
  ["does not say that a run was killed", ["undo/entries.ts", ...never("if (isKilled && !(await history.journal")]],
  ["does not write down that a run sends", ["run/recorder.ts", "sends: true,", ""]],
  [
    "does not compare the header of a journal",
    ["run/journal/journal-files.ts", "return kind && header.run === run ?", "return kind ?"],
    ["run/journal/unanswered.ts", "found?.replay.header?.run !== run", "found === undefined"],
  ],
  ["resumes what was taken back", ["run/journal/undone.ts", "if (!undo || again) return;", "return;"]],
  [
    "overlooks values of later runs",
    ["undo/later.ts", "if (!undone.length) return { run, isBack: false };", "if (!undone.length) continue;"],
  ],
  [
    "holds an undo that was taken back against a run",
    ["undo/later.ts", "for (const each of undone) taken.add(each);", ""],
  ],
  ["takes back twice", ["undo/later.ts", "isBack ||= isDone", "isBack &&= isDone"]],
  ["overwrites what others set", ["undo/plan.ts", ...never("if (!part.ends.some(")]],
  ["sets what names somebody who is gone", ["undo/plan.ts", ...never("if (missing.length) return")]],
  [
    "archives before it changes lists",
    ["undo/order.ts", '(isSwitch && sign === "-" ? 1 : 0)', '(isSwitch && sign === "-" ? -1 : 0)'],
  ],
  [
    "overlooks runs between runs",
    ["undo/later.ts", "!isOwn && place > begin && place < end", "!isOwn && place < begin"],
  ],
  [
    "takes back the first change first",
    ["undo/parts.ts", "other.position - one.position", "one.position - other.position"],
  ],
  [
    "ignores what happens before the answer",
    ["commands/undo/undo-run.ts", "confirmed(items, fresh.items)", "[...items]"],
  ],
  [
    "verifies a third value",
    [
      "commands/undo/undo-run.ts",
      "const wrong = notBack(items, await plan(true).items(things));",
      "const wrong = notBack(items, []);",
    ],
  ],
  ["verifies what is left since", ["commands/undo/undo-run.ts", "(item) => !item.left ||", "(item) => !item.left &&"]],
  [
    "says nothing of what others set",
    ["undo/plan.ts", 'return stays("conflict", " was changed since", true);', "return undefined;"],
  ],
  [
    "overlooks members that others changed",
    ["undo/lists.ts", "since(id).run !== undefined || since(id).isBack", "false"],
  ],
  ["takes members back that were added and removed", ["undo/parts.ts", "all[0] === all.at(-1)", "true"]],
  ["takes away what others use", ["undo/recreate.ts", "if (!since.length) return item;", "return item;"]],
  ["calls back what is gone", ["undo/recreate.ts", "return isTakenAway ? [] :", "return true ? [] :"]],
  [
    "takes away what others have renamed",
    [
      "undo/recreate.ts",
      'return changed.length ? [left(item, entry, "conflict", changedSince(changed))] : [item];',
      "return [item];",
    ],
  ],
  ["removes emoji of others by their name", ["undo/recreate.ts", ...never("if (found.author_id !== ownId) return")]],
  [
    "revokes invitations by their address",
    [
      "undo/recreate.ts",
      "const isKnown = made.length === 1 && (ids !== undefined || !isLater);",
      "const isKnown = true;",
    ],
  ],
  [
    "does not put back what was replaced",
    ["undo/recreate.ts", "const there = isReplaced ? undefined : found;", "const there = found;"],
  ],
  ["adds again what others removed", ["undo/recreate.ts", ...never("if (!found && isRemovedByOthers)")]],
  [
    "calls another thing of the name back",
    ["undo/recreate.ts", "return other.length ? [left(", "return false ? [left("],
  ],
  [
    "moves messages that came since",
    ["undo/moved.ts", "const isWhole = isOnly && !(await isTaken(state, entry));", "const isWhole = true;"],
  ],
  [
    "brings no bots back with their owner",
    ["undo/besides.ts", "const bots = numbersIn(from.bots);", "const bots = numbersIn([]);"],
  ],
  [
    "does not make archived channels the default again",
    ["undo/besides.ts", "is_default_stream === true ?", "is_default_stream === 1 ?"],
  ],
  [
    "lets go of no group before it is deactivated",
    ["undo/release.ts", "if (operation !== deactivateGroup)", "if (operation)"],
  ],
  [
    "forgets the order of linkifiers",
    ["undo/besides.ts", "return order.length ? [also(reorderLinkifiers, all)] : [];", "return [];"],
  ],
  ["knows an undo by nothing", ["commands/undo/undo-run.ts", "know({ undoes: runs,", "know({ undoes: [],"]],
];
