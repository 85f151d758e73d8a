import { InvalidArgumentError } from "commander";
import { acceptInvitation } from "../api/sandbox.ts";
import { outputOptions, wholeNumber } from "../argv/global-flags.ts";
import { readFile } from "../argv/read-text.ts";
import { noun } from "../cli/noun.ts";
import { type CommandParameter, emptyAllowed, type RawFlags, withDefault } from "../cli/parameter.ts";
import { address, negatedOnly, newName, number, offered, path, texts, toggle } from "../cli/value-parameters.ts";
import { changes } from "../cli/verb.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import { quoteWord } from "../common/shell-words.ts";
import { MiB } from "../common/unit-sizes.ts";
import { withoutCredentials } from "../credentials/environment.ts";
import { systemErrorCode, Usage } from "../errors.ts";
import { roleName, roles } from "../model/person.ts";
import { write } from "../output/buffered-writer.ts";
import type { OutputOptions } from "../output/form.ts";
import { print } from "../output/printer.ts";
import { jsonText, sanitizeLine } from "../output/sanitize.ts";
import type { Context } from "../run/context.ts";
import type { EmbeddedSetup, SandboxInfo } from "../world/embedded.ts";
import type { Env, World } from "../world/world.ts";

/** The flags of the server, for `sandbox` and `tour`. `--feature-level` is a global flag. */
export const serverFlags = {
  world: path("start with the organization described in this JSON file"),
  users: number("add n generated people"),
  exportSize: number("make the files of exports this large", "MiB", 1),
  rateLimits: negatedOnly("switch off the rate limits"),
  fault: texts("inject faults, such as 502:op=drafts.add,p=0.5", "spec"),
};

const startFlags = {
  ...serverFlags,
  fixedPasswords: toggle("give the seeded people the passwords of the documentation, such as iris-sandbox-password"),
};

const port: CommandParameter<number, number> = {
  ...withDefault("a free one", number("listen on this port")),
  parse: (text) => {
    const value = wholeNumber(1)(text);
    if (value > 65535) throw new InvalidArgumentError("It must be at most 65535.");
    return value;
  },
};

/** The largest description, in bytes. */
const maxDescription = 256 * MiB;

export type SandboxStartOptions = RawFlags<typeof startFlags>;

export async function setupOf(
  { world, flags }: Pick<Context, "world" | "flags">,
  { world: file, users = 0, exportSize, rateLimits, fixedPasswords, fault = [] }: SandboxStartOptions,
): Promise<EmbeddedSetup> {
  const text = file === undefined ? "" : await readFile(world, "--world", file, maxDescription);
  return {
    users,
    rateLimits,
    fixedPasswords,
    exportSize,
    level: flags.featureLevel,
    faults: fault,
    world: file === undefined ? undefined : { file, text },
  };
}

type SandboxPerson = SandboxInfo["users"][number];

/** Returns the account for programs: an active owner. */
export function sandboxOwner({ users }: SandboxInfo): SandboxPerson {
  const found = users.find(({ role, is_bot, is_active }) => role === roles.owner && is_active && !is_bot);
  if (!found) throw new Error("the sandbox has no active owner");
  return found;
}

/** The variables with which zulipctl reaches the sandbox. */
const variables = (line: SandboxInfo) => ({
  ZULIP_SITE: line.site,
  ZULIP_EMAIL: sandboxOwner(line).email,
  ZULIP_API_KEY: sandboxOwner(line).api_key,
  // Runs of a sandbox are kept apart.
  ZULIPCTL_SANDBOX: line.site,
});

/** Returns the environment with only these credentials. */
export function environment(env: Env, line: SandboxInfo) {
  // Proxies cannot reach loopback addresses.
  const direct = [env.no_proxy ?? env.NO_PROXY, "127.0.0.1"].filter(Boolean).join(",");
  return { ...withoutCredentials(env), no_proxy: direct, NO_PROXY: direct, ...variables(line) };
}

/** The number of people in the table. */
const maxPeople = 10;

/** Formats columns without cutting: people copy the values. */
async function aligned(...rows: string[][]): Promise<string[]> {
  const { textWidth } = await import("../output/fold.ts");
  const cells = rows.map((row) => row.map(sanitizeLine));
  const width = (column: number) => Math.max(...cells.map((row) => textWidth(row[column] ?? "")));
  const padded = (cell: string, column: number) => cell + " ".repeat(width(column) - textWidth(cell) + 2);
  return cells.map((row) => row.map(padded).join("").trimEnd());
}

