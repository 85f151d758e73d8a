/** Every command with its arguments and flags, as the interface says them: what scripts rely on does not change by accident. */
import { expect, test } from "vitest";
import type { Entry, Flag } from "../../src/cli/completion/tree.ts";
import { registry } from "../../src/commands/nouns.ts";
import { wholeTree } from "../../src/commands/tree.ts";
import { Shell } from "../../src/run/shell.ts";
import { testWorld } from "../world.ts";

const tree = await wholeTree(registry(new Shell(testWorld(), async () => 0)));

/** `--ids <user>...` may be given again; `--type <public|standard>` has these values and no others. */
const told = ({ long, short, value, choices, repeats }: Flag): string =>
  [short && `${short},`, long, value !== undefined && `<${choices?.join("|") ?? value}>${repeats ? "..." : ""}`]
    .filter(Boolean)
    .join(" ");

const verbs = ({ verbs: below, ...entry }: Entry, words: string[] = []): [string, Entry][] =>
  below.length
    ? below.flatMap((verb) => verbs(verb, [...words, verb.name]))
    : [
        [
          [
            ...words,
            ...entry.operands.map(
              ({ name, variadic, choices }) => `<${choices?.join("|") ?? name}>${variadic ? "..." : ""}`,
            ),
          ].join(" "),
          { ...entry, verbs: [] },
        ],
      ];

const who = [
  "add-subscribers",
  "remove-subscribers",
  "administer-channel",
  "delete-any-message",
  "delete-own-message",
  "move-messages-out-of-channel",
  "move-messages-within-channel",
  "send-message",
  "subscribe",
  "resolve-topics",
];
const embedded = ["--world <file>", "--users <n>", "--export-size <MiB>", "--no-rate-limits", "--fault <spec>..."];

test("the commands, with their arguments and flags", () => {
  expect(Object.fromEntries(verbs(tree).map(([name, { flags }]) => [name, flags.map(told)]))).toEqual({
    "fetch-key": ["--username <name>", "--password-stdin", "--store <keychain|file>", "--print"],
    "auth status": [],
    "auth login": ["--with-key", "--username <e-mail>", "--store <keychain|file>"],
    "auth import <zuliprc>": ["--store <keychain|file>"],
    "auth logout": [],
    "profile list": [],
    "profile use <name>": [],
    "profile rename <old> <new>": [],
    "profile rm <name>": [],
    "channel update <channel>": [
      "--new-name <text>",
      "--description <text>",
      "--private",
      "--no-private",
      "--web-public",
      "--no-web-public",
      "--history-public-to-subscribers",
      "--no-history-public-to-subscribers",
      "--default",
      "--no-default",
      "--message-retention-days <days>",
      "--no-archived",
      "--folder <folder>",
      "--no-folder",
      "--topics-policy <inherit|allow_empty_topic|disable_empty_topic|empty_topic_only>",
      ...who.map((name) => `--can-${name}-group <who>`),
      "--expect <setting=who>...",
    ],
    "channel list": ["--archived"],
    "messages match": ["--ids <id>...", "--narrow <expression>", "--narrow-json <json>"],
    "folder create <name>": ["--description <text>"],
    "folder update <folder>": ["--new-name <text>", "--description <text>"],
    "folder list": ["--archived"],
    "group members <group>": [
      "--add <user>...",
      "--delete <user>...",
      "--set <user>...",
      "--add-subgroups <group>...",
      "--delete-subgroups <group>...",
      "--set-subgroups <group>...",
      "--if-changed",
    ],
    "group list": ["--system", "--deactivated"],
    "users list": [
      "--ids <user>...",
      "--client-gravatar",
      "--no-client-gravatar",
      "--include-custom-profile-fields",
      "--role <role>",
      "--active",
      "--deactivated",
      "--bots",
      "--humans",
      "--match <text>",
    ],
    "linkifier add <pattern> <url-template>": ["--sample <text>...", "--skip-check"],
    "linkifier list": [],
    "drafts add": [
      "--channel <channel>",
      "--topic <text>",
      "--to <user>",
      "--content <text>",
      "--timestamp <time>",
      "--from <file>",
    ],
    "drafts list": [],
    "attachment rm <id>...": [],
    "attachment list": [],
    "export create": ["--type <public|standard>"],
    "export list": [],
    "apns register": ["--token <token>", "--token-stdin", "--appid <id>"],
    "batch <file> <words>...": expect.arrayContaining([
      "--format <csv|tsv|ndjson|lines>",
      "--skip-invalid",
      "--concurrency <n>",
      "--no-merge",
      "--settle <seconds>",
      "--journal <file>",
      "--resume <run>",
      "--retry-unknown",
      "--failed <file>",
      "--on-error <stop|continue>",
      "--max-failures <n>",
    ]),
    "server info": [],
    "sandbox start": [...embedded, "--port <n>"],
    "sandbox exec <command>...": embedded,
    tour: embedded,
    "completion <bash|zsh|fish>": [],
    "help <noun> <verb>": [],
  });
});

test("the flags of every command", () => {
  expect(tree.flags.map(told)).toEqual([
    "-p, --profile <name>",
    "--site <url>",
    "--zuliprc <file>",
    "-o, --output <table|json|ndjson|csv|tsv|yaml|ids|none>",
    "--json",
    "--fields <a,b>",
    "--jq <filter>",
    "-n, --dry-run",
    "-y, --yes",
    "--no-input",
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
