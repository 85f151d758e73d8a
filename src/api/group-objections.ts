/** Why a group cannot be deactivated: where it is in use, in words. */
import { channelPermissionRules } from "./channel-settings.ts";
import { groupPermissionRules } from "./group-permissions.ts";

const allowed: Readonly<Record<string, { may: string }>> = { ...groupPermissionRules, ...channelPermissionRules };

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

function settingWords(settings: unknown): string {
  if (!isList(settings)) return "a setting";
  const told = settings.map((name) => {
    const may = Object.hasOwn(allowed, String(name)) ? allowed[String(name)]!.may : undefined;
    return may === undefined ? String(name) : `${name} (who may ${may})`;
  });
  return told.join(", ");
}

/** What `called` makes of an id is a channel or a group with its name, or its id. */
export function objectionsInWords(
  { objections }: Readonly<Record<string, unknown>>,
  called: (kind: "channel" | "group", id: number) => string,
): string | undefined {
  if (!isList(objections) || !objections.length) return undefined;
  const words = (objections as Record<string, unknown>[]).map((objection) => {
    const { type, supergroup_ids, channel_id, group_id, settings } = objection ?? {};
    if (type === "subgroup" && isList(supergroup_ids)) {
      const groups = supergroup_ids.map((id) => called("group", Number(id)));
      return `it is a subgroup of ${groups.join(", ")}`;
    }
    if (type === "channel") return `${called("channel", Number(channel_id))} names it in ${settingWords(settings)}`;
    if (type === "user_group") return `${called("group", Number(group_id))} names it in ${settingWords(settings)}`;
    if (type === "realm") return `the organization names it in ${settingWords(settings)}`;
    return `it is in use by ${String(type)}`;
  });
  const [first = "", ...rest] = words;
  return `${[`${first[0]!.toUpperCase()}${first.slice(1)}`, ...rest].join("; ")}.`;
}
