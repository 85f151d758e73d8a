/** What a plan changes about permissions, as differences of the organization. */
import { numbersIn } from "../common/members.ts";
import type { Change } from "../engine/change.ts";
import { knownRole } from "../model/person.ts";
import { nobodyIn, permissionValue, sorted } from "../organization/canonical.ts";
import type { FieldChange, Update } from "../organization/difference.ts";
import { channelsOf, everybodyOf, type Snapshot } from "../organization/snapshot.ts";
import { lists } from "./parts.ts";

type Args = Readonly<Record<string, unknown>>;

const isPermission = (name: string) => name.startsWith("can_");
const privacy = new Set(["is_private", "is_web_public", "history_public_to_subscribers", "role"]);

/** The operations that let people in and out, besides permissions: what they do. */
const switches: Readonly<Record<string, Update["action"]>> = {
  "channel.archive": "archive",
  "group.deactivate": "deactivate",
  "users.deactivate": "deactivate",
  "users.reactivate": "reactivate",
  "bots.deactivate": "deactivate",
};

/** Returns whether somebody may gain or lose a permission by it. */
export const concernsAccess = ({ operation: { name }, args }: Pick<Change, "operation" | "args">): boolean =>
  Object.hasOwn(switches, name) ||
  Object.hasOwn(lists, name) ||
  (args.is_archived === false && args.stream_id !== undefined) ||
  args.deactivated === false ||
  Object.keys(args).some((each) => isPermission(each) || privacy.has(each));

function listFields(snapshot: Snapshot, operation: string, args: Args): FieldChange[] {
  const group = snapshot.organization.realm_user_groups.find(({ id }) => id === args.user_group_id);
  const channel = channelsOf(snapshot).find(({ stream_id }) => stream_id === args.stream_id);
  const now = { user: group?.members ?? channel?.subscribers ?? [], group: group?.direct_subgroup_ids ?? [] };
  const fields = { user: args.stream_id === undefined ? "members" : "subscribers", group: "subgroups" };
  return (["user", "group"] as const).flatMap((of) => {
    const idsOf = (added: boolean) =>
      (lists[operation] ?? []).flatMap(([name, each, adds]) =>
        each === of && adds === added ? numbersIn(args[name]) : [],
      );
    const [more, fewer] = [idsOf(true), idsOf(false)];
    if (!more.length && !fewer.length) return [];
    return [{ field: fields[of], to: sorted([...new Set([...now[of], ...more])].filter((id) => !fewer.includes(id))) }];
  });
}

/** Returns the differences that matter for permissions. */
export function accessDifferences(snapshot: Snapshot, changes: readonly Change[]): Update[] {
  const nobody = nobodyIn(snapshot);
  const bots = new Set(everybodyOf(snapshot).flatMap(({ is_bot, user_id }) => (is_bot ? [user_id] : [])));
  const who = (value: unknown) => permissionValue(value, nobody);
  const found = new Map<string, Update>();
  for (const { operation, args, target } of changes.filter(concernsAccess)) {
    const { stream_id, user_group_id } = args;
    const id = Number(stream_id ?? user_group_id ?? args.user_id ?? args.bot_id);
    const section =
      stream_id !== undefined
        ? "channels"
        : user_group_id !== undefined
          ? "groups"
          : Number.isNaN(id)
            ? "settings"
            : bots.has(id)
              ? "bots"
              : "people";
    const fields = Object.hasOwn(lists, operation.name)
      ? listFields(snapshot, operation.name, args)
      : Object.entries(args).flatMap(([field, value]): FieldChange[] => {
          if (field === "role") return [{ field, to: knownRole(value) }];
          return isPermission(field) ? [{ field, to: who(value) }] : privacy.has(field) ? [{ field, to: value }] : [];
        });
    const key = `${section} ${id}`;
    const earlier = found.get(key);
    const restored = args.is_archived === false ? "unarchive" : args.deactivated === false ? "reactivate" : undefined;
    found.set(key, {
      ...{ section, name: target, id },
      action: restored ?? switches[operation.name] ?? earlier?.action ?? "update",
      fields: [...(earlier?.fields ?? []), ...fields],
    });
  }
  return [...found.values()];
}
