import { checkWords } from "../../batch/check-words.ts";
import { requestsOf } from "../../batch/dry-run.ts";
import { NameCache } from "../../batch/earlier-rows.ts";
import { checkNotOverwritten, FailedRows } from "../../batch/failed.ts";
import { Attachments } from "../../batch/input.ts";
import type { RowReader } from "../../batch/reader.ts";
import { Validation } from "../../batch/validation.ts";
import { Program } from "../../cli/program.ts";
import type { Registry } from "../../cli/registry.ts";
import type { Server } from "../../client/server.ts";
import { counted } from "../../common/counted.ts";
import { joinQuestions, type Question } from "../../common/question.ts";
import { commandLine } from "../../common/shell-words.ts";
import type { Allowed } from "../../engine/change.ts";
import type { EngineOptions } from "../../engine/engine-options.ts";
import { rowLines } from "../../engine/journal.ts";
import type { JournaledRun } from "../../engine/journaled-run.ts";
import { type TaskKey, taskKey } from "../../engine/task.ts";
import { beforeSending, Usage } from "../../errors.ts";
import { maskedLine } from "../../log/masking.ts";
import { programLine } from "../../output/line.ts";
import { deprecations } from "../../run/commit.ts";
import { type Conclusion, type Context, requests } from "../../run/context.ts";
import { leftOutTexts } from "../../run/journal/ending.ts";
import { chooseJournal, hashOf, headerAccount } from "../../run/journal/journal-files.ts";
import type { RunRow } from "../../run/journal/row.ts";
import { connectForRun, sendRows, withRun } from "../../run/journal/run-with-journal.ts";
import { noteStaysOut } from "../../run/members/stays-out.ts";
import { isForOlder } from "../../run/older-servers.ts";
import { asRecords, differenceFailure, printDiff } from "../../run/preview.ts";
import type { Shell } from "../../run/shell.ts";
import type { World } from "../../world/world.ts";
import { chooseReader } from "./choose-reader.ts";
import { resumingLine, withSeparator } from "./command-lines.ts";
import type { BatchOptions } from "./flags.ts";
import { verifiesLists } from "./verifies-lists.ts";

/** So many rows show that the account may do none of them. */
const mostRefusedAlike = 10;

/** The largest number of rows that the question names. */
const mostAsked = 3;

interface Asked {
  readonly line: number;
  readonly question: Question;
}

/** Returns the question of the run, with counts. Undefined if no row asks. `notes`: about the run as a whole. */
function confirmation(all: readonly Asked[], selected: number, notes: string): Question | undefined {
  const { length: confirmations } = all;
  if (!confirmations) return undefined;
  const questions = all.slice(0, mostAsked).map(({ line, question }) => ({
    ...question,
    question: `line ${line}: ${question.question}`,
  }));
  const { question, consequence } = joinQuestions(questions);
  const more = confirmations > questions.length ? `; and ${confirmations - questions.length} more` : "";
  const needs = `${counted(confirmations, "change needs", "changes need")} confirmation`;
  return {
    question: `Apply ${counted(selected, "row")}`,
    preposition: "to",
    consequence: [`${needs}: ${question}${more}.`, consequence, notes].filter(Boolean).join(" "),
  };
}

/** Judges all rows together, but not those that an earlier process has finished. Returns what is asked. */
async function judgeRows(
  context: Context,
  rows: RunRow[],
  allowed: Allowed,
  isFinished: (key: TaskKey) => boolean,
): Promise<{ asked: Asked[]; notes: string }> {
  const all = rows.flatMap(({ row, changes }, at) =>
    changes.flatMap((change, part) => (change.diff || isFinished(taskKey(row, part)) ? [] : [{ at, part, change }])),
  );
  const { judged } = await import("../../run/judge-changes.ts");
  const { changes, notes } = await judged(
    context,
    all.map(({ change }) => change),
    allowed,
    (n) => rows[all[n]?.at ?? -1]?.line,
  );
  const asked: Asked[] = [];
  for (const [n, { at, part, change }] of all.entries()) {
    const found = changes[n] ?? change;
    const row = rows[at];
    if (found !== change && row) row.changes = row.changes.with(part, found);
    if (found.confirm && !found.unchanged) asked.push({ line: row?.line ?? 0, question: found.confirm });
  }
  return { asked, notes };
}

