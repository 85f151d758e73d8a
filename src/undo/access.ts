/** What a plan changes about permissions, as differences of the organization. */
import { numbersIn, valueNamed } from "../common/object-members.ts";
import { privacyToggles } from "../model/channel.ts";
import { kindNamed } from "../model/kinds/index.ts";
import { everyList, listAttributes } from "../model/kinds/lists.ts";
import { isPermissionName } from "../model/permission.ts";
import { knownRole } from "../model/person.ts";
import type { FieldChange, Update } from "../organization/difference.ts";
import { nobodyIn, permissionValue, sorted } from "../organization/id-values.ts";
import { ofKind } from "../organization/sections/section.ts";
import type { Snapshot } from "../organization/snapshot.ts";
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

export const sectionOf = ({ kind, name }: Item) => valueNamed(sections, kind ?? name);
const otherFields = new Set([...privacyToggles, "moderation_request_channel_id", "role"]);

/** Returns whether somebody may gain or lose a permission by it. */
export const concernsAccess = (item: Item): boolean =>
  sectionOf(item) !== undefined &&
  (valueNamed(actions, item.says) !== undefined ||
    (item.values ?? []).some(
      ({ name }) => isPermissionName(name) || otherFields.has(name) || listAttributes.has(name),
    ));

/** Returns the differences that matter for permissions, and for what servers refuse of channels. */
export function accessDifferences(snapshot: Snapshot, items: readonly Item[]): Update[] {
  const nobody = nobodyIn(snapshot);
  const listOf = ({ kind, id }: Item, name: string): readonly number[] => {
    const list = everyList.find((each) => each.kind === kind && each.plural === name);
    if (!list) return [];
    const { id: idMember = "id" } = kindNamed(list.kind);
    const record = ofKind(list.kind)
      .records(snapshot)
      .find((each) => each[idMember] === id);
    return numbersIn(record?.[list.member]);
  };
  const fieldOf = (item: Item, { name, now, back }: BackValue): FieldChange[] => {
    if (listAttributes.has(name)) {
      const gone = numbersIn(now);
      const stay = listOf(item, name).filter((id) => !gone.includes(id));
      return [{ field: name, to: sorted([...new Set([...stay, ...numbersIn(back)])]) }];
    }
    if (name === "role") return [{ field: name, to: knownRole(back) }];
    if (name === "moderation_request_channel_id") return [{ field: name, to: back === -1 ? null : back }];
    if (!isPermissionName(name)) return otherFields.has(name) ? [{ field: name, to: back }] : [];
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
