/** What people mean who know another program: verbs and flags of other names. They are suggested, never run. */
import type { Command } from "commander";

const creating = ["create", "add", "new", "make"];
const removing = ["rm", "remove", "delete", "del", "destroy", "revoke"];
const listing = ["list", "ls", "get", "all"];
const showing = ["show", "get", "view", "describe", "info"];
const updating = ["update", "edit", "set", "change", "modify", "patch", "rename"];

/** Words for one thing each. A verb is suggested for the others in its row. */
const verbs = [
  listing,
  showing,
  creating,
  removing,
  updating,
  ["move", "mv"],
  ["send", "post"],
  ["find", "search"],
  ["members", "add-member", "remove-member"],
  ["subscribers", "subscribe", "unsubscribe"],
];

/** Returns the verb that a word stands for. `operands`: without any, `get` asks for all. */
export function verbMeant(word: string, noun: Command, operands = 0): string | undefined {
  const own = noun.commands.find((verb) => verb.name() === word);
  if (own) return own.name();
  const rows = verbs.filter((row) => row.includes(word));
  if (operands) rows.reverse();
  const names = noun.commands.map((verb) => verb.name());
  const meant = rows.flatMap((row) => row.filter((each) => names.includes(each)))[0];
  return meant ?? noun.commands.find((verb) => verb.aliases().includes(word))?.name();
}

/** Flags with one meaning, here and in other programs. */
const flags = [
  ["--add", "--subscribe", "--people", "--member", "--members", "--user", "--users", "--subscriber", "--subscribers"],
  ["--option", "--add-option", "--options"],
  ["--delete", "--remove", "--unsubscribe"],
  ["--new-name", "--full-name", "--name", "--rename", "--title"],
  ["--description", "--desc"],
  ["--email", "--mail", "--address", "--username"],
  ["--private", "--invite-only"],
  ["--no-private", "--public"],
  ["--yes", "--force", "--assume-yes", "--confirm", "--auto-approve"],
  ["--dry-run", "--check", "--what-if", "--preview", "--noop"],
  ["--output", "--format"],
  ["--fields", "--columns"],
  ["--limit", "--max", "--count", "--number"],
  ["--profile", "--account", "--context"],
  ["--site", "--server", "--url", "--host"],
  ["--content", "--message", "--body", "--text"],
  ["--topic", "--subject"],
  ["--deactivated", "--all", "--inactive"],
  ["--new-file", "--file", "--from"],
  ["--narrow", "--to-channel", "--channel", "--stream"],
  ["--narrow", "--match", "--search", "--query", "--filter", "--grep"],
  ["--to", "--transfer-to", "--successor"],
  ["--match", "--name"],
  ["--match", "--email"],
  ["--delete", "--delete-profile", "--delete-messages"],
];

/** Flags for the thing that a command takes as its first argument. */
const naming = ["--name", "--id", "--user", "--email", "--channel", "--stream", "--group", "--folder", "--emoji"];

/** Returns how to write what an unknown flag stands for. */
export function flagMeant(flag: string, command: Command): string | undefined {
  const has = new Set(command.options.flatMap(({ long, hidden }) => (long && !hidden ? long : [])));
  const [first] = command.registeredArguments;
  const named = naming.includes(flag) && first && flag !== "--id" && first.name() === flag.slice(2);
  const known = flags.filter((row) => row.includes(flag)).flatMap((row) => row.filter((each) => has.has(each)));
  if (known.length && !named) return `Did you mean: ${known.join(", ")}?`;
  if (!first || !naming.includes(flag)) return undefined;
  const { parent } = command;
  const words = [...(parent?.parent ? [parent.name()] : []), command.name(), `<${first.name()}>`];
  return `It is an argument: zulipctl ${words.join(" ")}`;
}
