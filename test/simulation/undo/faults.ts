/** Faults that are put into the rules of undo on purpose. The simulation must find each. */
import { everyTheme, type Theme } from "./themes.ts";

/** A seed whose story finds the fault, after its theme. */
type Found = `${number}` | `${Theme} ${number}`;

type Edit = readonly [file: string, from: string, to: string];

/** Removes the first condition of a statement, so that the statement never runs. */
const never = (text: string): readonly [string, string] => [text, text.replace("if (", "if (false && ")];

const table: readonly (readonly [rule: string, found: Found, ...Edit[]])[] = [
  [
    "goes on to an older run",
    "14",
    [
      "undo/choose.ts",
      "      if (record.isUndo) {",
      "      if (!record.isUndo && !isChanged) continue;\n      if (record.isUndo) {",
    ],
  ],
  [
    "takes back the run before an undo",
    "rest 11",
    [
      "undo/choose.ts",
      "throw new Usage(`the last run is an undo",
      "if (before) return { runs: [before], title: titleOf([before]) };\n    throw new Usage(`the last run is an undo",
    ],
  ],
  [
    "does not continue an undo that was killed",
    "killed 38",
    ["undo/choose.ts", ...never("if (undoes.length && (isKilled || only)) {")],
  ],
  ["does not take back the rest after --only", "rest 2", ["undo/choose.ts", "(isKilled || only)", "isKilled"]],
  ["takes runs of other jobs", "jobs 1", ["undo/choose.ts", "record.job === job &&", "record.job !== undefined &&"]],
  ["takes runs of a job that are days apart", "jobs 14", ["undo/choose.ts", "> mostApart)", "> 1000 * mostApart)"]],
  ["forgets the job of the environment", "jobs 1", ["log/runs.ts", 'env.ZULIPCTL_JOB ?? ""', '""']],
  [
    "takes back a run that is still going",
    "going 2",
    ["undo/choose.ts", ...never("if (await this.history.isGoing(run))")],
  ],
  [
    "leaves out the parts of a resumed run",
    "resumed 369",
    ["undo/choose.ts", "? this.history.partsOf(run) : [run]", "? [run] : [run]"],
  ],
  ["gives two runs one name", "clock 1", ["log/runs.ts", "Number(count) + 1", "Number(count)"]],
  ["lets names go back with the clock", "clock 1", ["log/runs.ts", "day >= today", "day === today"]],
  [
    "counts a run without effect as a change",
    "idle 17",
    ["undo/undoable.ts", "hasEffect(entry) && whyNot(entry) !== nothingChanged", "true"],
  ],
  ["takes lines of other runs", "6", ["undo/entries.ts", "wanted.has(run) ||", "true ||"]],
  ["does not count lost lines", "lost 2", ["undo/unlogged.ts", "const lost = Math.max(", "const lost = 0 * Math.max("]],
  ["does not keep the number of lines", "1", ["run/recorder.ts", "lines: this.#lines", "lines: 0"]],
  [
    "forgets what the journal knows",
    "resumed 7",
    ["undo/unlogged.ts", "if (!isKnown(entry)) found.push(entry)", "if (!isKnown(entry)) continue"],
  ],
  ["does not look for what a killed command was sending", "27", ["undo/unlogged.ts", "found.push(...sending);", ""]],
  ["does not write down that a run sends", "resumed 11", ["run/recorder.ts", "sends: true,", ""]],
  [
    "does not compare the header of a journal",
    "journal 5",
    ["run/journal/journal-files.ts", "return kind && header.run === run ?", "return kind ?"],
    ["run/journal/unanswered.ts", "found?.replay.header?.run !== run", "found === undefined"],
  ],
  ["resumes what was taken back", "stopped 14", ["run/journal/undone.ts", "if (!undo || again) return;", "return;"]],
  [
    "overlooks values of later runs",
    "again 10",
    [
      "undo/later-changes.ts",
      "if (!undone.length) return { run, isBack: false, wasBack: false, mayBeBack: false };",
      "if (!undone.length) continue;",
    ],
  ],
  [
    "holds an undo that was taken back against a run",
    "contested 40",
    ["undo/later-changes.ts", "for (const each of undone) taken.add(each);", ""],
  ],
  ["takes back twice", "redone 7", ["undo/later-changes.ts", "isBack ||= isDone", "isBack &&= isDone"]],
  [
    "overwrites what others set",
    "asked 4",
    ["undo/value-items.ts", "return part.ends.some(isLeft) ?", "return true ?"],
  ],
  [
    "sets what names somebody who is gone",
    "leaving 7",
    ["undo/value-items.ts", ...never("if (missing.length) return")],
  ],
  [
    "archives before it changes lists",
    "19",
    ["undo/order.ts", '(isSwitch && sign === "-" ? 1 : 0)', '(isSwitch && sign === "-" ? -1 : 0)'],
  ],
  [
    "overlooks runs between runs",
    "contested 68",
    ["undo/later-changes.ts", "!isOwn && place > begin && place < end", "!isOwn && place < begin"],
  ],
  [
    "takes back the first change first",
    "10",
    ["undo/parts.ts", "other.position - one.position", "one.position - other.position"],
  ],
  [
    "ignores what happens before the answer",
    "asked 4",
    ["commands/undo/undo-run.ts", "const fresh = await beforeSending(read);", "const fresh = plan;"],
  ],
  [
    "verifies a third value",
    "verified 2",
    ["commands/undo/ending.ts", "const wrong = notBack(planned, fresh);", "const wrong = notBack(planned, []);"],
  ],
  [
    "verifies what is left since",
    "verified 2",
    ["commands/undo/ending.ts", "(item) => !item.left ||", "(item) => !item.left &&"],
  ],
  [
    "says nothing of what others set",
    "asked 4",
    ["undo/value-items.ts", 'return stays("conflict", changed, true);', "return undefined;"],
  ],
  [
    "overlooks members that others changed",
    "contested 21",
    ["undo/list-items.ts", "since(id).run !== undefined || since(id).isBack", "false"],
  ],
  [
    "takes members back that were added and removed",
    "contested 20",
    ["undo/list-parts.ts", "all[0] === all.at(-1)", "true"],
  ],
  [
    "takes away what others use",
    "asked 20",
    ["undo/later-content.ts", "if (!since.length) return item;", "return item;"],
  ],
  ["calls back what is gone", "asked 9", ["undo/made-things.ts", "return isTakenAway ? [] :", "return true ? [] :"]],
  [
    "takes away what others have renamed",
    "adopted 2",
    [
      "undo/made-things.ts",
      'return changed.length ? [left(item, entry, "conflict", changedSince(changed))] : [item];',
      "return [item];",
    ],
  ],
  [
    "removes emoji of others by their name",
    "remade 16",
    ["undo/made-things.ts", ...never("if (found.author_id !== ownId) return")],
  ],
  [
    "revokes invitations by their address",
    "remade 139",
    [
      "undo/invitations.ts",
      "const isKnown = made.length === 1 && (ids !== undefined || !isLater);",
      "const isKnown = true;",
    ],
  ],
  [
    "does not put back what was replaced",
    "10",
    ["undo/removed-things.ts", "isReplaced ? undefined : found;", "found;"],
  ],
  [
    "adds again what others removed",
    "remade 11",
    ["undo/removed-things.ts", ...never("if (!there && isRemovedByOthers)")],
  ],
  [
    "calls another thing of the name back",
    "remade 21",
    ["undo/removed-things.ts", "return other.length &&", "return false &&"],
  ],
  [
    "moves messages that came since",
    "topics 5",
    ["undo/message-moves.ts", "const isWhole = isOnly && !(await isTaken(state, entry));", "const isWhole = true;"],
  ],
  [
    "brings no bots back with their owner",
    "leaving 2",
    ["undo/side-changes.ts", "const bots = numbersIn(from.bots);", "const bots = numbersIn([]);"],
  ],
  [
    "does not make archived channels the default again",
    "leaving 3",
    ["undo/side-changes.ts", "is_default_stream === true ?", "is_default_stream === 1 ?"],
  ],
  [
    "lets go of no group before it is deactivated",
    "adopted 43",
    ["undo/release.ts", "if (operation !== deactivateGroup)", "if (operation)"],
  ],
  [
    "forgets the order of linkifiers",
    "remade 15",
    ["undo/side-changes.ts", "return order.length ? [also(reorderLinkifiers, all)] : [];", "return [];"],
  ],
  [
    "knows an undo by nothing",
    "redone 14",
    ["commands/undo/undo-run.ts", "know({ undoes: runs,", "know({ undoes: [],"],
  ],
];

export interface Fault {
  readonly rule: string;
  readonly seed: number;
  readonly theme: Theme | undefined;
  /** A file of `src`, a text that stands there once, and what replaces it. */
  readonly edits: readonly Edit[];
}

export const faults: readonly Fault[] = table.map(([rule, found, ...edits]) => ({
  ...{ rule, edits },
  seed: Number(found.split(" ").at(-1)),
  theme: everyTheme.find((theme) => found.startsWith(theme)),
}));
