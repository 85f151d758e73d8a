/** A user group as reads, `register` and events show it. */
import { activeOnly, shownSetting } from "../groups.ts";
import { groupRules, groupSince, namesOf } from "../permission-rules.ts";
import type { Visit } from "../router.ts";
import type { Group } from "../state.ts";
import { since } from "./since.ts";

const permissions = namesOf(groupRules);

export function groupRecord({ state, level }: Visit, group: Group): object {
  const settings = permissions.flatMap((name) =>
    level < groupSince[name] ? [] : [[name, shownSetting(state, group.settings[name])]],
  );
  const { date_created } = group;
  const below = [...group.subgroups].sort((a, b) => a - b);
  return {
    id: group.id,
    name: group.name,
    ...since(level, 292, {
      creator_id: group.creator_id,
      date_created: date_created === null ? null : Math.floor(date_created / 1000),
    }),
    description: group.description,
    members: activeOnly(state, group.members),
    ...(level < 131 ? since(level, 127, { subgroups: below }) : { direct_subgroup_ids: below }),
    ...since(level, 93, { is_system_group: group.is_system_group }),
    ...Object.fromEntries(settings),
    ...(level < 198 ? since(level, 191, { can_mention_group_id: group.settings.can_mention_group }) : {}),
    ...since(level, 290, { deactivated: group.deactivated }),
  };
}
