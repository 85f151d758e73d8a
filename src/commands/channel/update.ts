import { distance } from "fastest-levenshtein";
import { type ChannelPermission, channelPermissions, type topicsPolicies } from "../../api/channel-settings.ts";
import { updateChannel } from "../../api/channels.ts";
import type { GroupSettingUpdate } from "../../api/group-setting.ts";
import type { Given } from "../../argv/given.ts";
import { textOf } from "../../argv/text.ts";
import { change } from "../../engine/change.ts";
import { NothingAsked, Usage } from "../../errors.ts";
import { readWho } from "../../notation/who.ts";
import type { Context } from "../../run/context.ts";
import type { Typed } from "../../wire/encode.ts";
import { flagOf } from "./flags.ts";
import { folderInWords, settingsOf, whoInWords } from "./settings.ts";

type Retention = number | "realm_default" | "unlimited";

interface Options {
  newName?: string;
  description?: Given;
  private?: boolean;
  webPublic?: boolean;
  historyPublicToSubscribers?: boolean;
  default?: boolean;
  messageRetentionDays?: string;
  archived?: boolean;
  folder?: string | false;
  topicsPolicy?: (typeof topicsPolicies)[number];
  expect?: string[];
}

/** The options that are no group settings, and their parameters. */
const whole = {
  newName: "new_name",
  description: "description",
  private: "is_private",
  webPublic: "is_web_public",
  historyPublicToSubscribers: "history_public_to_subscribers",
  default: "is_default_stream",
  messageRetentionDays: "message_retention_days",
  archived: "is_archived",
  folder: "folder_id",
  topicsPolicy: "topics_policy",
} as const satisfies Partial<Record<keyof Options, keyof typeof updateChannel.params>>;

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** By setting, what commander calls its option. */
const optionOf = new Map(
  channelPermissions.map((setting) => [
    setting,
    setting.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ]),
);

function retention(text: string): Retention {
  if (text === "realm_default" || text === "unlimited") return text;
  if (!/^\d{1,15}$/.test(text))
    throw new Usage(`--message-retention-days: “${text}” is neither a number of days nor realm_default nor unlimited`);
  if (Number(text) < 1) throw new Usage("--message-retention-days must be at least one day");
  return Number(text);
}

/** What each setting is expected to be, as typed. */
function expectations(given: readonly string[]): Map<ChannelPermission, string> {
  const all = new Map<ChannelPermission, string>();
  for (const text of given) {
    const [, name = text, who] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (who === undefined) throw new Usage(`--expect takes <setting>=<who>; “${text}” has no =`);
    const setting = channelPermissions.find((known) => known === name.replaceAll("-", "_"));
    if (!setting) {
      const near = channelPermissions.filter((known) => distance(known, name.replaceAll("-", "_")) <= 6);
      throw new Usage(`--expect: there is no setting “${name}”`, {
        hint: near.length ? `Near matches: ${near.join(", ")}.` : `There are: ${channelPermissions.join(", ")}.`,
      });
    }
    if (all.has(setting) && all.get(setting) !== who) throw new Usage(`--expect names ${setting} twice`);
    all.set(setting, who);
  }
  return all;
}

/** Why a person must confirm it. */
function reasonToConfirm(channel: string, { webPublic, private: isPrivate }: Options, days: Retention | undefined) {
  const effects = [
    webPublic && `makes channel ${channel} readable without an account`,
    isPrivate === false && `opens channel ${channel} to everybody but guests`,
    typeof days === "number" &&
      `deletes messages of channel ${channel} once they are ${days === 1 ? "a day" : `${days} days`} old`,
  ].filter(Boolean);
  return effects.length ? `This ${effects.join(" and ")}` : undefined;
}

/** A group setting as it will be, but for the ids. */
function shapeOf(text: string, flag: string): GroupSettingUpdate {
  const who = readWho(text, flag);
  if ("value" in who) return { new: who.value };
  if ("group" in who) return { new: 0 };
  return { new: { direct_members: who.users.map(() => 0), direct_subgroups: who.groups.map(() => 0) } };
}

/** What is typed for each parameter but group settings. */
const typedOf = (options: Options): Typed[] =>
  Object.entries(whole).flatMap(([name, param]) => {
    const value = options[name as keyof typeof whole];
    const word = kebab(name);
    if (value === undefined) return [];
    return { param, flag: value === false ? `--no-${word}` : `--${word}`, ...(name === "topicsPolicy" && { value }) };
  });

export async function update({ world, find, foresee }: Context, options: Options, channel: string) {
  const { expect = [], archived, folder, messageRetentionDays, ...rest } = options;
  if (archived)
    throw new Usage("there is no --archived: a server ignores is_archived=true without saying so", {
      hint: "--no-archived takes a channel out of the archive; archive one in the app.",
    });
  if (rest.private && rest.webPublic) throw new Usage("--private and --web-public contradict each other");
  const days = messageRetentionDays === undefined ? undefined : retention(messageRetentionDays);
  const wanted = new Map<ChannelPermission, string>();
  for (const setting of channelPermissions) {
    const who = (options as Record<string, unknown>)[optionOf.get(setting)!];
    if (typeof who === "string") wanted.set(setting, who);
  }
  const expected = expectations(expect);
  for (const setting of expected.keys())
    if (!wanted.has(setting)) throw new Usage(`--expect ${setting} needs ${flagOf(setting)} too`);
  if (!wanted.size && Object.keys(whole).every((name) => options[name as keyof typeof whole] === undefined))
    throw new NothingAsked("channel update needs at least one flag that says what to change", {
      hint: "See: zulipctl channel update --help",
    });
  const description =
    rest.description === undefined ? undefined : await textOf(world, "--description", rest.description);

  const permissions = [...wanted].map(([param, who]) => ({
    param,
    flag: flagOf(param),
    value: shapeOf(who, flagOf(param)),
  }));
  const typed = [...typedOf(options), ...permissions];
  await foresee(updateChannel, typed);
  const stream_id = await find.channel(channel, "<channel>");
  const folder_id =
    typeof folder === "string" ? await find.folder(folder, "--folder") : folder === false ? null : undefined;
  const words: Record<string, string> = {};
  if (typeof folder === "string") words.folder_id = await folderInWords(find, folder, folder_id!);
  const settings: Partial<Record<ChannelPermission, GroupSettingUpdate>> = {};
  for (const [setting, who] of wanted) {
    const old = expected.get(setting);
    const value = await find.who(who, flagOf(setting));
    words[setting] = await whoInWords(find, who, value);
    settings[setting] = {
      new: value,
      ...(old !== undefined && { old: await find.who(old, `--expect ${setting}`) }),
    };
  }
  const args = {
    stream_id,
    description,
    new_name: rest.newName,
    is_private: rest.private,
    is_web_public: rest.webPublic,
    history_public_to_subscribers: rest.historyPublicToSubscribers,
    is_default_stream: rest.default,
    message_retention_days: days,
    is_archived: archived,
    folder_id,
    topics_policy: rest.topicsPolicy,
    ...settings,
  };
  return [
    change(updateChannel, args, {
      target: channel,
      done: "Channel {target}: {settings}.",
      settings: settingsOf(args, words),
      flags: Object.fromEntries(typed.map(({ param, flag }) => [param, flag])),
      verifyWith: `zulipctl channel list --archived --jq '.[] | select(.stream_id == ${stream_id})'`,
      confirm: reasonToConfirm(channel, options, days),
    }),
  ];
}
