/** Where a group is in use: what is active and names it keeps it from being deactivated. */
import type { GroupSetting } from "../api/group-setting.ts";
import type { State } from "./state.ts";

const namesGroup = (value: GroupSetting, id: number): boolean =>
  typeof value === "number" ? value === id : value.direct_subgroups.includes(id);

const settingsWith = (settings: { readonly [name: string]: GroupSetting }, id: number): string[] =>
  Object.keys(settings).filter((name) => namesGroup(settings[name]!, id));

export function usesOf({ groups, channels, organization }: State, id: number): object[] {
  const active = [...groups.values()].filter(({ deactivated }) => !deactivated);
  const above = active.filter(({ subgroups }) => subgroups.has(id));
  const of = (settings: { readonly [name: string]: GroupSetting }, told: object) => {
    const named = settingsWith(settings, id);
    return named.length > 0 ? [{ ...told, settings: named }] : [];
  };
  return [
    ...(above.length > 0 ? [{ type: "subgroup", supergroup_ids: above.map((group) => group.id) }] : []),
    ...[...channels.values()].flatMap(({ is_archived, stream_id, settings }) =>
      is_archived ? [] : of(settings, { type: "channel", channel_id: stream_id }),
    ),
    ...active.flatMap((group) => of(group.settings, { type: "user_group", group_id: group.id })),
    ...of(organization.permissions, { type: "realm" }),
  ];
}
