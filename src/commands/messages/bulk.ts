/** Changes many messages: finds them, shows them, asks once, saves copies, then changes one after the other. */
import { createHash } from "node:crypto";
import type { Message } from "../../api/messages.ts";
import { confirm } from "../../argv/confirm.ts";
import { choiceOf } from "../../argv/flags.ts";
import { journalPlace } from "../../batch/journals.ts";
import { fields, listing } from "../../batch/results.ts";
import type { Found } from "../../batch/validation.ts";
import type { Server } from "../../client/server.ts";
import type { Change } from "../../engine/change.ts";
import type { RunKind } from "../../engine/journal.ts";
import { Run } from "../../engine/run.ts";
import { transport } from "../../engine/transport.ts";
import { Usage, unsent } from "../../errors.ts";
import { maskedLine } from "../../log/change-log.ts";
import { commandLine } from "../../notation/shell-words.ts";
import { checkChoice, prepared } from "../../output/present.ts";
import type { ShownRequest } from "../../output/report.ts";
import type { Question } from "../../question.ts";
import { type Conclusion, type Context, requests, showRequest } from "../../run/context.ts";
import type { Shell } from "../../run/shell.ts";
import { deniedForAll, type Permission } from "./denied.ts";
import { checkKept, keepCopy } from "./keep.ts";
import { summaryOf } from "./summary.ts";

export interface BulkOptions {
  /** False for `--no-keep`. */
  keep?: string | false | undefined;
  journal?: string | undefined;
  resume?: string | undefined;
}

export interface Bulk<A extends Record<string, unknown>> {
  readonly kind: Extract<RunKind, `messages ${string}`>;
  /** The messages, the oldest first. */
  find(): Promise<Message[]>;
  /** Returns the change of a message. */
  argsOf(messages: readonly Message[]): A[];
  changeOf(args: A): Change;
  question(count: number): Question;
  /** It cannot be undone. */
  readonly deletes?: true;
  readonly permissions: readonly Permission[];
}

/** How long a change without an answer is checked, in milliseconds. `--resume` checks again. */
const settle = 10_000;

const nothing: Conclusion = { kind: "changes", sentences: [], outcomes: [], ids: [] };

const hash = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");

async function* shown(server: Server, rows: readonly Found[]): AsyncGenerator<ShownRequest> {
  for (const { changes } of rows) for (const change of changes) yield await showRequest(server, change);
}

export async function runBulk<A extends Record<string, unknown>>(
  shell: Shell,
  context: Context,
  options: BulkOptions,
  { kind, find, argsOf, changeOf, question, deletes, permissions }: Bulk<A>,
): Promise<Conclusion> {
  const { world, flags } = context;
  await checkChoice(choiceOf(flags), [...fields, "ignored", "unchanged"]);
  const server = await unsent(() => context.server());
  const resuming = options.resume !== undefined;
  const place = await journalPlace(world, options, kind);
  const run = flags.dryRun && !resuming ? undefined : await Run.open(world, place, resuming);
  let begun = false;
  try {
    const earlier = run?.earlier;
    const messages = resuming ? [] : await unsent(find);
    // A crash can cut the list, which is written before the first request.
    if (resuming && !earlier?.found)
      throw new Usage(`the journal ${place.path} has no list of messages: that run sent nothing`, {
        outcome: "not_sent",
        hint: "Start a new run without --resume.",
      });
    const all = resuming ? ((earlier?.found ?? []) as A[]) : argsOf(messages);
    const rows = all.map(
      (args, n): Found => ({ row: n + 1, changes: [{ ...changeOf(args), command: kind }], raw: "" }),
    );
    const left = rows.filter(({ row }) => !run?.isFinished(row));
    if (!left.length) {
      await context.note(`zulipctl: ${resuming ? "No messages are left." : "No messages match."}`);
      return flags.dryRun ? requests([]) : nothing;
    }
    if (!flags.quiet || !flags.yes) for (const line of summaryOf(messages)) await context.warn(line);
    if (flags.dryRun || !run) return requests(shown(server, left));
    if (deletes && !resuming) checkKept(context, options.keep, left.length);
    await confirm(world, flags, question(left.length), server);
    await unsent(() => prepared(choiceOf(flags)));
    if (typeof options.keep === "string") await keepCopy(world, options.keep, messages);
    const input = {
      site: server.site,
      account: server.email ?? "",
      input: hash(all),
      words: "",
      rows: rows.length,
      command: maskedLine(shell.argv, []),
    };
    const engine = await run.begin<Found>(input, resuming ? [] : [{ found: all }], transport(server, place.run), {
      merge: false,
      settle,
      retryUnknown: resuming,
      refusesAll: deniedForAll(context, messages, permissions),
    });
    begun = true;
    const chosen = ["ids", "narrow", "narrowJson", "since", "until", "limit"];
    const words = shell.argvWithout([...chosen, "keep", "journal", "resume"]);
    return listing(context, {
      run,
      engine,
      examination: { rows: rows.length, finished: rows.length - left.length, found: rows },
      again: commandLine([...words, "--resume", place.again]),
      unit: "message",
    });
  } finally {
    if (!begun) await run?.close();
  }
}
