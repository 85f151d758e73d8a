import { everyGroup, type GroupRecord, getGroups } from "../../api/groups.ts";
import { groupPermissions } from "../../api/permission-settings.ts";
import { type Columns, single } from "../../cli/columns.ts";
import type { Named } from "../../cli/kinds.ts";
import { Refused } from "../../errors.ts";
import type { Single } from "../../output/form.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";

const fields = (record: GroupRecord): Columns<GroupRecord> => ({
  ID: "id",
  Name: "name",
  Description: "description",
  Kind: { value: ({ is_system_group }) => (is_system_group ? "system group" : "made by people") },
  State: { value: ({ deactivated }) => (deactivated ? "deactivated" : "active") },
  Members: { names: "user", ids: ({ members }) => members },
  Subgroups: { names: "group", ids: ({ direct_subgroup_ids }) => direct_subgroup_ids },
  Creator: { names: "user", ids: ({ creator_id }) => creator_id },
  Created: { value: ({ date_created }) => when(date_created) },
  ...Object.fromEntries(
    groupPermissions
      .filter((setting) => record[setting] !== undefined)
      .map((setting) => [setting, { who: (shown: GroupRecord) => shown[setting] }]),
  ),
});

/** A group is read with all others: servers tell none alone. */
export async function show(context: Context, { group: { id } }: { group: Named }): Promise<Single> {
  const { user_groups } = await context.ask(getGroups, everyGroup);
  const record: GroupRecord | undefined = user_groups.find((group) => group.id === id);
  if (!record)
    throw new Refused(`group ${id} not found, or not visible to this account`, {
      hint: "List them with: zulipctl group list --system --deactivated",
    });
  return single(context, record, { id: "id", fields: fields(record) });
}
