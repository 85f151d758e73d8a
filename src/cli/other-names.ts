/** Other names of nouns and verbs. Names that could surprise are not among them: see `misuse.ts`. */

const both = (...names: readonly string[]): Record<string, readonly string[]> =>
  Object.fromEntries(names.map((name) => [name, [name.endsWith("s") ? name.slice(0, -1) : `${name}s`]]));

const nouns: Readonly<Record<string, readonly string[]>> = {
  ...both("profile", "messages", "topic", "folder", "group", "users", "invite", "linkifier", "drafts", "attachment"),
  ...both("permissions", "export", "settings", "bots", "emoji"),
  channel: ["channels", "stream", "streams"],
};

const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ["ls"],
  show: ["get", "view"],
  update: ["edit"],
  rm: ["remove"],
};

export const otherNouns = (name: string): readonly string[] => (Object.hasOwn(nouns, name) ? (nouns[name] ?? []) : []);

/** `all`: the verbs of the noun. A verb with that name comes first. */
export const otherVerbs = (name: string, all: readonly string[]): readonly string[] =>
  Object.hasOwn(verbs, name) ? (verbs[name] ?? []).filter((other) => !all.includes(other)) : [];

/** For help. */
export const otherNamesHelp =
  "Nouns are found in singular and plural. Other names: stream = channel, ls = list, get and view = show, " +
  "edit = update, remove = rm, whoami = auth status, login = auth login.";
