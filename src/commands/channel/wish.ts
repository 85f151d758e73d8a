/** What flags ask a channel to be, before and after their names are looked up. */
import { type ChannelPermission, channelPermissions, contradicting } from "../../api/channel-settings.ts";
import type { GroupSetting } from "../../api/group-setting.ts";
import { bound } from "../../cli/binding.ts";
import type { Words } from "../../cli/word.ts";
import { Usage } from "../../errors.ts";
import { readWho } from "../../notation/who.ts";
import type { Typed } from "../../wire/encode.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import { type Allowed, camel } from "./words.ts";

type Flags = Readonly<Record<string, unknown>>;

/** Throws `Usage` for flags that contradict each other whatever the channel is. */
export function checkPrivacy(flags: Flags): void {
  if (contradicting(flags.private, flags.webPublic)) throw new Usage("--private cannot be combined with --web-public");
}

/** Throws `Usage` for protected history where a named group starts topics: servers take it with role:everyone alone. */
export function checkTopics(flags: Flags): void {
  const { private: isPrivate, historyPublicToSubscribers: shared, canCreateTopicGroup: typed } = flags;
  if (typeof typed !== "string" || !(shared === false || (isPrivate && shared === undefined))) return;
  const who = readWho(typed, "--can-create-topic-group");
  if (!("group" in who) || "id" in who.group || who.group.name.toLowerCase() === "role:everyone") return;
  const history = shared === false ? "--no-history" : "--private without --history";
  throw new Usage(`${history}-public-to-subscribers cannot be combined with --can-create-topic-group ${typed}`, {
    hint: "Pass --history-public-to-subscribers, or --can-create-topic-group role:everyone.",
  });
}

export const flagOf = (setting: string): string => `--${setting.replaceAll("_", "-")}`;

/** Those of the settings that flags give. */
export function settingsIn<T, S extends string>(flags: Flags, settings: readonly S[]): [setting: S, given: T][] {
  const found: [S, T][] = [];
  for (const setting of settings) {
    const given = flags[camel(setting)];
    if (given !== undefined) found.push([setting, given as T]);
  }
  return found;
}

/** The permissions of a channel that flags give. */
export const permissionsIn = <T>(flags: Flags): [setting: ChannelPermission, given: T][] =>
  settingsIn<T, ChannelPermission>(flags, channelPermissions);

/** A group setting as it will be, but for the ids. */
function shapeOf(text: string, flag: string): GroupSetting {
  const who = readWho(text, flag);
  if ("value" in who) return who.value;
  if ("group" in who) return 0;
  return { direct_members: who.users.map(() => 0), direct_subgroups: who.groups.map(() => 0) };
}

/** What is typed for each parameter, as far as a server's level can matter for it. `wrap` is what is made of a group setting. */
export const typedFor = (
  operation: AnyOperation,
  { words, binds }: { words: Words; binds: Readonly<Record<string, string>> },
  flags: Flags,
  wrap: (value: GroupSetting) => unknown = (value) => value,
  permissions: readonly string[] = channelPermissions,
): Typed[] =>
  bound(operation, words, binds, flags).map(({ param, flag }) => {
    const typed = flags[camel(param)];
    if (param === "topics_policy") return { param, flag, value: typed };
    const permission = permissions.includes(param);
    return { param, flag, ...(permission && { value: wrap(shapeOf(typed as string, flag)) }) };
  });

/** The values of the permissions that were looked up. */
export const permissionValues = (flags: Flags): Partial<Record<ChannelPermission, GroupSetting>> =>
  Object.fromEntries(permissionsIn<Allowed>(flags).map(([setting, { value }]) => [setting, value]));