/** Formats keys and passwords apart: both do not fit on one line of 80 columns. */
async function describe(line: SandboxInfo): Promise<string> {
  const { site, feature_level, zulip_version, users } = line;
  const people = users.slice(0, maxPeople);
  const rows = people.map(({ email, role, is_bot, is_active, password }) => [
    email,
    is_bot ? "bot" : roleName(role),
    password,
    is_active ? "" : "deactivated",
  ]);
  const keys = people.map(({ email, api_key }) => [email, api_key]);
  const others =
    users.length > maxPeople
      ? [`and ${users.length - maxPeople} others: pass --json to list them with their keys`]
      : [];
  const assignments = Object.entries(variables(line)).map(([name, value]) => `${name}=${quoteWord(value)}`);
  return [
    `The sandbox is ready: ${site}`,
    `Its feature level is ${feature_level} (Zulip ${zulip_version}). It keeps nothing. Stop it with Ctrl-C.`,
    "",
    ...(await aligned(["EMAIL", "ROLE", "PASSWORD", ""], ...rows)),
    ...others,
    "",
    ...(await aligned(["EMAIL", "API KEY"], ...keys)),
    "",
    "In another terminal:",
    "",
    sanitizeLine(`export ${assignments.join(" ")}`),
    "zulipctl users list",
    "",
  ].join("\n");
}

const stopped = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

async function report(line: SandboxInfo, choice: OutputOptions, world: World): Promise<void> {
  if (choice.form === "table" && !choice.fields) await write(world.stdout, await describe(line));
  // JSON is one line in a terminal too, because programs wait for the line.
  else if (choice.form === "json" && !choice.fields && choice.jq === undefined)
    await write(world.stdout, `${jsonText(line)}\n`);
  else await print({ kind: "single", record: line, columns: [] }, choice, world);
}

async function startSandbox(context: Context, options: SandboxStartOptions & { port?: number }): Promise<undefined> {
  const { world, flags } = context;
  const server = await world.embed({ ...(await setupOf(context, options)), port: options.port ?? 0 });
  try {
    await report(server.info, outputOptions(flags), world);
    await stopped(world.signals.stop);
  } finally {
    await server.close();
  }
}

async function exec(context: Context, options: SandboxStartOptions, words: string[]): Promise<number> {
  const { world, flags } = context;
  // Programs of a guarded command are guarded too. The variable is in the environment already.
  const guard = flags.readOnly ? { ZULIPCTL_READ_ONLY: "1" } : {};
  const server = await world.embed({ ...(await setupOf(context, options)), port: 0 });
  try {
    // What its runs keep ends with it.
    return await world.files.temporary((directory) =>
      world.runWithStreams(words, { ...environment(world.env, server.info), ...guard, ZULIPCTL_STATE_DIR: directory }),
    );
  } catch (error) {
    const code = systemErrorCode(error);
    if (!code) throw error;
    throw new Usage(code === "ENOENT" ? `program not found: ${words[0]}` : `${words[0]} cannot be run: ${code}`);
  } finally {
    await server.close();
  }
}

/** A name for somebody whose address alone is known. */
const acceptFlags = { fullName: newName("the name of the new person; by default the part before the @", "text") };

export const sandboxNoun = noun("An embedded server with a small organization, to try things on", {
  start: rawCustomVerb({
    doc: "Run the sandbox on loopback until Ctrl-C; --json prints one line when it is ready",
    flags: { ...startFlags, port },
    examples: ["zulipctl sandbox start --json", "zulipctl sandbox start --users 1000 --no-rate-limits"],
    run: async () => startSandbox,
  }),

  exec: rawCustomVerb({
    doc: "Run a program with a fresh sandbox; exits with the program's code",
    exits: "any",
    operands: { command: emptyAllowed(offered(["zulipctl"], texts("after --", "command"))) },
    flags: startFlags,
    examples: [
      "zulipctl sandbox exec -- zulipctl users list",
      "zulipctl sandbox exec --fault 502:op=users.list,times=1 -- zulipctl users list",
    ],
    run: async (shell) => async (context, options, words: string[]) => {
      shell.exitCode = await exec(context, options, words);
      return undefined;
    },
  }),

  "accept-invitation": changes(acceptInvitation, {
    doc: "Accept an invitation by e-mail in the sandbox, as the invited person would",
    operands: { email: address("the invited address") },
    flags: acceptFlags,
    args: ({ email, fullName }) => ({ email, full_name: fullName }),
    target: "email",
    done: "{target} has joined as user {user_id}.",
    ids: "user_id",
    checkCommand: "users list",
    note: "Only the sandbox can do this: elsewhere people accept invitations in a browser.",
    examples: ["zulipctl sandbox accept-invitation kate@example.com"],
  }),
});
