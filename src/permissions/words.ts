/** Values, paths and reasons as people read them. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { Cell, Evaluation, Way } from "./evaluation.ts";

/** Whom a value names: a group by its name, what is put together as in other tables. */
export function grantedTo({ facts }: Evaluation, value: GroupSetting): string {
  const group = (id: number): string => facts.groups.get(id)?.name ?? String(id);
  if (typeof value === "number") return group(value);
  const all = [
    ...value.direct_members.map((id) => `user ${facts.fullName(id) ?? id}`),
    ...value.direct_subgroups.map((id) => `group ${group(id)}`),
  ];
  return all.join(", ") || "nobody";
}

/** What somebody without the permission may do all the same; undefined where that is nothing. */
export function exceptionsText(evaluation: Evaluation, id: number, cell: Cell): string | undefined {
  const { facts } = evaluation;
  const { granted_to } = cell;
  const { exceptions } = cell.rule;
  if (!exceptions || granted_to === null || !facts.active.has(facts.place(id) ?? -1)) return undefined;
  if (evaluation.may(id, cell) !== false) return undefined;
  const anybody = facts.inside(granted_to, true).count > 0;
  const parts = exceptions.filter((part) => anybody || !part.includes("{}"));
  return parts.map((part) => part.replace("{}", () => grantedTo(evaluation, granted_to))).join(", ");
}

/** A way as JSON has it: the names of groups, or a word. */
export const wayNames = (way: Way): readonly string[] => ("word" in way ? [way.word] : way.names);

/** `role:members › designers › Ada Lovelace`; a word alone. */
export const wayText = (way: Way, person: string): string =>
  "word" in way ? way.word : [...way.names, person].join(" › ");

/** The settings that give a way, where they are not the one that was asked about. */
export function settingsText({ scope, rule }: Cell, way: Way): string {
  if ("word" in way) return "";
  const all = way.by.map((one) => (one.scope === scope ? one.setting : `${one.setting} of the ${one.scope}`));
  return all.length === 1 && all[0] === rule.setting ? "" : `(${all.join("; ")})`;
}

const signs = { organization: "", channel: "#", group: "@" } as const;

/** `#design`, `@designers`; nothing for the organization. */
export const thingOf = ({ scope, name }: Cell): string => (name === null ? "" : `${signs[scope]}${name}`);

/** What it is to have a permission, after "may": `post in #design`, `join @designers`. */
export function inWords(cell: Cell, thing = thingOf(cell)): string {
  const { scope, permission, rule } = cell;
  if (rule.lets !== undefined) return rule.lets.replaceAll("{}", () => thing);
  return scope === "organization" ? `have ${permission}` : `have ${permission} of ${thing}`;
}
