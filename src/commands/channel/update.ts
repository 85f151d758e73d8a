import { type ChannelPermission, channelPermissions } from "../../api/channel-settings.ts";
import { updateChannel } from "../../api/channels.ts";
import type { GroupSettingUpdate } from "../../api/group-setting.ts";
import { updateOrganization } from "../../api/organization.ts";
import { channel as channelWord } from "../../cli/kinds.ts";
import { type RawFlags, valuesOf } from "../../cli/word.ts";
import { counted } from "../../counted.ts";
import { asking, change } from "../../engine/change.ts";
import { NothingAsked, Usage } from "../../errors.ts";
import { type Expectations, expectations } from "../../notation/expect.ts";
import { daysOf } from "../../organization/opening.ts";
import { presentOf } from "../../resolve/present.ts";
import type { Context } from "../../run/context.ts";
import { folderInWords, settingsOf, whoInWords } from "./settings.ts";
import { checkPrivacy, checkTopics, permissionsIn, typedFor } from "./wish.ts";
import { type Allowed, type Retention, updateBinds, updateFlags } from "./words.ts";

type Options = RawFlags<typeof updateFlags>;

const deleting = (days: number): string => `deletes messages older than ${counted(days, "day")}`;

/** The days for which messages would be kept, where the organization's retention is shorter than the channel's own. */
async function shorterDefault(context: Context, stream_id: number): Promise<number | undefined> {
  if (context.flags.yes || context.flags.dryRun) return undefined;
  const present = presentOf(context);
  const own = (await present.of(updateChannel, { stream_id }))?.values.message_retention_days;
  if (own === "realm_default") return undefined;
  const usual = daysOf((await present.of(updateOrganization, {}))?.values.message_retention_days);
  return usual < daysOf(own) ? usual : undefined;
}

/** Why a person must confirm it, by parameter. */
async function effectsOf(
  context: Context,
  channel: number,
  { webPublic, private: isPrivate }: Options,
  retention: Retention | undefined,
): Promise<Record<string, string>> {
  const days = retention === "realm_default" ? await shorterDefault(context, channel) : retention;
  return {
    ...(webPublic && { is_web_public: "makes it readable without an account" }),
    ...(isPrivate === false && { is_private: "opens it to everybody but guests" }),
    ...(typeof days === "number" && { message_retention_days: deleting(days) }),
  };
}

/** Throws `Usage` for what no channel could be asked to do; gives what settings are expected to be. */
function examined(options: Options): Expectations<ChannelPermission> {
  if (options.archived)
    throw new Usage("--archived is not supported: the server ignores is_archived=true", {
      hint: "Archive with: zulipctl channel archive. Unarchive with: --no-archived.",
    });
  checkPrivacy(options);
  checkTopics(options);
  const wanted = permissionsIn(options).map(([setting]) => setting);
  const expected = expectations(options.expect ?? [], channelPermissions, wanted);
  if (Object.keys(updateFlags).every((name) => options[name as keyof Options] === undefined))
    throw new NothingAsked("channel update requires at least one flag that says what to change", {
      hint: 'Run "zulipctl channel update --help" for usage.',
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
  const effects = await effectsOf(context, channel.id, options, messageRetentionDays);
  return [
    change(updateChannel, args, {
      target: typed,
      done: "Updated channel {target}: {settings}.",
      settings: settingsOf(args, words),
      flags: Object.fromEntries(given.map(({ param, flag }) => [param, flag])),
      verifyWith: `zulipctl channel show ${channel.id}`,
      ...asking(`Update channel "${typed}"`, effects),
      ...(current && { expectCurrent: true }),
    }),
  ];
}
