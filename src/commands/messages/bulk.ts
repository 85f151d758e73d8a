/** `messages delete` and `messages move`: one run for all messages, or a row of a batch. */

import type { Message } from "../../api/messages.ts";
import type { FlagValues } from "../../cli/parameter.ts";
import type { Server } from "../../client/server.ts";
import { keyBy } from "../../common/group-by.ts";
import type { Question } from "../../common/question.ts";
import { commandLine } from "../../common/shell-words.ts";
import type { Allowed, Change } from "../../engine/change.ts";
import type { RunKind } from "../../engine/journal.ts";
import { beforeSending, type Failure, Refused, Usage, undefinedOnFailure } from "../../errors.ts";
import { maskedLine } from "../../log/masking.ts";
import { programLine } from "../../output/line.ts";
import type { ShownRequest } from "../../output/shown-requests.ts";
import { inBothZones } from "../../output/when.ts";
import type { Evaluation } from "../../permissions/evaluation.ts";
import { nothingToSend } from "../../run/commit.ts";
import { type Conclusion, type Context, type Plan, requests, showRequest } from "../../run/context.ts";
import { chooseJournal, hashOf, headerAccount } from "../../run/journal/journal-files.ts";
import type { RunRow } from "../../run/journal/row.ts";
import { connectForRun, sendRows, withRun } from "../../run/journal/run-with-journal.ts";
import type { Shell } from "../../run/shell.ts";
import type { bulkFlags } from "./flags.ts";
import { checkCopy, messagesSummary, saveCopy } from "./messages-summary.ts";
import { selectMessages } from "./search.ts";

/** A permission for messages of others. */
export interface MessagePermission {
  /** Its name in a channel, on servers that have it there, and in the organization. */
  readonly channel: string;
  readonly organization: string;
  /** Follows "this account may not". */
  readonly action: string;
  /** Whether your own messages need it too. */
  readonly includesOwn: boolean;
}

export type BulkOptions = FlagValues<typeof bulkFlags> & Allowed;

/** The same change of many messages. */
export interface Bulk<A extends { message_id: number }> {
  readonly kind: Extract<RunKind, `messages ${string}`>;
  /** Returns the arguments for the messages that change, the oldest first. */
  argsOf(messages: readonly Message[], context: Context): Promise<A[]> | A[];
  /** The arguments for a message in a row of a batch, where nothing is read. */
  rowArgs(message_id: number): A;
  /** `message`: what was read of it. */
  changeOf(args: A, message?: Message): Change;
  question(count: number): Question;
  /** It cannot be undone. */
  readonly deletes?: true;
  readonly permissions: readonly MessagePermission[];
}

/** Follows the question if `--limit` cut the search. */
const partNote = "Older messages that match stay: only a part of a topic may be changed.";

/** How long a change without an answer is checked, in milliseconds. `--resume` checks again. */
const checkUnanswered = 10_000;

/** Reads messages as they are now. None if they cannot be read. */
async function foundOf(context: Context, ids: number[]): Promise<Message[]> {
  if (context.flags.dryRun || !(await (await context.server()).keepsPrevious())) return [];
  const quiet = { ...context, warn: async () => undefined };
  return (await undefinedOnFailure(selectMessages(quiet, { ids }))) ?? [];
}

async function* showRequests(server: Server, changes: readonly Change[]): AsyncGenerator<ShownRequest> {
  for (const change of changes) yield await showRequest(server, change);
}

/** Returns the times that were understood: `since … until …`. */
function limitsOf({ since, until }: BulkOptions): string | undefined {
  const limits = [
    since !== undefined && `since ${inBothZones(since * 1000)}`,
    until !== undefined && `until ${inBothZones(until * 1000)}`,
  ].filter((limit) => limit !== false);
  return limits.length ? `Sent ${limits.join(", ")}` : undefined;
}

