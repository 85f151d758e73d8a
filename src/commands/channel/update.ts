import { type ChannelPermission, channelPermissions } from "../../api/channel-settings.ts";
import { updateChannel } from "../../api/channels.ts";
import type { GroupSettingUpdate } from "../../api/group-setting.ts";
import { channel as channelWord } from "../../cli/kinds.ts";
import { type RawFlags, valuesOf } from "../../cli/word.ts";
import { change } from "../../engine/change.ts";
import { NothingAsked, Usage } from "../../errors.ts";
import { type Expectations, expectations } from "../../notation/expect.ts";
import type { Context } from "../../run/context.ts";
import { folderInWords, settingsOf, whoInWords } from "./settings.ts";
import { checkPrivacy, checkTopics, permissionsIn, typedFor } from "./wish.ts";
import { type Allowed, type Retention, updateBinds, updateFlags } from "./words.ts";

type Options = RawFlags<typeof updateFlags>;

/** Why a person must confirm it, by parameter. */
function effectsOf(channel: string, { webPublic, private: isPrivate }: Options, days: Retention | undefined) {
  const effects: Record<string, string> = {};
  if (webPublic) effects.is_web_public = `makes channel ${channel} readable without an account`;
  if (isPrivate === false) effects.is_private = `opens channel ${channel} to everybody but guests`;
  if (typeof days === "number")
    effects.message_retention_days = `deletes messages of channel ${channel} once they are ${days === 1 ? "a day" : `${days} days`} old`;
  return Object.keys(effects).length ? effects : undefined;
}

/** Throws `Usage` for what no channel could be asked to do; gives what settings are expected to be. */
function examined(options: Options): Expectations<ChannelPermission> {
  if (options.archived)
    throw new Usage("there is no --archived: a server ignores is_archived=true without saying so", {
      hint: "--no-archived takes a channel out of the archive; channel archive puts it there.",
    });
  checkPrivacy(options);
  checkTopics(options);
  const wanted = permissionsIn(options).map(([setting]) => setting);
  const expected = expectations(options.expect ?? [], channelPermissions, wanted);
  if (Object.keys(updateFlags).every((name) => options[name as keyof Options] === undefined))
    throw new NothingAsked("channel update needs at least one flag that says what to change", {
      hint: "See: zulipctl channel update --help",
    });
  return expected;
}

export async function update(context: Context, options: Options, typed: string) {
  const { find } = context;
  const { each: expected, current } = examined(options);
  const stated = { words: updateFlags, binds: updateBinds };
  const given = typedFor(updateChannel, stated, options, (value) => ({ new: value }));
  const { channel, folder, messageRetentionDays, ...values } = await valuesOf(
    context,
    { operands: { channel: channelWord() }, flags: updateFlags },
    { operands: [typed], flags: options },
    () => context.foresee(updateChannel, given),
  );
  const words: Record<string, string> = {};
  if (folder) words.folder_id = await folderInWords(find, folder.typed, folder.id);
  const settings: Partial<Record<ChannelPermission, GroupSettingUpdate>> = {};
  for (const [setting, { typed: who, value }] of permissionsIn<Allowed>(values)) {
    const old = expected.get(setting);
    words[setting] = await whoInWords(find, who, value);
    settings[setting] = {
      new: value,
      ...(old !== undefined && { old: await find.who(old, `--expect ${setting}`) }),
    };
  }
  const args = {
    stream_id: channel.id,
    description: values.description,
    new_name: values.newName,
    is_private: values.private,
    is_web_public: values.webPublic,
    history_public_to_subscribers: values.historyPublicToSubscribers,
    is_default_stream: values.default,
    message_retention_days: messageRetentionDays,
    is_archived: values.archived,
    folder_id: folder === false ? null : folder?.id,
    topics_policy: values.topicsPolicy,
    ...settings,
  };
  const effects = effectsOf(typed, options, messageRetentionDays);
  return [
    change(updateChannel, args, {
      target: typed,
      done: "Channel {target}: {settings}.",
      settings: settingsOf(args, words),
      flags: Object.fromEntries(given.map(({ param, flag }) => [param, flag])),
      verifyWith: `zulipctl channel show ${channel.id}`,
      ...(effects && { effects, confirm: `This ${Object.values(effects).join(" and ")}` }),
      ...(current && { expectCurrent: true }),
    }),
  ];
}
