/** Every command does what its case says. */
import type { Command, Option } from "commander";
import { describe, expect, test } from "vitest";
import { isRepeatable } from "../../src/argv/commander-options.ts";
import { diffFlag, exitCodeFlag, ifChangedFlag } from "../../src/cli/preview-flags.ts";
import { Program } from "../../src/cli/program.ts";
import { registry } from "../../src/commands/nouns.ts";
import { main } from "../../src/main.ts";
import { Shell } from "../../src/run/shell.ts";
import { respond, routes, type SandboxState } from "../../src/sandbox/index.ts";
import { isChange } from "../../src/wire/operation.ts";
import { argvOf, everyCase, everyLine, isMaking, setup, stated, withFlags } from "../cases/all.ts";
import type { Refusal, Sends, Setting, Typed } from "../cases/case.ts";
import { zulipctl } from "../run.ts";
import { everyCommand } from "../tree.ts";
import { testWorld } from "../world.ts";

const root = await new Program("", registry(new Shell(testWorld(), async () => 0))).whole();

/** The value without dots and commas: `user` of `<user,...>`. */
const metavariable = (flags: string): string => /<([^>]*?)(,?\.\.\.)?>/.exec(flags)?.[1] ?? "";

/** `--ids <user>...` can be repeated. `--type <public|standard>` has only these values. */
const flagText = (option: Option): string => {
  const { short, long, flags, argChoices, required, optional } = option;
  const value =
    (required || optional) && `<${argChoices?.join("|") ?? metavariable(flags)}>${isRepeatable(option) ? "..." : ""}`;
  return [short && `${short},`, long, value].filter(Boolean).join(" ");
};

/** The flags of every verb with a preview. */
const everywhere = new Set([diffFlag.doc, exitCodeFlag.doc, ifChangedFlag.doc]);

const wordsOf = ({ registeredArguments, options }: Command): string[] => [
  ...registeredArguments.map((each) => `<${each.argChoices?.join("|") ?? each.name()}>${each.variadic ? "..." : ""}`),
  ...options.filter(({ hidden, description }) => !hidden && !everywhere.has(description)).map(flagText),
];

test("every command has a case, and every case has a command", () => {
  expect([...everyCase.keys()].sort()).toEqual([...everyCommand({ hidden: true }).keys()].sort());
});

// Scripts rely on these words. Review the difference before you record them with `--update=all`.
test("every command takes the arguments and flags of interface.txt", async () => {
  const help = root
    .createHelp()
    .visibleCommands(root)
    .filter((command) => command.name() === "help");
  const all = [...everyCommand(), ...help.map((command) => ["help", command] as const)];
  const lines = all.map(([name, command]) => `${[name, ...wordsOf(command)].join(" ")}\n`);
  await expect(lines.sort().join("")).toMatchFileSnapshot("../cases/interface.txt");
});

test("every command takes these global flags", () => {
  expect(root.options.filter(({ hidden }) => !hidden).map(flagText)).toEqual([
    "-p, --profile <name>",
    "--site <url>",
    "--zuliprc <file>",
    "-o, --output <table|json|ndjson|csv|tsv|yaml|markdown|ids|none>",
    "--json",
    "--fields <a,b>",
    "--jq <filter>",
    "-n, --dry-run",
    "--read-only",
    "-y, --yes",
    "--no-input",
    "--no-record",
    "--job <name>",
    "-q, --quiet",
    "-v, --verbose",
    "--timeout <seconds>",
    "--max-wait <seconds>",
    "--allow-ignored",
    "--feature-level <n>",
    "--color <auto|always|never>",
    "--ca-file <file>",
    "--client-cert <file>",
    "--client-key <file>",
    "-V, --version",
    "-h, --help",
  ]);
});

const shown = (typed: Typed): string => (typeof typed === "string" ? typed || "alone" : JSON.stringify(typed));
const changing = new Set(routes.filter(({ operation }) => isChange(operation)).map(({ operation }) => operation.name));

interface Ran {
  code: number;
  out: string;
  err: string;
  sent: string[];
  /** The requested operations that change the server. */
  changes: string[];
  state: SandboxState;
  before: SandboxState;
}

