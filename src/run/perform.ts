/** Runs one action of a command: what it needs is made, what it gives is printed. Loaded when a command has been made out. */

import { choiceOf, type Flags, formOf } from "../argv/flags.ts";
import { RetryBudget } from "../client/retry-budget.ts";
import { type Sender, Server } from "../client/server.ts";
import { Failure, Partial } from "../errors.ts";
import { arrives, type Listing, type Result } from "../output/form.ts";
import { checkChoice, print } from "../output/present.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { Waits } from "../output/waiting.ts";
import { watched } from "../output/watched.ts";
import type { Resolver, Resolves } from "../resolve/resolver.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world.ts";
import { type Context, DryRun, Ended, showRequest } from "./context.ts";

/** How a command deals with its server. */
export interface ActOptions {
  /** It sends many requests: it keeps to the account's pace from the first on, and awaits what is on its way. */
  many?: boolean;
}

export interface PerformOptions {
  world: World;
  flags: Flags;
  /** Receives each that is made, for the caller to close. */
  servers: Server[];
  dealings: ActOptions;
}

type Told = PerformOptions & { waits: Waits };

export async function perform(
  means: PerformOptions,
  work: (context: Context) => Promise<Result | undefined>,
): Promise<void> {
  const { world, flags } = means;
  world.files.wait = flags.timeout * 1000;
  const waits = new Waits(world, { quiet: flags.quiet });
  try {
    await tell({ ...means, world: watched(world, waits), waits }, work);
  } finally {
    waits.close();
  }
}

async function tell(means: Told, work: (context: Context) => Promise<Result | undefined>): Promise<void> {
  const { world, flags } = means;
  const choice = choiceOf(flags);
  await checkChoice(choice);
  const context = contextOf(means);
  try {
    const result = await work(context);
    if (result?.kind === "listing" && result.ending) await printAndEnd(result, context);
    else if (result) await print(quietly(result, flags), choice, world);
  } catch (error) {
    if (error instanceof Ended) {
      // That the result could not be printed is less than what became of the changes.
      if (error.result)
        await print(error.result, choice, world).catch((lesser: Error) => context.warn(`zulipctl: ${lesser.message}`));
      throw error.failure;
    }
    if (!(error instanceof DryRun)) throw error;
    const { printPlan } = await import("../output/report.ts");
    await printPlan(error.requests, choice, world, { exact: flags.verbose ?? false });
  }
}

/** What became of the changes counts for more than whether that could be printed. */
async function printAndEnd(result: Listing, { world, flags, warn }: Context): Promise<void> {
  const lesser = await print(quietly(result, flags), choiceOf(flags), world).catch((error: Error) => error);
  const failure = await result.ending?.();
  if (lesser && failure) await warn(`zulipctl: ${lesser.message}`);
  if (failure) throw failure;
  if (lesser)
    throw new Partial(
      `everything was done, but ${lesser.message}`,
      lesser instanceof Failure ? lesser.details : { cause: lesser },
    );
}

const quietly = (result: Result, { quiet }: Flags): Result =>
  quiet && "note" in result ? { ...result, note: undefined } : result;

function contextOf({ world, flags, servers, dealings: { many = false }, waits }: Told): Context {
  const say = (line: string) => world.stderr.write(`${sanitizeLine(line)}\n`);
  const retryBudget = new RetryBudget(flags.maxWait * 1000);
  let server: Promise<Server> | undefined;
  let site: Promise<Server> | undefined;
  const made = (sender: Sender) => {
    const one = new Server(world, sender, {
      timeout: flags.timeout * 1000,
      retryBudget,
      level: flags.featureLevel,
      allowIgnored: flags.allowIgnored ?? false,
      grace: many ? flags.timeout * 1000 : 2000,
      many,
      waits,
      trace: flags.verbose ? (line) => void say(line) : undefined,
      warn: say,
    });
    servers.push(one);
    return one;
  };
  const account = async () => {
    const { resolveAccount } = await import("../credentials/accounts.ts");
    return resolveAccount(world, flags);
  };
  const context: Context = {
    world,
    flags,
    waits,
    server: () => (server ??= account().then(made)),
    site: () =>
      (site ??= import("../credentials/accounts.ts").then(async ({ resolveSite }) =>
        made(await resolveSite(world, flags)),
      )),
    at: made,
    find: finds(() => context.server()),
    note: async (line) => {
      if (!flags.quiet) await say(line);
    },
    warn: (line) => say(line),
    foresee: async (operation, typed) => {
      if (!flags.dryRun || flags.featureLevel !== undefined) await (await context.server()).foresee(operation, typed);
    },
    ask: async (operation, args) => (await context.askAll(operation, [args]))[0]!,
    askAll: async (operation, parts) => {
      const to = (await (operation as AnyOperation).anonymous) ? await context.site() : await context.server();
      if (flags.dryRun)
        throw new DryRun(await Promise.all(parts.map((args) => showRequest(to, operation, args, context.find))));
      const answers = [];
      for (const args of parts) answers.push(await to.call(operation, args));
      return answers;
    },
    list: async (operation, args, member) => {
      const from = await context.server();
      if (flags.dryRun) throw new DryRun([await showRequest(from, operation, args, context.find)]);
      return from.list(operation, args, member, { whole: !arrives(formOf(flags)) });
    },
  };
  return context;
}

/** Loaded when the first name is looked up. */
function finds(server: () => Promise<Server>): Resolves {
  let made: Promise<Resolver> | undefined;
  const find = () => (made ??= import("../resolve/resolver.ts").then(({ Resolver }) => new Resolver(server)));
  return {
    channel: async (...asked) => (await find()).channel(...asked),
    folder: async (...asked) => (await find()).folder(...asked),
    group: async (...asked) => (await find()).group(...asked),
    user: async (...asked) => (await find()).user(...asked),
    who: async (...asked) => (await find()).who(...asked),
    // What no look-up was made for, none has read.
    called: async (...asked) => made && (await made).called(...asked),
    callsAll: async (...asked) => (await find()).callsAll(...asked),
  };
}
