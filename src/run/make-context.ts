/** Makes what the code of a command receives. Nothing is read or asked until it uses that. */

import { type Flags, outputForm } from "../argv/global-flags.ts";
import { RetryBudget } from "../client/retry.ts";
import type { Sender } from "../client/sending-types.ts";
import { Server } from "../client/server.ts";
import { once } from "../common/once.ts";
import { readOnlyBy } from "../credentials/read-only.ts";
import { isStreamed } from "../output/form.ts";
import { printLine, programLine } from "../output/line.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import type { ShownRequest } from "../output/shown-requests.ts";
import type { WaitDisplay } from "../output/wait-display.ts";
import { Resolver } from "../resolve/resolver.ts";
import { call } from "../wire/call.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { World } from "../world/world.ts";
import { type Context, type Requests, requests, showRequest } from "./context.ts";
import type { ListLocks } from "./list-locks.ts";
import type { NameCollector } from "./name-collector.ts";
import { runsOnOlder } from "./older-servers.ts";
import type { Recorder } from "./recorder.ts";

export interface ContextParts {
  world: World;
  /** The command as typed: `folder update`. */
  command: string;
  flags: Flags;
  /** Receives every server made, so that the caller can close it. */
  servers: Server[];
  /** It sends many requests, so the rate limiter starts with the first. */
  isLongRun: boolean;
  waits: WaitDisplay;
  /** Precedes every line on stderr. */
  label?: string;
  /** Replaces the question on the terminal. */
  approve?: Context["approve"];
  recorder: Recorder;
  nameCollector: NameCollector;
  locks: ListLocks;
}

/** Ends a command after its reads were shown. */
export class DryRunShown extends Error {
  readonly result: Requests;
  constructor(shown: readonly ShownRequest[]) {
    super("a dry run asks nothing");
    this.result = requests(shown);
  }
}

/** Puts the label behind the name of the program. */
function labeledLine(label: string | undefined, line: string): string {
  const own = programLine("");
  return label === undefined ? line : `${own}${label}: ${line.startsWith(own) ? line.slice(own.length) : line}`;
}

/** Returns a function that makes servers. `names`: the names that the log shows for ids. */
function serverMaker(
  { world, flags, servers, isLongRun, waits, label, recorder, nameCollector }: ContextParts,
  warn: Context["warn"],
  names: () => Context["names"],
): Context["connectAs"] {
  const retryBudget = new RetryBudget(flags.maxWait * 1000);
  const trace = (line: string) => void world.stderr.write(`${sanitizeLine(labeledLine(label, line))}\n`);
  return (sender: Sender) => {
    const server = new Server(world, sender, {
      timeout: flags.timeout * 1000,
      retryBudget,
      level: flags.featureLevel,
      allowIgnored: flags.allowIgnored ?? false,
      readOnlyBy: readOnlyBy(world, flags, sender),
      grace: isLongRun ? flags.timeout * 1000 : 2000,
      isLongRun,
      waits,
      keepsPrevious: async () => (await recorder.keepsPrevious(sender)) && flags.record,
      onSending: (change) => recorder.sending(sender, change),
      onSent: (change) =>
        recorder.record(sender, change, names(), flags.record ? (list) => server.call(list, {}) : undefined),
      onRead: (call, answer) => nameCollector.add(sender, call, answer),
      trace: flags.verbose ? trace : undefined,
      warn,
    });
    servers.push(server);
    return server;
  };
}

function connections({ world, flags, command, recorder }: ContextParts, connectAs: Context["connectAs"]) {
  const accounts = () => import("../credentials/accounts.ts");
  return {
    server: once(async () => {
      const account = await (await accounts()).resolveAccount(world, flags);
      // Which account a run is of is known before its first request.
      await recorder.know({ site: account.site, account: account.email });
      const server = connectAs(account);
      if (!runsOnOlder(command)) await server.featureLevel.requireOldest();
      return server;
    }),
    site: once(async () => connectAs(await (await accounts()).resolveSite(world, flags))),
    connectAs,
  } satisfies Partial<Context>;
}

/** The command's own reads. A dry run shows them instead. */
function reads(
  command: string,
  flags: Flags,
  context: () => Context,
): Pick<Context, "checkSupported" | "ask" | "askAll" | "list" | "showInstead"> {
  return {
    checkSupported: async (operation, typed) => {
      await (await context().server()).featureLevel.checkFlags(operation, typed, { command });
    },
    ask: async (operation, args, typed) => (await context().askAll(operation, [args], typed))[0]!,
    askAll: async (operation: AnyOperation, parts, typed) => {
      const to = await (operation.anonymous ? context().site() : context().server());
      const calls = parts.map((args) => ({ ...call(operation, args), command, flags: typed }));
      await context().showInstead(calls, to);
      const answers = [];
      for (const { args } of calls) answers.push(await to.call(operation, args, { command, flags: typed }));
      return answers;
    },
    list: async (operation, args, member, typed) => {
      const from = await context().server();
      const spelled = { command, flags: typed };
      await context().showInstead([{ ...call(operation, args), ...spelled }]);
      return from.list(operation, args, member, { whole: !isStreamed(outputForm(flags)), ...spelled });
    },
    showInstead: async (calls, to) => {
      if (!flags.dryRun) return;
      const shown = to ?? (await context().server());
      throw new DryRunShown(await Promise.all(calls.map((each) => showRequest(shown, each, context().names))));
    },
  };
}

export function makeContext(parts: ContextParts): Context {
  const { world, flags, command, waits, label, recorder, nameCollector, locks } = parts;
  const warn = (line: string) => printLine(world.stderr, labeledLine(label, line));
  const context: Context = {
    world,
    command,
    flags,
    waits,
    label,
    run: {
      name: () => recorder.nameFor(flags.dryRun),
      know: (more) => recorder.know(more),
    },
    ...connections(
      parts,
      serverMaker(parts, warn, () => context.names),
    ),
    names: new Resolver(() => context.server(), { note: (line) => context.note(line) }),
    saveNames: () => nameCollector.keep(),
    note: async (line) => {
      if (!flags.quiet) await warn(line);
    },
    warn,
    lockList: async (list) => locks.hold(await context.server(), list),
    approve: async (asked) => {
      const { changes, question, organization } = asked;
      if (changes) organization.requireWritable();
      if (parts.approve) return parts.approve(asked);
      if (question) await (await import("../argv/confirm.ts")).confirm(world, flags, question, organization);
    },
    ...reads(command, flags, () => context),
  };
  return context;
}
