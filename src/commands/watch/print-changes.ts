/** Prints changes of the organization as they happen. */

import { register } from "../../api/events.ts";
import { outputOptions } from "../../argv/global-flags.ts";
import { isSameText } from "../../common/folding.ts";
import { type OrganizationName, organizationText } from "../../common/question.ts";
import { resolveAccount } from "../../credentials/accounts.ts";
import { withCredentials, withoutCredentials } from "../../credentials/environment.ts";
import { readOnlyBy, readOnlyEnv } from "../../credentials/read-only.ts";
import { DifferenceFailure, systemErrorCode, Unreachable, Usage } from "../../errors.ts";
import { changeMark } from "../../model/change-words.ts";
import { snapshotParts } from "../../organization/fetch-snapshot.ts";
import { write } from "../../output/buffered-writer.ts";
import { chalkFor, resultColorLevel } from "../../output/color.ts";
import { programLine } from "../../output/line.ts";
import { jsonText, sanitizeLine } from "../../output/sanitize.ts";
import type { Context } from "../../run/context.ts";
import type { Shell } from "../../run/shell.ts";
import { inSentences } from "../../watch/change-sentence.ts";
import { eventTypes } from "../../watch/event-changes.ts";
import { follow } from "../../watch/follow.ts";
import type { WatchRecord } from "../../watch/watch-records.ts";
import { call } from "../../wire/call.ts";
import type { World } from "../../world/world.ts";
import { type DriftRecord, driftFinder } from "./drift.ts";
import { shownKinds, type WatchOptions } from "./flags.ts";

/** The records of one change, and its line in a terminal. */
interface Printed {
  readonly records: readonly (WatchRecord | DriftRecord)[];
  readonly sentence: string;
}

