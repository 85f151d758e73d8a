/** What keeps a thing from being put away: those that are live and name it. */

import type { GroupSetting } from "../../api/group-setting.ts";
import { channelPermissions, groupPermissions } from "../../api/permission-settings.ts";
import { organizationSettings } from "../../api/settings.ts";

import { channelsOf, organizationSetting, type Snapshot, settingOf, subgroupsOf } from "../snapshot.ts";

export interface Use {
  /** In words: `channel design (can_send_message_group)`. */
  readonly by: string;
  /** The group that uses it, where it is one: when that goes too, this use does. */
  readonly group?: number | undefined;
}

/** What names nothing stands under what is no id. */
type Uses = ReadonlyMap<number, readonly Use[]>;

function collector(): { uses: Map<number, Use[]>; add: (id: number, use: Use) => void } {
  const uses = new Map<number, Use[]>();
  return {
    uses,
    add: (id, use) => {
      const all = uses.get(id);
      if (all) all.push(use);
      else uses.set(id, [use]);
    },
  };
}

const groupsIn = (setting: GroupSetting | undefined): readonly number[] =>
  typeof setting === "number" ? [setting] : (setting?.direct_subgroups ?? []);

const namesOf = (kind: string): string[] =>
  Object.entries(organizationSettings).flatMap(([name, setting]) => (setting.kind === kind ? [name] : []));

/** By ids of groups. */
export function groupUses(snapshot: Snapshot): Uses {
  const { uses, add } = collector();
  const inSettings = (of: string, record: object, names: readonly string[], group?: number) => {
    for (const name of names)
      for (const id of groupsIn(settingOf(record, name)))
        add(id, { by: `${of} (${name.replace(/^realm_/, "")})`, group });
  };
  const { organization } = snapshot;
  for (const group of organization.realm_user_groups) {
    if (group.deactivated) continue;
    for (const id of subgroupsOf(group)) add(id, { by: `group ${group.name} (subgroups)`, group: group.id });
    inSettings(`group ${group.name}`, group, groupPermissions, group.id);
  }
  for (const channel of channelsOf(snapshot))
    if (!channel.is_archived) inSettings(`channel ${channel.name}`, channel, channelPermissions);
  inSettings(
    "settings",
    organization,
    namesOf("group").map((name) => `realm_${name}`),
  );
  return uses;
}

/** By ids of folders: channels in them, archived ones too. */
export function folderUses(snapshot: Snapshot): Uses {
  const { uses, add } = collector();
  for (const { folder_id, name } of channelsOf(snapshot))
    if (typeof folder_id === "number") add(folder_id, { by: `channel ${name}` });
  return uses;
}

/** By ids of channels: settings of the organization, which archiving would reset without a word. */
export function channelUses(snapshot: Snapshot): Uses {
  const { uses, add } = collector();
  for (const name of namesOf("channel")) {
    const id = organizationSetting(snapshot, name);
    if (typeof id === "number") add(id, { by: `settings (${name})` });
  }
  return uses;
}