/** Returns the secrets in the first change of each kind. */
const secretsOf = ({ samples }: Validation): unknown[] =>
  [...samples].flatMap(([{ params }, { args }]) =>
    Object.keys(params).flatMap((name) => (params[name]?.secret ? args[name] : [])),
  );

/** Throws `Usage` for invalid rows, unless they are skipped. */
async function checkProblems({ note }: Context, { skipInvalid }: BatchOptions, name: string, validation: Validation) {
  const { problems, selected, commonProblem: common } = validation;
  if (!problems.length) return;
  if (common) throw new Usage(`after --: ${common.message}`, { outcome: "not_sent", hint: common.hint });
  const count = `${problems.length} of ${counted(selected, "row")} of ${name}`;
  if (skipInvalid) return note(programLine(`${count} skipped: invalid`));
  throw new Usage(`${count} ${problems.length === 1 ? "is" : "are"} wrong; nothing was sent`, {
    outcome: "not_sent",
    hint: "Correct them, or skip them with --skip-invalid.",
    more: { problems },
  });
}

/** Without filters as ever: runs of earlier versions can be resumed. */
const hashOfWords = ({ format }: RowReader, words: readonly string[], options: BatchOptions): string =>
  hashOf([
    format,
    words,
    ...(options.where || options.skipEmpty ? [options.where, options.skipEmpty] : []),
    ...(options.listSeparator ? [options.listSeparator] : []),
  ]);

/** Shows the differences of the rows, or the requests that they would send. */
async function previewRows(
  context: Context,
  server: Server,
  { rows, diff, leftOut, selected, names }: Validation,
  options: Pick<EngineOptions, "merge" | "retryUnknown" | "replay">,
): Promise<Conclusion | undefined> {
  const failure = differenceFailure(diff.differing);
  if (diff.shown && !asRecords(context)) {
    for (const { changes } of rows) await printDiff(context, changes);
    return failure && { kind: "ended", failure };
  }
  const leftOutText = leftOutTexts(leftOut);
  if (leftOutText.length) await context.note(programLine(leftOutText.join(", ")));
  const { clock, signals } = context.world;
  const noChanges = programLine(`No changes: nothing would be sent for ${counted(selected, "row")}.`);
  // Each row is compared with a value of its own.
  const planOptions = { ...options, clock, signals, merge: options.merge && !diff.shown };
  const planned = requestsOf({ server, names }, rows, planOptions, () => context.note(noChanges));
  return { ...requests(planned), failure };
}

/** Throws `Usage` unless `--` is before the command. */
function checkSeparator(argv: readonly string[], words: readonly string[]): void {
  if (!words.length || argv.includes("--")) return;
  throw new Usage("missing -- before the command", {
    outcome: "not_sent",
    hint: `Put -- before the command: ${withSeparator(argv, words)}`,
  });
}

/** Throws `Usage` for a command that rows cannot have. */
async function checkCommand(program: Program, { template }: RowReader): Promise<void> {
  await program.rootFor(["batch"]);
  checkWords(await program.rootFor(template.typedWords.map(({ text }) => text)), template);
}

/** Reads and checks all rows. */
async function examine({ waits }: Context, validation: Validation, name: string): Promise<void> {
  const drawn = () => programLine(`examining ${name}, ${counted(validation.rows.length, "row")} so far`);
  const examining = waits.begin({ what: `examining ${name}`, progress: drawn });
  await beforeSending(() => validation.run()).finally(() => examining.end());
}

