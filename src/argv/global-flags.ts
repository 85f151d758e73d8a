/** The global flags. Every command accepts them, before or after its verb. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { chosenWord } from "../common/choices.ts";
import { Usage } from "../errors.ts";
import type { ErrorStyle } from "../output/error.ts";
import type { FilteredForm, OutputForm, OutputOptions } from "../output/form.ts";
import type { Output } from "../world/world.ts";
import { addOption, type CompletionKind, withChoices, withOffer } from "./commander-options.ts";
import type { ParsedFlag } from "./parse-line.ts";

export interface Flags {
  profile?: string;
  site?: string;
  zuliprc?: string;
  output?: string;
  json?: boolean;
  fields?: string;
  jq?: string;
  dryRun?: boolean;
  readOnly?: boolean;
  yes?: boolean;
  input: boolean;
  job?: string;
  /** False for `--no-record`. */
  record: boolean;
  quiet?: boolean;
  verbose?: boolean;
  timeout: number;
  maxWait: number;
  allowIgnored?: boolean;
  featureLevel?: number;
  color: "auto" | "always" | "never";
  caFile?: string;
  clientCert?: string;
  clientKey?: string;
  /** For lists. */
  sort?: string;
  limit?: unknown;
}

const forms = ["table", "json", "ndjson", "csv", "tsv", "yaml", "markdown", "ids", "none"] as const;

const filteredForms: readonly FilteredForm[] = ["table", "ndjson", "csv", "tsv", "yaml"];

/** Parses a whole number from `least` on. commander adds the flag to errors. */
export const wholeNumber =
  (least = 0) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d{1,15}$/.test(text) || number < least)
      throw new InvalidArgumentError(`It must be a whole number${least > 0 ? ` of at least ${least}` : ""}.`);
    return number;
  };

const seconds =
  (least: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || number < least || number > 1e6)
      throw new InvalidArgumentError(`It must be a number of seconds${least > 0 ? " above zero" : ""}.`);
    return number;
  };

const colors = ["auto", "always", "never"] as const;

const valueOption = (flags: string, doc: string, of: CompletionKind, list?: true): Option =>
  withOffer(new Option(flags, doc), { of, ...(list && { list }) });

const options = (): Option[] => [
  valueOption("-p, --profile <name>", "use this profile", "profile").default(undefined, "the current one"),
  valueOption("--site <url>", "the organization's URL, for commands that need no credentials", "site"),
  valueOption("--zuliprc <file>", "take site, e-mail and key from this file", "file"),
  withChoices(new Option("-o, --output <form>", "form of the result").default(undefined, "table"), forms),
  new Option("--json", "the same as -o json"),
  valueOption("--fields <a,b>", "these fields or columns only, in this order", "field", true),
  valueOption("--jq <filter>", "filter the JSON result with jq; -o gives the form of what the filter returns", "free"),
  new Option("-n, --dry-run", "print what would be sent; change nothing"),
  new Option("--read-only", "refuse every change to the server, whatever the command"),
  new Option("-y, --yes", "answer yes to the confirmation"),
  new Option("--no-input", "never prompt, as if there were no terminal"),
  new Option("--no-record", "do not read what a change replaces, for undo"),
  valueOption("--job <name>", "the job of this run, for log and undo; also ZULIPCTL_JOB", "free"),
  new Option("-q, --quiet", "hide progress and notices"),
  new Option("-v, --verbose", "each request and answer on stderr, secrets masked"),
  valueOption("--timeout <seconds>", "for one request", "number").default(30).argParser(seconds(0.001)),
  valueOption("--max-wait <seconds>", "total time to wait for rate limits", "number")
    .default(120)
    .argParser(seconds(0)),
  new Option("--allow-ignored", "warn about ignored parameters instead of failing"),
  valueOption("--feature-level <n>", "assume feature level n instead of asking the server", "number").argParser(
    wholeNumber(),
  ),
  withChoices(new Option("--color <when>", "color"), colors).default("auto"),
  valueOption("--ca-file <file>", "trust the certificate authorities in this file", "file"),
  valueOption("--client-cert <file>", "TLS client certificate", "file"),
  valueOption("--client-key <file>", "key of the TLS client certificate", "file"),
];

export const globalHelp = "Global flags:";

let sharedOptions: Option[] | undefined;
/** The full spelling of flags, by commander's names. */
const spellings = new Map<string, string>();

/** Adds the global flags to a command, as a group of its help. Commands share the options. */
export function withGlobalFlags(command: Command): Command {
  if (!sharedOptions) {
    sharedOptions = options().map((option) => option.helpGroup(globalHelp));
    for (const option of sharedOptions) spellings.set(option.attributeName(), option.long ?? option.flags);
  }
  for (const option of sharedOptions) addOption(command, option);
  return command;
}

/** Returns the flags of a command and its parents. The value nearest to the verb counts. */
export function flagsOf(command: Command): Flags {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.unshift(at);
  const flags: Record<string, unknown> = {};
  for (const at of chain)
    for (const [name, value] of Object.entries(at.opts()))
      if (at.getOptionValueSource(name) !== "default" || !(name in flags)) flags[name] = value;
  return flags as unknown as Flags;
}

/** Returns the typed global flags in full spelling. */
export function typedGlobalFlags(command: Command): string[] {
  const typed: string[] = [];
  for (let at: Command | null = command; at; at = at.parent)
    for (const name of Object.keys(at.opts())) {
      const spelled = spellings.get(name);
      if (spelled !== undefined && at.getOptionValueSource(name) === "cli") typed.push(spelled);
    }
  return typed;
}

/** Returns the form of the result; JSON for `--jq`. Throws `Usage` if flags contradict each other. */
export function outputForm({ output, json, jq }: Flags): OutputForm {
  const form = forms.find((each) => each === output);
  if (json && form && form !== "json") throw new Usage(`-o ${form} and --json ask for different outputs`);
  if (jq !== undefined && form && form !== "json" && !filteredFormOf(form))
    throw new Usage(`--jq cannot be combined with -o ${form}`, {
      hint:
        form === "ids"
          ? "Write the ids in the filter: --fields id --jq '.[].id'"
          : `--jq supports the forms json, ${filteredForms.join(", ")}.`,
    });
  return jq !== undefined || json ? "json" : (form ?? "table");
}

const filteredFormOf = (form: string | undefined): FilteredForm | undefined =>
  filteredForms.find((each) => each === form);

/** Returns the output options. */
export const outputOptions = (flags: Flags): OutputOptions => ({
  form: outputForm(flags),
  color: flags.color,
  fields: flags.fields?.split(",").map((name) => name.trim()),
  jq: flags.jq,
  jqForm: filteredFormOf(flags.output),
  quiet: flags.quiet,
  sort: flags.sort,
  limit: typeof flags.limit === "number" ? flags.limit : undefined,
});

/** Returns how to print errors, also for an invalid line. With only `--jq`, errors at a terminal are text. */
export function errorStyleOf(flags: readonly ParsedFlag[], stderr: Pick<Output, "isTerminal">): ErrorStyle {
  const values = new Map(flags.map(({ option, value }) => [option.attributeName(), value]));
  const isJson = ({ option, value = "" }: ParsedFlag) =>
    option.long === "--output" && chosenWord(forms, value) === "json";
  const json = values.has("json") || flags.some(isJson);
  const color = chosenWord(colors, values.get("color") ?? "");
  return {
    form: json || (values.has("jq") && !stderr.isTerminal) ? "json" : "table",
    color: color ?? "auto",
    verbose: values.has("verbose"),
  };
}
