/** Where commands become actions: one place resolves credentials, asks, does the dry run, sends and reports. */
import type { Command } from "commander";
import { Patience } from "../client/patience.ts";
import { type Sender, Server } from "../client/server.ts";
import type { Change } from "../engine/change.ts";
import { Usage, unsent } from "../errors.ts";
import type { Choice, Result } from "../output/form.ts";
import { safe } from "../output/safe.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world.ts";
import { type Context, DryRun, Ended, show } from "./context.ts";
import { Find } from "./find.ts";
import { type Flags, flagsOf, formOf } from "./flags.ts";

/** Changes of one command. `several`: the command can make many, so its result is a list also when it makes one. */
export type Planned = Change[] | { several: Change[] };

/** A second command line in the same process, in a world of the caller's. */
export type Rerun = (argv: readonly string[], world: World) => Promise<number>;

export type Look<O = Record<string, unknown>> = (context: Context, options: O, ...args: never[]) => Promise<Result>;
/** A `Result` where the command line asks for no change after all. */
export type Plan<O = Record<string, unknown>> = (
  context: Context,
  options: O,
  ...args: never[]
) => Promise<Planned | Result>;
export type Act<O = Record<string, unknown>> = (
  context: Context,
  options: O,
  ...args: never[]
) => Promise<Result | undefined>;

type Action = (...all: unknown[]) => Promise<void>;
type Load<F> = () => Promise<F>;

/** What stands in for committing: `batch` collects the changes of each row this way. */
export type Collect = (planned: Planned) => void;

export class Shell {
  readonly world: World;
  readonly rerun: Rerun;
  /** The exit code of the command that ran. */
  exitCode = 0;
  #collect?: { into: Collect; context: Context };
  #servers: Server[] = [];

  constructor(world: World, rerun: Rerun) {
    this.world = world;
    this.rerun = rerun;
  }

  /** A command that only reads. */
  reads(load: Load<Look<never>>): Action {
    return (...all) =>
      this.#run(all, async (context, options, args) => {
        const look = (await load()) as Look;
        return look(context, options, ...(args as never[]));
      });
  }

  /** A command that changes the server: it returns what is to be sent. */
  changes(load: Load<Plan<never>>): Action {
    return async (...all) => {
      const plan = async (context: Context, options: Record<string, unknown>, args: unknown[]) =>
        unsent(async () => ((await load()) as Plan)(context, options, ...(args as never[])));
      if (this.#collect) {
        const { options, args, command } = split(all);
        const planned = await plan(this.#collect.context, options, args);
        if ("kind" in planned)
          throw new Usage(`${command.parent?.name()} ${command.name()} changes nothing with these words`);
        return this.#collect.into(planned);
      }
      await this.#run(all, async (context, options, args) => {
        const planned = await plan(context, options, args);
        if ("kind" in planned) return planned;
        const { commit } = await import("./commit.ts");
        return commit(context, planned);
      });
    };
  }

  /** A command that concerns this machine alone, or needs a shape of its own. */
  acts(load: Load<Act<never>>): Action {
    return (...all) =>
      this.#run(all, async (context, options, args) => ((await load()) as Act)(context, options, ...(args as never[])));
  }

  /** While `work` runs, commands that change something hand their changes to `into` instead of committing them. */
  async collecting<T>(context: Context, into: Collect, work: () => Promise<T>): Promise<T> {
    this.#collect = { into, context };
    try {
      return await work();
    } finally {
      this.#collect = undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  async #run(
    all: unknown[],
    work: (context: Context, options: Record<string, unknown>, args: unknown[]) => Promise<Result | undefined>,
  ): Promise<void> {
    const { options, args, command } = split(all);
    const flags = flagsOf(command);
    const choice = choiceOf(flags);
    const { examine, print } = await import("../output/form.ts");
    await examine(choice);
    const context = this.#context(flags);
    try {
      const result = await work(context, options, args);
      if (result) await print(quietly(result, flags), choice, this.world);
    } catch (error) {
      if (error instanceof Ended) {
        // That the result could not be printed is less than what became of the changes.
        if (error.result)
          await print(error.result, choice, this.world).catch((lesser: Error) =>
            context.warn(`zulipctl: ${lesser.message}`),
          );
        throw error.failure;
      }
      if (!(error instanceof DryRun)) throw error;
      const { printPlan } = await import("../output/report.ts");
      await printPlan(error.requests, choice, this.world);
    }
  }

  #context(flags: Flags): Context {
    const { world } = this;
    const say = (line: string) => world.stderr.write(`${safe(line)}\n`);
    const patience = new Patience(flags.maxWait * 1000);
    let server: Promise<Server> | undefined;
    let site: Promise<Server> | undefined;
    const made = (sender: Sender) => {
      const one = new Server(world, sender, {
        timeout: flags.timeout * 1000,
        patience,
        level: flags.featureLevel,
        allowIgnored: flags.allowIgnored ?? false,
        grace: 2000,
        trace: flags.verbose ? (line) => void say(line) : undefined,
        warn: say,
      });
      this.#servers.push(one);
      return one;
    };
    const account = async () => {
      const { resolveAccount } = await import("./accounts.ts");
      return resolveAccount(world, flags);
    };
    const context: Context = {
      world,
      flags,
      server: () => (server ??= account().then(made)),
      site: () =>
        (site ??= import("./accounts.ts").then(async ({ resolveSite }) => made(await resolveSite(world, flags)))),
      at: made,
      find: new Find(() => context.server()),
      note: async (line) => {
        if (!flags.quiet) await say(line);
      },
      warn: (line) => say(line),
      ask: async (operation, args) => (await context.askAll(operation, [args]))[0]!,
      askAll: async (operation, parts) => {
        const to = (await (operation as AnyOperation).anonymous) ? await context.site() : await context.server();
        if (flags.dryRun) throw new DryRun(await Promise.all(parts.map((args) => show(to, operation, args))));
        const answers = [];
        for (const args of parts) answers.push(await to.call(operation, args));
        return answers;
      },
      list: async (operation, args, member) => {
        const from = await context.server();
        if (flags.dryRun) throw new DryRun([await show(from, operation, args)]);
        const { arrives } = await import("../output/form.ts");
        return from.list(operation, args, member, { whole: !arrives(formOf(flags)) });
      },
    };
    return context;
  }
}

const quietly = (result: Result, { quiet }: Flags): Result =>
  quiet && "note" in result ? { ...result, note: undefined } : result;

/** commander hands an action its arguments, its options and itself. */
function split(all: unknown[]) {
  const command = all.at(-1) as Command;
  return { command, options: command.opts(), args: all.slice(0, -2) };
}

export const choiceOf = (flags: Flags): Choice => ({
  form: formOf(flags),
  color: flags.color,
  fields: flags.fields?.split(",").map((name) => name.trim()),
  jq: flags.jq,
});
