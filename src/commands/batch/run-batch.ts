import { stdinBytes } from "../../argv/read-text.ts";
import { checkWords } from "../../batch/check-words.ts";
import { requestsOf } from "../../batch/dry-run.ts";
import { NameCache } from "../../batch/earlier-rows.ts";
import { checkNotOverwritten, FailedRows } from "../../batch/failed.ts";
import { Attachments, BatchInput } from "../../batch/input.ts";
import { formatOf, formats, RowReader } from "../../batch/reader.ts";
import { readCondition } from "../../batch/selection.ts";
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
import type { BatchOptions } from "./flags.ts";
import { verifiesLists } from "./verifies-lists.ts";

/** So many rows show that the account may do none of them. */
const mostRefusedAlike = 10;

/** Opens nothing yet. Throws `Usage`. */
function readerOf(world: World, options: BatchOptions, file: string, words: readonly string[]): RowReader {
  const { retryUnknown, resume, failed, where, skipEmpty, listSeparator: separator } = options;
  const format = options.format ?? formatOf(file);
  if (/\.(ods|numbers|xlsx?)$/i.test(file) && !options.format)
    throw new Usage(`${file} is a spreadsheet`, { hint: 'Save the table as "CSV UTF-8", and pass that file.' });
  if (format === undefined)
    throw new Usage(
      file === "-"
        ? "reading stdin requires --format"
        : `cannot tell the format of ${file} from its name: pass --format`,
      { hint: `One of ${formats.join(", ")}.` },
    );
  if (format === "lines" && words.length)
    throw new Usage("--format lines takes no command after --", {
      hint: "The command after -- is for the other formats.",
    });
  if (format !== "lines" && !words.length)
    throw new Usage("missing command: put the command for each row after --", {
      hint: `For example: zulipctl batch ${file} -- group members {group} --add {email}`,
    });
  const [filter] = [where && "--where", skipEmpty && "--skip-empty", separator && "--list-separator"].filter(Boolean);
  if (format === "lines" && filter) throw new Usage(`${filter} needs columns, and --format lines has none`);
  if (retryUnknown && resume === undefined && failed === undefined)
    throw new Usage("--retry-unknown requires --resume");
  if (options.onError === "stop" && (options.maxFailures ?? 1) > 1)
    throw new Usage("--on-error stop cannot be combined with --max-failures");
  const name = file === "-" ? "stdin" : file;
  const input =
    file === "-"
      ? new BatchInput(name, () => stdinBytes(world, "<file>"))
      : new BatchInput(name, () => world.files.stream(file));
  return new RowReader(input, format, words, { where: where?.map(readCondition), skipEmpty, separator });
}

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

/** The command line as typed, with `--` before the command of each row. */
function withSeparator(argv: readonly string[], words: readonly string[]): string {
  // The value of a flag may be a word of the command, too.
  const left = [...words];
  const own = argv.toReversed().filter((word) => word !== left.at(-1) || left.pop() === undefined);
  return commandLine([...own.reverse(), "--", ...words]);
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

export const runBatch =
  (shell: Shell, every: (shell: Shell) => Registry) =>
  async (context: Context, options: BatchOptions, file: string, words: string[]): Promise<Conclusion | undefined> => {
    const { world, flags, waits } = context;
    if (words.length && !shell.argv.includes("--"))
      throw new Usage("missing -- before the command", {
        outcome: "not_sent",
        hint: `Put -- before the command: ${withSeparator(shell.argv, words)}`,
      });
    const reader = readerOf(world, options, file, words);
    const { name } = reader.input;
    const programFor = (rowShell: Shell) => new Program(world.version, every(rowShell));
    if (words.length) {
      const program = programFor(shell);
      const { template } = reader;
      await program.rootFor(["batch"]);
      checkWords(await program.rootFor(template.typedWords.map(({ text }) => text)), template);
    }
    const server = await connectForRun(context, ["result"]);
    const resuming = options.resume !== undefined;
    const place = await chooseJournal(context, options);
    const others = {
      "<file>": file === "-" ? "/dev/stdin" : file,
      [resuming ? "--resume" : "--journal"]: place.path,
    };
    if (options.failed !== undefined) await checkNotOverwritten(world.files, options.failed, others);
    return withRun(context, server, { place, resuming }, async (run) => {
      if (options.again) run?.replay?.forgetDone();
      const meanings = new NameCache(run?.replay);
      const attachments = new Attachments(world.files);
      const validation = new Validation(shell, programFor, reader, context, words, { meanings, attachments });
      // The log shows the names that the rows have looked up.
      const { names } = validation;
      context.names = names;
      const drawn = () => programLine(`examining ${name}, ${counted(validation.rows.length, "row")} so far`);
      const examining = waits.begin({ what: `examining ${name}`, progress: drawn });
      await beforeSending(() => validation.run()).finally(() => examining.end());
      const secrets = secretsOf(validation);
      const header = {
        ...headerAccount(server),
        input: hashOf([reader.input.digest, attachments.digests()]),
        words: hashOfWords(reader, words, options),
        rows: validation.selected,
        lines: rowLines(validation.rows),
        command: maskedLine(shell.argv, secrets.map(String)),
      };
      run?.checkInput(header);
      if (run?.replay) (await import("../../batch/recorded-parts.ts")).alignWithJournal(run.replay, validation.rows);
      await checkProblems(context, options, name, validation);
      await noteStaysOut(context);
      const needsNewer = [...validation.samples.keys()].some((operation) => !isForOlder(operation));
      if (needsNewer) await beforeSending(() => server.featureLevel.requireOldest());
      const isFinished = (key: TaskKey) => run?.isFinished(key) ?? false;
      const { asked, notes } = await beforeSending(() => judgeRows(context, validation.rows, options, isFinished));
      const { merge = true, retryUnknown } = options;
      const { diff } = validation;
      if (diff.shown && diff.sent) throw new Usage("--diff must be in every row or in none");
      if (flags.dryRun || diff.shown || !run)
        return previewRows(context, server, validation, { merge, retryUnknown, replay: run?.replay });
      await beforeSending(() => deprecations(context, validation.samples.values()));
      const question = confirmation(asked, validation.selected, notes);
      await context.approve({
        changes: validation.selected - validation.problems.length,
        question,
        organization: server,
      });
      const { failed } = options;
      if (failed !== undefined) {
        const uploads = attachments.digests().map(([path]) => [`@${path} of a row`, path]);
        await checkNotOverwritten(world.files, failed, Object.fromEntries(uploads));
      }
      const resumeCommand = (...more: string[]) => {
        const line = [
          ...shell.argvWithout(["journal", "resume", ...(more.length ? ["retryUnknown"] : [])]),
          ...["--resume", run.journalFile.resumeName],
          ...more,
          file,
          ...(words.length ? ["--", ...words] : []),
        ];
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
        rows: validation.rows,
        openFailed: failed === undefined ? undefined : () => FailedRows.open(world.files, failed, reader),
        withUnknown: retryUnknown,
        resumeCommand: resumeCommand(),
        retryCommand: resuming ? resumeCommand("--retry-unknown") : undefined,
        isPiped: file === "-",
        ...verifiesLists(context, validation.rows, run.name),
      });
    });
  };
