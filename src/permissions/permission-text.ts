/** Formats values, paths and reasons for people. */
import type { GroupSetting } from "../model/permission.ts";
import type { Cell, Evaluation, PermissionPath } from "./evaluation.ts";

/** Formats the value of a setting: a group by its name, people and groups as in other tables. */
export function settingText({ facts }: Evaluation, value: GroupSetting): string {
  const group = (id: number): string => facts.groups.get(id)?.name ?? String(id);
  if (typeof value === "number") return group(value);
  const all = [
    ...value.direct_members.map((id) => `user ${facts.fullName(id) ?? id}`),
    ...value.direct_subgroups.map((id) => `group ${group(id)}`),
  ];
  return all.join(", ") || "nobody";
}

/** Returns what people can still do without the permission. Undefined if nothing. */
export function exceptionsText(evaluation: Evaluation, id: number, cell: Cell): string | undefined {
  const { facts } = evaluation;
  const { granted_to } = cell;
  const { exceptions } = cell.rule;
  if (!exceptions || granted_to === null || !facts.active.has(facts.indexOf(id))) return undefined;
  if (evaluation.isAllowed(id, cell) !== false) return undefined;
  const anybody = facts.accountsIn(granted_to, true).count > 0;
  const parts = exceptions.filter((part) => anybody || !part.includes("{}"));
  return parts.map((part) => part.replace("{}", () => settingText(evaluation, granted_to))).join(", ");
}

/** Returns a path for JSON: the names of groups, or a word. */
export const pathNames = (path: PermissionPath): readonly string[] => ("reason" in path ? [path.reason] : path.names);

/** Formats a path: `role:members › designers › Ada Lovelace`, or a word. */
export const pathText = (path: PermissionPath, person: string): string =>
  "reason" in path ? path.reason : [...path.names, person].join(" › ");

/** Returns the settings that a path starts at, if they are not the setting in question. */
export function settingsText({ scope, rule }: Cell, path: PermissionPath): string {
  if ("reason" in path) return "";
  const all = path.settings.map((one) => (one.scope === scope ? one.setting : `${one.setting} of the ${one.scope}`));
  return all.length === 1 && all[0] === rule.setting ? "" : `(${all.join("; ")})`;
}

const signs = { organization: "", channel: "#", group: "@" } as const;

/** Formats a target: `#design`, `@designers`. Empty for the organization. */
export const targetText = ({ scope, name }: Pick<Cell, "scope" | "name">): string =>
  name === null ? "" : `${signs[scope]}${name}`;

/** Describes a permission in words that follow "may": `post in #design`, `join @designers`. */
export function actionText(
  cell: Pick<Cell, "scope" | "name" | "permission" | "rule">,
  thing = targetText(cell),
): string {
  const { scope, permission, rule } = cell;
  if (rule.action !== undefined) return rule.action.replaceAll("{}", () => thing);
  return scope === "organization" ? `have ${permission}` : `have ${permission} of ${thing}`;
}
