/** `org apply`: from files, a plan file or the journal of an earlier run to an organization that is as they say. */
import { choiceOf } from "../../argv/flags.ts";
import { journalPlace } from "../../batch/journal-place.ts";
import { fields, listing } from "../../batch/results.ts";
import type { Server } from "../../client/server.ts";
import type { Change } from "../../engine/change.ts";
import { Run } from "../../engine/run.ts";
import { type Key, keyOf } from "../../engine/task.ts";
import { Failure, Interrupted, Usage, unsent } from "../../errors.ts";
import { maskedLine } from "../../log/change-log.ts";
import { commandLine } from "../../notation/shell-words.ts";
import { after } from "../../organization/after.ts";
import type { Difference } from "../../organization/difference.ts";
import { guards } from "../../organization/guards.ts";
import { nameIn } from "../../organization/name-in.ts";
import { type Plan, replanned } from "../../organization/plan.ts";
import type { Snapshot } from "../../organization/snapshot.ts";
import { checkChoice, prepared } from "../../output/present.ts";
import { deprecations } from "../../run/commit.ts";
import { type Conclusion, requests } from "../../run/conclusion.ts";
import type { Context } from "../../run/context.ts";
import type { Shell } from "../../run/shell.ts";
import { asked, type Input, keptIn, type Options, planOf, stopped } from "./apply/asked.ts";
import { begin, type Looking, look } from "./apply/begin.ts";
import { shownLeft } from "./apply/dry-run.ts";
import { askToApply, refuseSpent, spend } from "./apply/question.ts";
import { Verification } from "./apply/verify.ts";
import { takes } from "./snapshot.ts";

/** What shows what is left: a plan of files that can be read again, else the dry run of what goes on with the run. */
function verifying({ prune }: Options, operands: readonly string[], { plan }: Input, again: string | undefined) {
  const files = operands.length && !plan && !operands.some((each) => each.startsWith("-")) ? operands : undefined;
  if (files) return commandLine(["org", "plan", ...files, ...(prune ? ["--prune"] : [])]);
  return commandLine(
    again === undefined ? ["org", "apply", ...operands, "-n"] : ["org", "apply", "--resume", again, "-n"],
  );
}

/** Nothing of the plan is against a guard, as the organization is now. */
function insist(snapshot: Snapshot, differences: readonly Difference[], options: Options): void {
  const standing = guards({ snapshot, result: after(snapshot, differences), differences }, allowedBy(options));
  if (standing.length) throw stopped(standing);
}

/** What one run at a time may lock for an account on this machine. */
const accountPath = ({ places }: Context["world"], { site, email = "" }: Server): string =>
  `${places.state}/organization/${encodeURIComponent(site)}+${encodeURIComponent(email)}`;

const allowedBy = ({ allowEmpty = false, allowLockout = false, maxRemovals }: Options) => ({
  empty: allowEmpty,
  lockout: allowLockout,
  removals: maxRemovals,
});

/** The plan of what is left of a plan file, judged as when it is sent. */
async function stillOpen(looking: Omit<Looking, "snapshot">, snapshot: Snapshot): Promise<Plan> {
  let open: readonly Difference[] = [];
  await look({
    ...looking,
    snapshot,
    insist: async (left, changes, now) => {
      open = left;
      await looking.insist(left, changes, now);
    },
  });
  return replanned(snapshot, open);
}

const nothing: Conclusion = { kind: "changes", sentences: [], outcomes: [], ids: [] };

export const applies =
  (shell: Shell) =>
  async (context: Context, options: Options, operands: string[] = []): Promise<Conclusion> => {
    const { world, flags } = context;
    const input = await asked(context, options, operands);
    if (input.plan && !flags.dryRun) await refuseSpent(context, input.plan);
    await checkChoice(choiceOf(flags), [...fields, "ignored", "unchanged"]);
    const server = await unsent(() => context.server());
    const resuming = options.resume !== undefined;
    const place = flags.dryRun && !resuming ? undefined : await journalPlace(world, options, "organization");
    const alone = flags.dryRun ? undefined : accountPath(world, server);
    const run = place && (await Run.open(world, place.path, resuming, "zulipctl org apply", alone));
    let begun = false;
    try {
      const verifyWith = verifying(options, operands, input, place?.again);
      const first = await unsent(() => takes(context));
      const named = nameIn(first);
      // The log names people and things.
      context.find = { ...context.find, called: async (kind, id) => named(kind, id) };
      const kept = run?.earlier && keptIn(run, first);
      const plan = kept ? { snapshot: first, order: kept } : await planOf(context, options, input, first, verifyWith);
      const { order } = plan;
      if (!order.differences.length) {
        const withheld = "files" in plan ? (plan.files?.withheld ?? 0) : 0;
        const says = withheld
          ? `: no changes; ${withheld} to remove (kept: no --prune)`
          : " already matches: no changes";
        await context.note(`zulipctl: ${first.site}${says}`);
        return flags.dryRun ? requests([]) : nothing;
      }
      const looking = {
        server,
        run,
        order,
        verifyWith,
        portion: world.portion,
        insist: async (left: readonly Difference[], _: readonly Change[], now: Snapshot) => insist(now, left, options),
      };
      if (flags.dryRun) {
        const left = await look({ ...looking, snapshot: first });
        return shownLeft(context, left, run?.earlier);
      }
      if ("plan" in plan && plan.plan) {
        // Nobody is asked about what would be stopped: what files say was judged as it was compared.
        const open = input.plan ? await stillOpen(looking, first) : plan.plan;
        if (!open.comparison.differences.length) {
          await context.note(`zulipctl: ${first.site} already matches: no changes`);
          return nothing;
        }
        await askToApply(context, server, first, open);
      }
      await unsent(() => prepared(choiceOf(flags), world.stdout, true));
      // Others may have changed things while somebody thought about it, or since the plan was made.
      const { engine, rows, layout, made } = await begin({
        ...looking,
        run: run!,
        name: place!.run,
        command: maskedLine(shell.argv, []),
        snapshot: await unsent(() => takes(context)),
        insist: async (left, changes, now) => {
          insist(now, left, options);
          await unsent(() => deprecations(context, changes));
        },
      });
      begun = true;
      if (input.plan) spend(server, input.plan);
      const verification = new Verification(context, { layout, made }, plan, verifyWith);
      const over = (key: Key) => ["done", "refused"].includes(run!.earlier?.known(key)?.outcome ?? "");
      const told = listing(context, {
        run: run!,
        engine,
        examination: {
          rows: rows.length,
          finished: rows.filter(({ row, changes }) => changes.every((_, part) => over(keyOf(row, part)))).length,
          again: async function* () {
            yield* rows;
          },
        },
        failed: undefined,
        withUnknown: false,
        again: commandLine([...shell.argvWithout(["prune", "journal", "resume"]), "--resume", place!.again]),
        piped: false,
        over,
        unit: "change",
        learn: (finished) => verification.learn(finished),
      });
      if (options.verify === false) return told;
      return {
        ...told,
        ending: async () => verification.ending(await told.ending?.(), engine.stopped),
      };
    } catch (error) {
      const file = input.plan?.path ?? (resuming ? place?.path : undefined);
      if (begun || file === undefined || error instanceof Failure || error instanceof Interrupted) throw error;
      // Nothing but a digest has checked it, and nothing was sent.
      throw new Usage(`${file} is damaged: ${(error as Error).message}`, { cause: error, outcome: "not_sent" });
    } finally {
      if (!begun) await run?.close();
    }
  };