/** Finds messages, shows them, asks once, saves copies, then changes one after the other. */
async function runBulk<A extends { message_id: number }>(
  shell: Shell,
  context: Context,
  options: BulkOptions,
  { kind, argsOf, changeOf, question, deletes, permissions }: Bulk<A>,
): Promise<Conclusion> {
  const { world, flags } = context;
  const server = await connectForRun(context);
  const resuming = options.resume !== undefined;
  const place = await chooseJournal(context, options, kind);
  return withRun(context, server, { place, resuming }, async (run) => {
    const earlier = run?.replay;
    if (options.again) earlier?.forgetDone();
    const selected = resuming ? [] : await beforeSending(() => selectMessages(context, options));
    // A crash can cut the list, which is written before the first request.
    if (resuming && !earlier?.rowArgs)
      throw new Usage(`the journal ${place.path} has no list of messages: that run sent nothing`, {
        outcome: "not_sent",
        hint: "Start a new run without --resume.",
      });
    const allArgs = resuming ? ((earlier?.rowArgs ?? []) as A[]) : await argsOf(selected, context);
    const changing = new Set(allArgs.map(({ message_id }) => message_id));
    const messages = selected.filter(({ id }) => changing.has(id));
    const remainingIds = allArgs.flatMap(({ message_id }, n) => (run?.isFinished(n + 1) ? [] : [message_id]));
    // What the rest replaces, for the log.
    const open = resuming && !deletes && remainingIds.length ? await foundOf(context, remainingIds) : [];
    const byId = keyBy([...messages, ...open], ({ id }) => id);
    const made = allArgs.map((args): Change => {
      const message = byId.get(args.message_id);
      const { stream_id: channel, subject: topic = "" } = message ?? {};
      const moved = channel === undefined ? {} : { moved: { channel, topic, count: 1 } };
      return { ...changeOf(args, message), command: kind, ...moved };
    });
    const rows = made.map((change, n): RunRow => ({ row: n + 1, changes: [change] }));
    const remaining = rows.filter(({ row }) => !run?.isFinished(row));
    const limits = limitsOf(options);
    if (limits && !(flags.quiet && flags.yes)) await context.warn(limits);
    if (!remaining.length) return nothingToSend(context, resuming ? "No messages are left." : "No messages match.");
    if (!flags.quiet || !flags.yes) for (const line of messagesSummary(messages)) await context.warn(line);
    if (deletes && !resuming) checkCopy(context, options.keep, remaining.length);
    const { judged, questionAbout } = await import("../../run/judge-changes.ts");
    const unsent = remaining.flatMap(({ changes }) => changes);
    const judgment = await beforeSending(() =>
      judged(context, unsent, resuming ? { ...options, keep: false } : options),
    );
    if (flags.dryRun || !run) return requests(showRequests(server, judgment.changes));
    const asked = question(remaining.length);
    const part = options.limit !== undefined && remaining.length === options.limit && partNote;
    const whole = part ? { ...asked, consequence: [asked.consequence, part].filter(Boolean).join(" ") } : asked;
    await context.approve({
      changes: remaining.length,
      question: questionAbout(judgment, whole),
      organization: server,
    });
    if (typeof options.keep === "string") await saveCopy(world, options.keep, messages);
    const filterFlags = ["ids", "narrow", "narrowJson", "since", "until", "limit", "all"];
    const words = shell.argvWithout([...filterFlags, "keep", "journal", "resume"]);
    return sendRows(context, server, run, {
      input: {
        ...headerAccount(server),
        ...{ input: hashOf(allArgs), words: "", rows: rows.length },
        command: maskedLine(shell.argv, []),
      },
      entries: resuming ? [] : [{ found: allArgs }],
      options: {
        merge: false,
        checkUnanswered,
        retryUnknown: resuming,
        refusesAll: refusalForAll(context, messages, permissions),
      },
      rows,
      resumeCommand: commandLine([...words, "--resume", place.resumeName]),
      unit: "message",
    }).catch(async (error) => {
      // Nothing is deleted, and the copy would be in the way of the next run.
      if (typeof options.keep === "string") await world.files.remove(options.keep);
      throw error;
    });
  });
}

function isDenied(evaluation: Evaluation, channel: number | undefined, permission: MessagePermission): boolean {
  const organization = evaluation.findCell("organization", null, permission.organization);
  const cell = (channel !== undefined && evaluation.findCell("channel", channel, permission.channel)) || organization;
  const me = evaluation.snapshot.organization.user_id;
  return cell !== undefined && evaluation.isAllowed(me, cell) === false;
}

/** For the engine. The account's permissions are read once, after the first refusal. */
function refusalForAll(
  context: Context,
  messages: readonly Message[],
  permissions: readonly MessagePermission[],
): (change: Change) => Promise<Failure | undefined> {
  let evaluation: Promise<Evaluation> | undefined;
  return async () => {
    if (!messages.length) return undefined;
    evaluation ??= evaluationOf(context);
    const known = await evaluation;
    const me = known.snapshot.organization.user_id;
    for (const permission of permissions) {
      const affected = messages.filter(({ sender_id }) => permission.includesOwn || sender_id !== me);
      const channels = [...new Set(affected.map(({ stream_id }) => stream_id))];
      if (affected.length < messages.length || !channels.every((channel) => isDenied(known, channel, permission)))
        continue;
      const message = `permission denied: this account may not ${permission.action}`;
      await context.warn(programLine(`${message}. Nothing more is sent.`));
      return new Refused(message, { outcome: "not_sent" });
    }
    return undefined;
  };
}

/** Loads the modules only after a refusal. */
async function evaluationOf({ server, command, world }: Context): Promise<Evaluation> {
  const { evaluate } = await import("../../permissions/evaluation.ts");
  const { takeSnapshot } = await import("../../organization/fetch-snapshot.ts");
  return evaluate(await takeSnapshot(await server(), { command, now: world.clock.now(), partial: true }));
}

/** Returns the code of a verb for many messages. */
export const bulkActions = <A extends { message_id: number }, O extends BulkOptions>(
  bulkOf: (options: O) => Bulk<A>,
) => ({
  async row(_: Context, options: O): Promise<Plan> {
    const { ids } = options;
    const others = ["narrow", "narrowJson", "since", "until", "limit", "all", "journal", "resume"] as const;
    if (!ids || typeof options.keep === "string" || others.some((name) => options[name] !== undefined))
      throw new Usage("a batch row requires --ids and no other filter");
    const { changeOf, rowArgs, question } = bulkOf(options);
    const all = [...new Set(ids)];
    return { list: true, changes: all.map((id) => ({ ...changeOf(rowArgs(id)), confirm: question(all.length) })) };
  },
  all: (shell: Shell) => (context: Context, options: O) => runBulk(shell, context, options, bulkOf(options)),
});
