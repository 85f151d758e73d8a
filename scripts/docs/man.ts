/** Manual pages: one for the program, one for each noun. */

import type { CatalogueCommand } from "../../src/cli/catalogue/catalogue-document.ts";
import { docOf, wrapLine } from "../../src/cli/help.ts";
import { type DescribedNoun, type DescribedProgram, flagItem, type Item } from "./described.ts";
import { bold, code, italic, item, lines, page, prose, section, term, typed } from "./roff.ts";
import { isShared, sharedFlags } from "./shared-flags.ts";

/** The environment variables. */
const environment: readonly Item[] = [
  { term: "ZULIP_SITE, ZULIP_EMAIL, ZULIP_API_KEY", says: "the organization, the account and its API key" },
  { term: "ZULIP_API_KEY_FILE", says: "a file with the key, in place of ZULIP_API_KEY" },
  { term: "ZULIPCTL_PROFILE", says: "the profile to use" },
  { term: "ZULIP_CONFIG", says: "a zuliprc to take site, e-mail and key from" },
  {
    term: "ZULIP_CERT_BUNDLE, ZULIP_CERT, ZULIP_CERT_KEY",
    says: "files with certificate authorities, a client certificate and its key",
  },
  { term: "ZULIP_ALLOW_INSECURE", says: "refused: certificates are always checked" },
  { term: "ZULIPCTL_READ_ONLY", says: "1: every change to the server is refused, as with --read-only" },
  {
    term: "ZULIPCTL_CONFIG_DIR, ZULIPCTL_CACHE_DIR, ZULIPCTL_STATE_DIR",
    says: "other directories for configuration, cache and state",
  },
  {
    term: "ZULIPCTL_SANDBOX",
    says: "set by zulipctl sandbox exec: the site of the embedded server. Its runs and its log are kept apart",
  },
  { term: "HTTPS_PROXY, HTTP_PROXY, NO_PROXY", says: "proxies, and hosts to reach without them" },
  { term: "NO_COLOR, FORCE_COLOR", says: "whether there is colour" },
];

const files: readonly Item[] = [
  { term: "~/.config/zulipctl/config.json", says: "profiles, on Linux; other platforms have a directory of their own" },
  { term: "~/.local/state/zulipctl/log.ndjson", says: "what was changed; zulipctl log shows it" },
  { term: "~/.zuliprc", says: "used where nothing else gives credentials" },
];

const items = (list: readonly Item[], head: (term: string) => string): string[] =>
  list.flatMap(({ term, says }) => item(head(term), prose(says)));

const names = (list: string): string => list.split(", ").map(bold).join(", ");

const pageOf = (noun: string): string => `zulipctl-${noun}`;

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** Returns the description for the line that `man -k` searches. */
const briefly = (text: string): string => text.replace(/^./, (letter) => letter.toLowerCase()).replace(/\.$/, "");

const named = (name: string, doc: string): string[] =>
  section("NAME", prose(`${name} - ${briefly(doc)}`).replace(`${name} - `, `${code(name)} \\- `));

/** Wraps long examples as a shell accepts them. */
const exampleLines = (examples: readonly string[]): string[] =>
  examples.flatMap((line) => wrapLine(`  ${line}`, 70).map((part) => part.slice(2)));

const seeAlso = (...pages: string[]): string[] =>
  section("SEE ALSO", pages.map((name) => `${bold(name)}(1)`).join(",\n"));

function programPage(program: DescribedProgram, version: string): string {
  const verbs = ({ name, commands }: DescribedNoun) => {
    const list = commands.map((each) => each.name.slice(name.length + 1)).filter(Boolean);
    return list.length ? ` (${list.join(", ")})` : "";
  };
  return page("zulipctl", version, [
    ...named("zulipctl", program.doc),
    ...section("SYNOPSIS", term(program.usage)),
    ...section(
      "DESCRIPTION",
      prose(program.doc),
      ".PP",
      prose("Each noun has a page of its own. Read the same with"),
      `${bold("zulipctl help")} ${italic("[<noun> [<verb>]]")},`,
      prose("or with --help anywhere on a line."),
    ),
    ...section("COMMANDS"),
    ...program.nouns.flatMap((noun) =>
      item(`${bold(pageOf(noun.name))}(1)`, prose(sentence(`${noun.doc}${verbs(noun)}`))),
    ),
    ...section("GLOBAL FLAGS", prose("They may stand before or after the noun and the verb.")),
    ...items(program.flags, term),
    ...section("FLAGS OF CHANGES", prose("Commands that change something have these too.")),
    ...items(sharedFlags(program.nouns.flatMap(({ commands }) => commands)).map(flagItem), term),
    ...section("EXIT STATUS"),
    ...items(program.exitCodes, bold),
    ...section("ENVIRONMENT"),
    ...items(environment, names),
    ...section("FILES"),
    ...items(files, italic),
    ...seeAlso(...program.nouns.map(({ name }) => pageOf(name))),
  ]);
}

const commandSection = ({
  name,
  usage,
  doc,
  arguments: operands,
  flags,
  note,
  examples,
}: CatalogueCommand): string[] => [
  `.SS ${code(`zulipctl ${name}`)}`,
  prose(sentence(doc)),
  ".PP",
  term(usage),
  ...items(
    operands.filter(({ doc }) => doc).map((operand) => ({ term: operand.name, says: docOf(operand) })),
    (text) => italic(`<${text}>`),
  ),
  ...items(flags.filter((flag) => !isShared(flag)).map(flagItem), term),
  ...(note ? [".PP", lines(note)] : []),
  ...(examples.length
    ? [".PP", `${examples.length === 1 ? "Example" : "Examples"}:`, ...typed(exampleLines(examples))]
    : []),
];

const nounPage = ({ name, doc, commands }: DescribedNoun, version: string): string =>
  page(pageOf(name), version, [
    ...named(pageOf(name), doc),
    ...section("SYNOPSIS"),
    ...commands.flatMap(({ usage }, n) => [...(n ? [".br"] : []), term(usage)]),
    ...section(
      "DESCRIPTION",
      prose(sentence(doc)),
      prose("The global flags, those of all changes, the environment and the exit status are described in"),
      `${bold("zulipctl")}(1).`,
    ),
    ...section("COMMANDS"),
    ...commands.flatMap(commandSection),
    ...seeAlso("zulipctl"),
  ]);

/** Returns every page by its file name. */
export const manual = (program: DescribedProgram, version: string): Map<string, string> =>
  new Map([
    ["zulipctl.1", programPage(program, version)],
    ...program.nouns.map((noun): [string, string] => [`${pageOf(noun.name)}.1`, nounPage(noun, version)]),
  ]);
