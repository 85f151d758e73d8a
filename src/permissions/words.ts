/** Values, paths and reasons as people read them. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { Cell, Judgement, Way } from "./judgement.ts";

/** Whom a value names: a group by its name, what is put together as in other tables. */
export function grantedTo({ facts }: Judgement, value: GroupSetting): string {
  const group = (id: number): string => facts.groups.get(id)?.name ?? String(id);
  const person = (id: number): string => {
    const place = facts.place(id);
    return place === undefined ? String(id) : facts.accounts[place]!.full_name;
  };
  if (typeof value === "number") return group(value);
  const all = [
    ...value.direct_members.map((id) => `user ${person(id)}`),
    ...value.direct_subgroups.map((id) => `group ${group(id)}`),
  ];
  return all.join(", ") || "nobody";
}

/** A way as JSON has it: the names of groups, or a word. */
export const wayNames = (way: Way): readonly string[] => ("word" in way ? [way.word] : way.names);

/** `role:members › designers › Ada Lovelace`; a word alone. */
export const wayText = (way: Way, person: string): string =>
  "word" in way ? way.word : [...way.names, person].join(" › ");

/** The settings that give a way, where they are not the one that was asked about. */
export function settingsText({ scope, setting }: Cell, way: Way): string {
  if ("word" in way) return "";
  const all = way.by.map((one) => (one.scope === scope ? one.setting : `${one.setting} of the ${one.scope}`));
  return all.length === 1 && all[0] === setting ? "" : `(${all.join("; ")})`;
}

const verbs: Readonly<Record<string, string>> = {
  see: "see",
  read: "read",
  history: "read what was sent before they came to",
  post: "post in",
  subscribe: "subscribe to",
  administer: "administer",
  change_privacy: "change who can see",
  deactivate: "deactivate",
};

/** `post in #design`; for settings their names: `can_join_group of @designers`. */
export function inWords({ scope, name, permission }: Pick<Cell, "scope" | "name" | "permission">): string {
  if (scope === "organization") return spoken[permission] ?? `have ${permission}`;
  const thing = `${scope === "channel" ? "#" : "@"}${name}`;
  const verb = Object.hasOwn(verbs, permission) ? verbs[permission] : undefined;
  return verb ? `${verb} ${thing}` : `have ${permission} of ${thing}`;
}

const spoken: Readonly<Record<string, string>> = {
  administer_organization: "administer the organization",
  own_organization: "do what owners alone may",
};
