/** The settings of a channel as flags, for `channel create` and `channel update`. */

import { type Camel, type CommandParameter, camel, type FlagValues, withDefault } from "../../cli/parameter.ts";
import { expected, permissionFlags, permissionsIn } from "../../cli/permission-flags.ts";
import { folderParameter, orNone, usersParameter } from "../../cli/thing-parameters.ts";
import {
  ago,
  choice,
  expectFlag,
  filter,
  markdown,
  newChannelName,
  onOff,
  toggle,
} from "../../cli/value-parameters.ts";
import { counted } from "../../common/counted.ts";
import { type Fields, keyed, keyedAs, pick } from "../../common/object-members.ts";
import { Refused, Usage } from "../../errors.ts";
import {
  type ChannelField,
  channelFields,
  channelPermissionRules,
  channelPermissions,
  channelToggleRules,
  channelToggles,
  flagOf,
  inherited,
  isDropped,
  minRetentionDays,
  privacies,
  privateMember,
  type Retention,
  retentionWords,
  storedRetention,
  topicsPolicies,
} from "../../model/channel.ts";
import { readNumber, wordIn } from "../../notation/setting-text.ts";

type FlagName<N extends ChannelField> = Camel<ReturnType<typeof flagOf<N>>>;

/** Returns commander's name for the flag of a field. */
const flagName = <N extends ChannelField>(field: N): FlagName<N> => camel(flagOf(field));

export const channelConflicts = [["private", "webPublic"]] as const;

/** Throws `Usage` for what no server supports. */
export function checkUpdateFlags(flags: Fields): void {
  if (flags.archived)
    throw new Usage("--archived is not supported: the server ignores is_archived=true", {
      hint: "Archive with: zulipctl channel archive. Unarchive with: --no-archived.",
    });
  expected(flags, channelPermissions);
}

export function checkCreationFlags(flags: Fields): void {
  const names = permissionsIn(flags, channelPermissions)
    .filter(isDropped)
    .map((name) => `--${name.replaceAll("_", "-")}`);
  if (names.length)
    throw new Refused(`servers ignore ${names.join(" and ")} when they create a channel`, {
      outcome: "not_sent",
      hint: `Create it without; then: zulipctl channel update <id> ${names.map((flag) => `${flag} …`).join(" ")}`,
    });
}

const retention = (): CommandParameter<Retention, string> => ({
  metavar: "days",
  offers: { of: retentionWords },
  doc: `delete messages after this many days; or ${retentionWords.join(", ")}`,
  read: (typed: string, { flag }): Retention => {
    // Lists have what servers store.
    const stored = (word: Retention) => String(storedRetention(word)) === typed.trim();
    const word = retentionWords.find((one) => stored(one) || one === wordIn(typed, retentionWords));
    if (word !== undefined) return word;
    const days = readNumber("message_retention_days", typed, 0);
    if (days === undefined)
      throw new Usage(`${flag}: invalid value "${typed}": must be a number of days, ${retentionWords.join(" or ")}`);
    if (days < minRetentionDays) throw new Usage(`${flag} must be at least ${counted(minRetentionDays, "day")}`);
    return days;
  },
});

const toggles = keyedAs(channelToggles, flagName, (field) => onOff(...channelToggleRules[field].flagDocs));

const {
  newName: renaming,
  archived,
  ...settings
} = pick(
  {
    ...toggles,
    newName: newChannelName("rename it", "text"),
    description: markdown(),
    messageRetentionDays: retention(),
    // A hidden flag, which prints a hint.
    archived: { ...onOff("", "unarchive it"), hidden: true as const },
    folder: orNone(folderParameter("into this folder"), "into no folder"),
    topicsPolicy: choice(topicsPolicies, "whether topics may be empty or named", "policy"),
  },
  channelFields.map(flagName),
);

export const channelCreationFlags = {
  ...settings,
  messageRetentionDays: withDefault(inherited, settings.messageRetentionDays),
  topicsPolicy: withDefault("inherit", settings.topicsPolicy),
  subscribe: usersParameter("people to subscribe: ids, e-mails, name:…, group:…, me; @file or - reads one a line"),
  announce: toggle("post an announcement"),
  ...permissionFlags(channelPermissionRules, "new"),
};

export const channelUpdateFlags = {
  newName: renaming,
  ...settings,
  archived,
  ...permissionFlags(channelPermissionRules),
  expect: expectFlag("channel-setting=who"),
};

/** Returns by field what flags set. */
export const fieldsIn = (flags: Partial<FlagValues<typeof channelUpdateFlags>>) =>
  ({
    ...keyed(channelToggles, (field) => flags[flagName(field)]),
    description: flags.description,
    new_name: flags.newName,
    message_retention_days: flags.messageRetentionDays,
    is_archived: flags.archived,
    folder_id: flags.folder,
    topics_policy: flags.topicsPolicy,
  }) satisfies Record<ChannelField, unknown>;

export const channelListFlags = {
  archived: toggle("include archived ones"),
  folder: orNone(folderParameter("only those in this folder"), "only those in no folder"),
  privacy: choice(privacies, "only channels with this privacy", "privacy"),
  default: toggle("only default channels"),
  match: filter("only those with this text in the name or description"),
  inactive: toggle("only those without recent messages"),
  activity: toggle("show when the last message was sent: one request for each channel"),
  inactiveFor: ago("only channels without a message for this long: 180d, 12h"),
};

/** The parameters of flags. */
export const updateBinds = Object.fromEntries(channelFields.map((field) => [flagName(field), field]));

export const creationBinds = { ...updateBinds, private: privateMember };
