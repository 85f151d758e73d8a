/** What a plan changes about permissions, as differences of the organization. */
import { numbersIn, valueNamed } from "../common/members.ts";
import { isPermissionName } from "../model/permission.ts";
import { knownRole } from "../model/person.ts";
import type { FieldChange, Update } from "../organization/difference.ts";
import { nobodyIn, permissionValue, sorted } from "../organization/id-values.ts";
import { channelsOf, type Snapshot } from "../organization/snapshot.ts";
import type { BackValue, Item } from "./item.ts";

const sections: Readonly<Record<string, Update["section"]>> = {
  channel: "channels",
  group: "groups",
  person: "people",
  bot: "bots",
  settings: "settings",
};

const actions: Readonly<Record<string, Update["action"]>> = {
  archived: "archive",
  unarchived: "unarchive",
  deactivated: "deactivate",
  reactivated: "reactivate",
};

const sectionOf = ({ kind, name }: Item) => valueNamed(sections, kind ?? name);
const lists = new Set(["members", "subgroups", "subscribers"]);
const privacy = new Set(["is_private", "is_web_public", "history_public_to_subscribers", "role"]);

/** Returns whether somebody may gain or lose a permission by it. */
export const concernsAccess = (item: Item): boolean =>
  sectionOf(item) !== undefined &&
  (valueNamed(actions, item.says) !== undefined ||
    (item.values ?? []).some(({ name }) => isPermissionName(name) || privacy.has(name) || lists.has(name)));

/** Returns the differences that matter for permissions. */
export function accessDifferences(snapshot: Snapshot, items: readonly Item[]): Update[] {
  const nobody = nobodyIn(snapshot);
  const listOf = ({ kind, id }: Item, name: string): readonly number[] => {
    if (kind === "channel") return channelsOf(snapshot).find(({ stream_id }) => stream_id === id)?.subscribers ?? [];
    const group = snapshot.organization.realm_user_groups.find((each) => each.id === id);
    return (name === "members" ? group?.members : group?.direct_subgroup_ids) ?? [];
  };
  const fieldOf = (item: Item, { name, now, back }: BackValue): FieldChange[] => {
    if (lists.has(name)) {
      const gone = numbersIn(now);
      const stay = listOf(item, name).filter((id) => !gone.includes(id));
      return [{ field: name, to: sorted([...new Set([...stay, ...numbersIn(back)])]) }];
    }
    if (name === "role") return [{ field: name, to: knownRole(back) }];
    if (!isPermissionName(name)) return privacy.has(name) ? [{ field: name, to: back }] : [];
    return [{ field: name, to: permissionValue(back, nobody) }];
  };
  const found = new Map<string, Update>();
  for (const item of items.filter(concernsAccess)) {
    const { name, says = "", values = [], id } = item;
    const section = sectionOf(item) ?? "settings";
    const earlier = found.get(`${section} ${id}`);
    found.set(`${section} ${id}`, {
      ...{ section, name, ...(id !== undefined && { id }) },
      action: valueNamed(actions, says) ?? earlier?.action ?? "update",
      fields: [...(earlier?.fields ?? []), ...values.flatMap((value) => fieldOf(item, value))],
    });
  }
  return [...found.values()];
}
