/** Values, paths and reasons as people read them. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { Judgement } from "./judgement.ts";

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
