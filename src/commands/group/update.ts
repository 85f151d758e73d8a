import { updateGroup } from "../../api/groups.ts";
import { groupPermissions } from "../../api/permission-settings.ts";
import type { Named } from "../../cli/kinds.ts";
import { change } from "../../engine/change.ts";
import type { Context, Planned } from "../../run/context.ts";
import { permissionChanges, quoted, toldSettings } from "../channel/settings.ts";

interface Wanted {
  group: Named;
  newName?: string | undefined;
  description?: string | undefined;
}

/** One transaction: of what a server refuses nothing is done. */
export async function update({ find }: Context, values: Wanted): Promise<Planned> {
  const { group, newName, description } = values;
  const { updates, words, ...expecting } = await permissionChanges(find, { ...values }, groupPermissions);
  const changed = { name: newName, description, ...updates };
  if (newName !== undefined) words.name = quoted(newName);
  return [
    change(
      updateGroup,
      { user_group_id: group.id, ...changed },
      {
        target: group.typed,
        done: "Updated group {target}: {settings}.",
        settings: toldSettings(changed, words),
        verifyWith: `zulipctl group show ${group.id}`,
        ...expecting,
      },
    ),
  ];
}
