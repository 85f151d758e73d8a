/** What keeps a thing from being put away: those that are live and name it. */
import { channelPermissions } from "../../api/channel-settings.ts";
import { groupPermissions } from "../../api/group-permissions.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { type OrganizationSetting, organizationSettings } from "../../api/settings.ts";

import { channelsOf, type Snapshot, settingOf, subgroupsOf } from "../snapshot.ts";

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

const groupsIn = (setting: GroupSetting): readonly number[] =>
  typeof setting === "number" ? [setting] : setting.direct_subgroups;

const settingNames = Object.keys(organizationSettings) as OrganizationSetting[];
const namesOf = (kind: string) => settingNames.filter((name) => organizationSettings[name].kind === kind);

/** By ids of groups. */
export function groupUses(snapshot: Snapshot): Uses {
  const { uses, add } = collector();
  const inSettings = (
    of: string,
    settings: readonly (readonly [string, GroupSetting | undefined])[],
    group?: number,
  ) => {
    for (const [name, setting] of settings)
      if (setting !== undefined) for (const id of groupsIn(setting)) add(id, { by: `${of} (${name})`, group });
  };
  const { organization } = snapshot;
  for (const group of organization.realm_user_groups) {
    if (group.deactivated) continue;
    for (const id of subgroupsOf(group)) add(id, { by: `group ${group.name} (subgroups)`, group: group.id });
    const settings = group as Readonly<Record<string, unknown>>;
    const named = groupPermissions.map((name) => [name, settings[name] as GroupSetting | undefined] as const);
    inSettings(`group ${group.name}`, named, group.id);
  }
  for (const channel of channelsOf(snapshot))
    if (!channel.is_archived)
      inSettings(
        `channel ${channel.name}`,
        channelPermissions.map((name) => [name, settingOf(channel, name)] as const),
      );
  const realm = organization as Readonly<Record<string, unknown>>;
  inSettings(
    "settings",
    namesOf("group").map((name) => [name, realm[`realm_${name}`] as GroupSetting | undefined] as const),
  );
  return uses;
}

/** By ids of folders: channels in them, archived ones too. */
export function folderUses(snapshot: Snapshot): Uses {
  const { uses, add } = collector();
  for (const { folder_id, name } of channelsOf(snapshot)) add(folder_id as number, { by: `channel ${name}` });
  return uses;
}

/** By ids of channels: settings of the organization, which archiving would reset without a word. */
export function channelUses({ organization }: Snapshot): Uses {
  const { uses, add } = collector();
  const realm = organization as Readonly<Record<string, unknown>>;
  for (const name of namesOf("channel")) add(realm[`realm_${name}`] as number, { by: `settings (${name})` });
  return uses;
}
