/** Suggests commands and flags for the names that other programs have. Never runs them. */
import type { Command } from "commander";

const creating = ["create", "add", "new", "make", "upload"];
const removing = ["rm", "remove", "delete", "del", "destroy"];
const listing = ["list", "ls", "get", "all", "find", "search"];
const showing = ["show", "get", "view", "describe", "info", "status"];
const updating = ["update", "edit", "set", "change", "modify", "patch", "rename"];
const joining = ["subscribe", "join", "invite", "add-member", "add-user"];
const leaving = ["unsubscribe", "leave", "kick", "ban", "remove-member", "remove-user"];

/** Words for one thing each. A verb is suggested for the others in its row. */
const verbs = [
  listing,
  showing,
  creating,
  [...removing, "revoke"],
  updating,
  ["move", "mv"],
  ["send", "post"],
  ["deactivate", "disable", "suspend"],
  ["reactivate", "enable", "activate", "restore"],
  ["unarchive", "restore"],
];

/** Returns the verb that a word stands for. `operands`: without any, `get` asks for all. */
export function suggestVerb(word: string, noun: Command, operands = 0): string | undefined {
  const own = noun.commands.find((verb) => verb.name() === word);
  if (own) return own.name();
  const rows = verbs.filter((row) => row.includes(word));
  if (operands) rows.reverse();
  const names = noun.commands.map((verb) => verb.name());
  const suggested = rows.flatMap((row) => row.filter((each) => names.includes(each)))[0];
  return suggested ?? noun.commands.find((verb) => verb.aliases().includes(word))?.name();
}

const deactivate =
  '"zulipctl users deactivate" ends all sessions of a person and keeps the messages; "zulipctl users offboard" hands over first what the person holds.';

/** What keeps more than a removal, by noun. */
const insteadOfRemoving: Readonly<Record<string, string>> = {
  channel:
    '"zulipctl channel archive" hides a channel and keeps its messages; "zulipctl channel unarchive" restores it.',
  users: deactivate,
  group: '"zulipctl group deactivate" switches a group off; "zulipctl group reactivate" restores it.',
  folder: '"zulipctl folder archive" hides a folder and keeps its channels.',
  bots: '"zulipctl bots deactivate" stops a bot; "zulipctl bots reactivate" restores it.',
  auth: '"zulipctl auth logout" forgets the key on this machine.',
};

/** By noun, the command for words that stand for none of its verbs. */
const elsewhere: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  users: { "invite add": ["invite"] },
  auth: { "auth status": showing, "profile list": listing, "auth switch": ["use", "set"], "auth login": creating },
  profile: { "profile use": ["set"], "auth status": ["show", "view", "describe", "info"], "auth login": creating },
  messages: { "messages send": creating },
};

/** Returns a hint for a verb that a noun does not have. Undefined if another verb of the noun fits. */
export function hintForVerb(word: string, noun: Command, operands: number): string | undefined {
  const name = noun.name();
  const [command] = Object.entries(elsewhere[name] ?? {}).find(([, words]) => words.includes(word)) ?? [];
  if (command !== undefined) return `Did you mean: zulipctl ${command}?`;
  const { [name]: instead } = insteadOfRemoving;
  const members = noun.commands.find((verb) => ["members", "subscribers"].includes(verb.name()));
  // Without somebody to add, the group itself is meant.
  const isAbout = (words: readonly string[], others: readonly string[]) =>
    words.includes(word) || (operands > 1 && others.includes(word));
  const flag = isAbout(joining, creating) ? "--add" : isAbout(leaving, removing) ? "--delete" : undefined;
  if (members && flag) return `Did you mean: zulipctl ${name} ${members.name()} <${name}> ${flag} <user>?`;
  if (name === "users" && leaving.includes(word)) return deactivate;
  if (removing.includes(word) && instead !== undefined) return instead;
  const rm = noun.commands.find((verb) => verb.name() === "rm");
  if (rm && word === "delete") return `"zulipctl ${name} rm": ${rm.description()}.`;
  if (word === "whoami" || word === "login") return `Did you mean: zulipctl ${word}?`;
  return undefined;
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
export function suggestFlag(flag: string, command: Command): string | undefined {
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