/** Runs a line in its setting. */
async function run(argv: string[], setting: Setting, expected: Sends = []): Promise<Ran> {
  const changes: string[] = [];
  const { sandbox, ...world } = setup(setting, {
    disturb: async ({ operation, serve }) => {
      if (operation !== undefined && changing.has(operation)) changes.push(operation);
      return respond(serve());
    },
  });
  const { state } = sandbox;
  const before = structuredClone({ ...state }) as SandboxState;
  const end = testWorld(world);
  const code = await main(argv, end);
  const question = "GET /server_settings";
  const all = end.sent.map(stated);
  const sent = [expected].flat().includes(question) ? all : all.filter((request) => request !== question);
  return { code, out: end.stdout.text, err: end.stderr.text, sent, changes, state, before };
}

/** Adds the hint for the most common refusal. */
const withHint = ({ says, unexplained }: Refusal): string =>
  !unexplained && says === "Must be an organization administrator" ? `${says}\nOnly administrators can do this.` : says;

/** Returns the state without the number of event queues, which reads may make. */
const withoutQueues = ({ ...state }: SandboxState) => ({ ...state, counters: { ...state.counters, queue: 0 } });

const entries = [...everyCase]
  .map(([command, stated]) => ({ command, stated }))
  .filter(({ stated }) => stated.lines !== "elsewhere");

describe.each(entries)("$command", ({ command, stated }) => {
  const lines = everyLine.filter((line) => line.command === command);
  if (lines.length)
    test.each(lines.map((line) => [shown(line.typed), line] as const))("%s", async (_, line) => {
      const { argv, sends, prints, notes = "" } = line;
      const { code, out, err, sent, changes, state, before } = await run(argv, line, sends);
      expect({ code, err, sent }).toEqual({ code: 0, err: notes, sent: [sends].flat() });
      if (prints instanceof RegExp) expect(out).toMatch(prints);
      else if (prints !== undefined) expect(out).toBe(prints);
      for (const [flags, text] of [
        [["-o", "ids"], line.ids],
        [["--json"], line.json],
        [["--dry-run"], line.shows],
      ] as const)
        if (text !== undefined) {
          const other = await run(withFlags(argv, flags), line);
          expect({ flags, code: other.code, out: other.out }).toEqual({ flags, code: 0, out: text });
        }

      if (isMaking(line)) {
        const { of = 1 } = line;
        const { operation, called } = stated as { operation: { name: string }; called?: string };
        expect(changes).toEqual(Array(of).fill(operation.name));
        expect(Number(line.made(state, before))).toBe(of);
        expect(Number(line.made(before, before))).toBe(0);
        const dry = await run(withFlags(argv, ["--dry-run"]), line);
        expect({ code: dry.code, changes: dry.changes, made: Number(line.made(dry.state, dry.before)) }).toEqual({
          code: 0,
          changes: [],
          made: 0,
        });
        expect(dry.out).toContain(`  ${called ?? operation.name}\n`);
      } else if (stated.kind !== "local") expect(changes).toEqual([]);
    });

  if (stated.wire?.length)
    test.each(stated.wire.map(([typed, sends]) => [shown(typed), typed, sends] as const))(
      "%s sends these requests",
      async (_, typed, sends) => {
        const { code, sent } = await run([...argvOf(command, { typed }), "--yes"], {});
        expect(sent).toEqual([sends].flat());
        if (stated.kind === "read") expect(code).toBe(0);
      },
    );

  if (stated.refused?.length)
    test.each(stated.refused.map((refusal) => [shown(refusal.typed), refusal.as ?? "the owner", refusal] as const))(
      "%s is refused to %s",
      async (_, __, refusal) => {
        const { code: expected = 1, partly, prints = "" } = refusal;
        const { code, out, err, changes, state, before } = await run(argvOf(command, refusal), refusal);
        expect({ code, out, err }).toEqual({ code: expected, out: prints, err: `zulipctl: ${withHint(refusal)}\n` });
        if (expected === 2) expect(changes).toEqual([]);
        if (!partly) expect(withoutQueues(state)).toEqual(withoutQueues(before));
      },
    );
});

test("requests have Basic credentials and a user agent", async () => {
  const { sent } = await zulipctl(["drafts", "list"], {
    env: { ZULIP_SITE: "https://chat.example", ZULIP_EMAIL: "iago@zulip.com", ZULIP_API_KEY: "a".repeat(32) },
  });
  expect(sent.map(({ headers }) => headers)).toEqual([
    {
      authorization: `Basic ${Buffer.from(`iago@zulip.com:${"a".repeat(32)}`).toString("base64")}`,
      accept: "application/json",
      "accept-language": "en",
      "user-agent": "zulipctl/0.0.0-test (test)",
    },
  ]);
});