/** Returns whether a thing has this name, or had it before this change. */
function isAbout({ target, property, from }: WatchRecord, name: string): boolean {
  const plain = name.replace(/^[#@]/, "");
  const candidates = [target.name, target.email, String(target.id), property === "name" ? from : undefined];
  return candidates.some((each) => typeof each === "string" && isSameText(each, plain));
}

function renderer(context: Context): (printed: Printed) => string {
  const { world, flags } = context;
  const { form } = outputOptions(flags);
  if (form !== "table" || !world.stdout.isTerminal)
    return ({ records }) => records.map((record) => `${jsonText(record)}\n`).join("");
  const chalk = chalkFor(resultColorLevel(flags.color, world.stdout, world.env));
  return ({ records: [record], sentence }) => {
    if (!record) return "";
    const mark = "destructive" in record ? changeMark(record) : "!";
    const line = `${mark.padStart(2)} ${sanitizeLine(sentence)}`;
    const paint = mark === "!!" ? chalk.red : chalk.yellow;
    return `${chalk.dim(record.time.slice(11, 19))} ${mark ? paint(line) : line}\n`;
  };
}

export const printChanges =
  (shell: Shell) =>
  async (context: Context, options: WatchOptions, command: readonly string[] = []): Promise<undefined> => {
    if (command.length && !shell.argv.includes("--"))
      throw new Usage(`unexpected argument: ${command[0]}`, {
        hint: "Put -- before a program to run. To watch one kind, use --only; to watch one thing, --target.",
      });
    const { world, flags } = context;
    const { form } = outputOptions(flags);
    if (!["table", "json", "ndjson"].includes(form))
      throw new Usage(`watch supports -o table, json and ndjson, not -o ${form}`);
    if (flags.jq !== undefined) throw new Usage("--jq cannot be combined with watch: pipe its output into jq");
    if (flags.fields !== undefined) throw new Usage("--fields cannot be combined with watch");
    if (options.exitCode && !options.plan) throw new Usage("--exit-code requires --plan");
    if (options.withCredentials && !command.length)
      throw new Usage("--with-credentials requires a program", { hint: "Put -- before the program to run." });
    const server = await context.server();
    if (flags.dryRun) await context.showInstead([call(register, { ...snapshotParts, event_types: [...eventTypes] })]);
    const render = renderer(context);
    const until = options.for === undefined ? undefined : world.clock.monotonic() + options.for;
    const following = follow({
      server,
      clock: world.clock,
      signals: world.signals,
      messages: receivesMessages(options),
      until,
      notice: (line) => context.warn(line),
    });
    const account = command.length ? await resolveAccount(world, flags) : undefined;
    const guard = account && readOnlyBy(world, flags, account);
    const env =
      account && options.withCredentials
        ? await withCredentials(world.env, account, guard)
        : { ...withoutCredentials(world.env), ...readOnlyEnv(guard) };
    const timeLeft = () => until && until - world.clock.monotonic();
    const print = async (printed: Printed) => {
      await write(world.stdout, render(printed));
      for (const record of command.length ? printed.records : []) {
        const timeout = timeLeft();
        if (world.stdout.isClosed || world.signals.stop.aborted || (timeout !== undefined && timeout <= 0)) return;
        await runFor(context, command, { env, timeout, record });
      }
    };
    let [needsPlan, hasPlanned] = [true, false];
    const findDrift = options.plan && (await driftFinder(context, options.plan));
    const plan = async () => {
      const found = await findDrift?.().catch((error) => {
        // The next answer tries again. The waiting display says that the server is away.
        if (error instanceof Unreachable && hasPlanned) return undefined;
        throw error;
      });
      hasPlanned ||= found !== undefined;
      needsPlan = found === undefined;
      if (!found) return;
      for (const { record, sentence } of found) await print({ records: [record], sentence });
      if (options.exitCode && found.some(({ record }) => record.action === "drift.found"))
        throw new DifferenceFailure("the organization is not as the files say");
    };
    let isStarted = false;
    for await (const burst of following) {
      if (!isStarted) await context.note(sanitizeLine(programLine(`watching ${subjectText(server, options)}`)));
      isStarted = true;
      if (world.stdout.isClosed) return undefined;
      if (burst.length) needsPlan = true;
      else if (needsPlan && findDrift) await plan();
      if (findDrift) continue;
      for (const printed of inSentences(burst.filter(({ record }) => isSelected(record, options))))
        await print(printed);
    }
    return undefined;
  };

const receivesMessages = ({ messages, only }: WatchOptions): boolean => messages ?? only?.includes("message") ?? false;

/** `chat.example.com (profile prod) for changes of: user, channel`. */
function subjectText(organization: OrganizationName, options: WatchOptions): string {
  const where = organizationText(organization);
  const { plan, target } = options;
  if (plan) return `${where} for differences from ${plan.join(", ")}`;
  const kinds = options.only ?? shownKinds.filter((kind) => kind !== "message" || receivesMessages(options));
  return `${where} for changes of${target === undefined ? "" : ` "${target}"`}: ${kinds.join(", ")}`;
}

const isSelected = (record: WatchRecord, { only, target }: WatchOptions): boolean =>
  (!only || only.some((kind) => kind === record.kind)) && (target === undefined || isAbout(record, target));

interface ProgramRun {
  readonly env: World["env"];
  /** The milliseconds until `--for` is over. */
  readonly timeout: number | undefined;
  readonly record: WatchRecord | DriftRecord;
}

/** Runs a program with the record on stdin. Its failure is a notice. */
async function runFor(
  { world, warn }: Context,
  command: readonly string[],
  { env, timeout, record }: ProgramRun,
): Promise<void> {
  const { clock, signals } = world;
  const until = timeout === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() + timeout;
  try {
    const code = await world.runWithStreams(command, env, { input: `${jsonText(record)}\n`, timeout });
    if (!code || signals.stop.aborted) return;
    const ended = clock.monotonic() < until ? `ended with exit code ${code}` : "was stopped: the time of --for is over";
    await warn(programLine(`${command[0]} ${ended}`));
  } catch (error) {
    const code = systemErrorCode(error);
    if (!code) throw error;
    await warn(programLine(`${code === "ENOENT" ? "program not found" : code}: ${command[0]}`));
  }
}