/** Throws what forbids the whole run. Returns the question of the run. */
async function checkRun(
  context: Context,
  server: Server,
  options: BatchOptions,
  { rows, samples, diff, selected }: Validation,
  run: JournaledRun | undefined,
): Promise<Question | undefined> {
  await noteStaysOut(context);
  const needsNewer = [...samples.keys()].some((operation) => !isForOlder(operation));
  if (needsNewer) await beforeSending(() => server.featureLevel.requireOldest());
  const isFinished = (key: TaskKey) => run?.isFinished(key) ?? false;
  const { asked, notes } = await beforeSending(() => judgeRows(context, rows, options, isFinished));
  if (diff.shown && diff.sent) throw new Usage("--diff must be in every row or in none");
  return confirmation(asked, selected, notes);
}

/** Throws `Usage` if `--failed` would overwrite a file that a row uploads. */
async function checkUploadsKept(files: World["files"], failed: string, attachments: Attachments): Promise<void> {
  const uploads = attachments.digests().map(([path]) => [`@${path} of a row`, path]);
  await checkNotOverwritten(files, failed, Object.fromEntries(uploads));
}

export const runBatch =
  (shell: Shell, every: (shell: Shell) => Registry) =>
  async (context: Context, options: BatchOptions, file: string, words: string[]): Promise<Conclusion | undefined> => {
    const { world, flags } = context;
    const { failed, merge = true, retryUnknown } = options;
    checkSeparator(shell.argv, words);
    const reader = chooseReader(world, options, file, words);
    const { name } = reader.input;
    const programFor = (rowShell: Shell) => new Program(world.version, every(rowShell));
    if (words.length) await checkCommand(programFor(shell), reader);
    const server = await connectForRun(context, ["result"]);
    const resuming = options.resume !== undefined;
    const place = await chooseJournal(context, options);
    const others = {
      "<file>": file === "-" ? "/dev/stdin" : file,
      [resuming ? "--resume" : "--journal"]: place.path,
    };
    if (failed !== undefined) await checkNotOverwritten(world.files, failed, others);
    return withRun(context, server, { place, resuming }, async (run) => {
      if (options.again) run?.replay?.forgetDone();
      const meanings = new NameCache(run?.replay);
      const attachments = new Attachments(world.files);
      const validation = new Validation(shell, programFor, reader, context, words, { meanings, attachments });
      const { rows } = validation;
      // The log shows the names that the rows have looked up.
      context.names = validation.names;
      await examine(context, validation, name);
      const secrets = secretsOf(validation);
      const header = {
        ...headerAccount(server),
        input: hashOf([reader.input.digest, attachments.digests()]),
        words: hashOfWords(reader, words, options),
        rows: validation.selected,
        lines: rowLines(rows),
        command: maskedLine(shell.argv, secrets.map(String)),
      };
      run?.checkInput(header);
      if (run?.replay) (await import("../../batch/recorded-parts.ts")).alignWithJournal(run.replay, rows);
      await checkProblems(context, options, name, validation);
      const question = await checkRun(context, server, options, validation, run);
      if (flags.dryRun || validation.diff.shown || !run)
        return previewRows(context, server, validation, { merge, retryUnknown, replay: run?.replay });
      await beforeSending(() => deprecations(context, validation.samples.values()));
      const changes = validation.selected - validation.problems.length;
      await context.approve({ changes, question, organization: server });
      if (failed !== undefined) await checkUploadsKept(world.files, failed, attachments);
      const lineWith = (...more: "--retry-unknown"[]) => {
        const line = resumingLine(shell, { file, words }, run.journalFile.resumeName, more);
        return commandLine(line.map((word) => (secrets.includes(word) ? "[secret]" : word)));
      };
      return sendRows(context, server, run, {
        input: header,
        entries: meanings.entries(),
        options: {
          merge,
          checkUnanswered: (options.settle ?? 60) * 1000,
          mostRefusedAlike,
          mostFailures: options.onError === "stop" ? 1 : options.maxFailures,
          retryUnknown,
        },
        rows,
        openFailed: failed === undefined ? undefined : () => FailedRows.open(world.files, failed, reader),
        withUnknown: retryUnknown,
        resumeCommand: lineWith(),
        retryCommand: resuming ? lineWith("--retry-unknown") : undefined,
        isPiped: file === "-",
        ...verifiesLists(context, rows, run.name),
      });
    });
  };
