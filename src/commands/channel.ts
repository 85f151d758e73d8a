import { type ChannelPermission, channelPermissionRules, topicsPolicies } from "../api/channel-settings.ts";
import { plans, reads } from "../cli/conversation.ts";
import {
  channel as channelWord,
  choice,
  folder,
  markdown,
  onOff,
  orNone,
  text,
  texts,
  toggle,
  who,
} from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import type { Word } from "../cli/word.ts";

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;

const camel = <S extends string>(name: S) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as Camel<S>;

/** A flag for each permission. */
const permissions = Object.fromEntries(
  Object.entries(channelPermissionRules).map(([setting, { may }]) => [
    camel(setting),
    { ...who(`who may ${may}`), group: "Permissions:" },
  ]),
) as Record<Camel<ChannelPermission>, Word<unknown, string>>;

export const channel = noun("Channels and their settings", {
  update: plans(
    {
      doc: "Change a channel's name, description, privacy, policies and permissions",
      operands: { channel: channelWord() },
      flags: {
        newName: text("rename it"),
        description: markdown(),
        private: onOff("only for those let in", "open to everybody but guests"),
        webPublic: onOff("readable without an account", "not readable without an account"),
        historyPublicToSubscribers: onOff(
          "new subscribers see older messages",
          "new subscribers see no older messages",
        ),
        default: onOff("subscribe new people to it", "do not subscribe new people to it"),
        messageRetentionDays: text("delete messages after so many days; or realm_default, unlimited", "days"),
        // Typed by who expects it, and told what it is that can be done.
        archived: { ...onOff("", "take it out of the archive"), hidden: true },
        folder: orNone(folder("move it into this folder"), "take it out of its folder"),
        topicsPolicy: choice(topicsPolicies, "whether topics may be empty or named", "policy"),
        ...permissions,
        expect: texts("change the setting only if this is its value now", "setting=who"),
      },
      note: "<who> is a group (writers, role:moderators, nobody), or people and groups: user:me,group:writers",
      examples: [
        "zulipctl channel update design --new-name sketches --folder Projects",
        "zulipctl channel update general --can-send-message-group role:moderators --expect can-send-message-group=role:everyone",
        "echo 'Anything goes' | zulipctl channel update general --description -",
      ],
    },
    async () => (await import("./channel/update.ts")).update,
  ),

  list: reads(
    {
      doc: "Channels whose settings the account may see",
      flags: { archived: toggle("archived ones too") },
      examples: [
        "zulipctl channel list --archived",
        "zulipctl channel list --jq '.[] | select(.is_web_public) | .name'",
      ],
    },
    async () => (await import("./channel/list.ts")).list,
  ),
});
