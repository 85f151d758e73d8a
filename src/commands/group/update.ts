import { updateGroup } from "../../api/groups.ts";
import { type PermissionValues, permissionUpdates } from "../../cli/permission-flags.ts";
import { renderSettings } from "../../cli/render-settings.ts";
import { change } from "../../engine/change.ts";
import { type GroupPermission, groupPermissions } from "../../model/group.ts";
import type { Context, Planned } from "../../run/context.ts";
import type { NamedThing } from "../../run/named-thing.ts";

interface GroupValues extends PermissionValues<GroupPermission> {
  group: NamedThing;
  newName?: string | undefined;
  description?: string | undefined;
}

/** Servers apply this call as one transaction. */
export async function planGroupUpdate(
  { names }: Context,
  { group, newName, description, ...values }: GroupValues,
): Promise<Planned> {
  const { updates, ...expecting } = await permissionUpdates(names, values, groupPermissions);
  const changed = { name: newName, description, ...updates };
  return [
    change(
      updateGroup,
      { user_group_id: group.id, ...changed },
      {
        target: group.typed,
        done: "Updated group {target}: {settings}.",
        settings: await renderSettings(names, updateGroup, changed),
        verifyWith: `zulipctl group show ${group.id}`,
        ...expecting,
      },
    ),
  ];
}
