/** Start-up: whole processes that do little. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { namesDirectory } from "../src/resolve/names-directory.ts";
import type { Bench } from "./bench.ts";
import { type Command, type Env, inTurn, ratio, run, spread } from "./measure.ts";
import type { Figure } from "./table.ts";

/** Runs a command in a terminal of its own, with script of util-linux. */
const atTerminal = (command: Command): Command => [
  "script",
  "--quiet",
  "--return",
  "--command",
  command.map((word) => `'${word}'`).join(" "),
  "/dev/null",
];

/** What completion knows of an organization of so many people. */
function keepPeople(
  { ZULIPCTL_CACHE_DIR: cache = "", ZULIP_SITE: site = "", ZULIP_EMAIL: email = "" }: Env,
  many: number,
) {
  const place = namesDirectory(cache, { site, email });
  mkdirSync(place, { recursive: true });
  const lines = Array.from({ length: many }, (_, at) => `person${at}@chat.example\tPerson ${at}\n`);
  writeFileSync(join(place, "user"), lines.sort().join(""));
}

const list = "zulipctl users list -o ids, 10 users";
const table = "zulipctl users list, 10 users";
const help = "zulipctl channel update --help";
const first = "zulipctl, at a terminal";
const wholeHelp = "zulipctl --help, at a terminal";
const limits: Record<string, Record<string, number>> = {
  [first]: { [wholeHelp]: 1 },
  [list]: { "node -e 0": 2.7, "python client": 0.45 },
  [table]: { [list]: 1.35 },
  [help]: { "node -e 0": 1.8 },
};

export async function beginnings({ program, directory, env, peer, python }: Bench): Promise<Figure[]> {
  const where = env(await peer.site({ users: 10 }));
  keepPeople(where, 50_000);
  const node = process.execPath;
  const gh = await run(["gh", "--version"], where).catch(() => undefined);
  const script = await run(["script", "--version"], where).catch(() => undefined);
  const commands: Record<string, Command> = {
    "node -e 0": [node, "-e", "0"],
    "zulipctl --version": [...program, "--version"],
    "zulipctl __complete -- channel update --": [...program, "__complete", "--", "channel", "update", "--"],
    "zulipctl __complete -- users show person123, 50,000 people": [
      ...program,
      "__complete",
      "--",
      "users",
      "show",
      "person123",
    ],
    [help]: [...program, "channel", "update", "--help"],
    ...(script && { [wholeHelp]: atTerminal([...program, "--help"]), [first]: atTerminal(program) }),
    [list]: [...program, "users", "list", "-o", "ids"],
    [table]: [...program, "users", "list"],
    "bare script over the same undici": [node, join(directory, "bare.js")],
    ...(gh && { "gh --version": ["gh", "--version"] }),
    ...(python && {
      "python3 -c 'import requests'": [python, "-c", "import requests"],
      "python client": [python, join(directory, "client.py")],
    }),
    curl: ["curl", "--silent", "--fail", `${where.ZULIP_SITE}/api/v1/users`],
  };
  const took = await inTurn(commands, where, { rounds: 25, memory: false });
  const times = (name: string) => took[name]!.map(({ time }) => time);
  return Object.keys(commands).map((name) => ({
    what: name,
    value: spread(times(name)),
    unit: "ms",
    ratios: {
      "node -e 0": ratio(times(name), times("node -e 0")),
      ...(name === first && { [wholeHelp]: ratio(times(first), times(wholeHelp)) }),
      ...(name === table && { [list]: ratio(times(table), times(list)) }),
      ...(name === list && {
        "bare script": ratio(times(name), times("bare script over the same undici")),
        ...(python && { "python client": ratio(times(name), times("python client")) }),
      }),
    },
    limit: { ratios: limits[name] ?? {} },
  }));
}
