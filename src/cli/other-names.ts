/** Other names of nouns and verbs. For misleading names, `command-suggestions.ts` suggests a command. */
import { everyKind } from "../model/kinds/index.ts";

const otherNumber = (name: string): string =>
  name.endsWith("s") ? name.slice(0, -1) : `${name}${/(ch|x)$/.test(name) ? "es" : "s"}`;

const both = (...names: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(names.map((name) => [name, [otherNumber(name)]]));

const nouns: Readonly<Record<string, readonly string[]>> = {
  ...both(...everyKind.map(([, { noun }]) => noun)),
  ...both("profile", "messages", "topic", "permissions", "settings"),
  ...both("org", "audit", "batch", "log", "server", "sandbox", "completion"),
  channel: ["channels", "stream", "streams"],
};

const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ["ls"],
  show: ["get", "view"],
  update: ["edit"],
  use: ["switch"],
  rm: ["remove"],
};

export const otherNouns = (name: string): readonly string[] => (Object.hasOwn(nouns, name) ? (nouns[name] ?? []) : []);

/** `all`: the verbs of the noun. Their own names come first. */
export const otherVerbs = (name: string, all: readonly string[]): readonly string[] =>
  Object.hasOwn(verbs, name) ? (verbs[name] ?? []).filter((other) => !all.includes(other)) : [];

/** A paragraph of the help. */
export const otherNamesHelp =
  "Nouns are found in singular and plural. Other names: stream = channel, ls = list, get and view = show, " +
  "edit = update, remove = rm, profile switch and auth switch = profile use, whoami = auth status, login = auth login.";
