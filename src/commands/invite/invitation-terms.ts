/** What an invitation by mail and one by link have in common. */

import { type CommandParameter, type FlagValues, withDefault } from "../../cli/parameter.ts";
import { channelsParameter, groupsParameter } from "../../cli/thing-parameters.ts";
import { choice, textOrFile, toggle } from "../../cli/value-parameters.ts";
import { chosenWord } from "../../common/choices.ts";
import { minute } from "../../common/unit-sizes.ts";
import { Usage } from "../../errors.ts";
import { roleNames, roles } from "../../model/person.ts";
import { readDuration } from "../../notation/units.ts";

export const verifyWith = "zulipctl invite list";

/** Reads `7d` or `12h` as minutes. `never` is null. */
const expiry = (doc: string): CommandParameter<number | null, string> => ({
  metavar: "duration",
  doc,
  offers: { of: ["never"] },
  read: (typed: string, { flag }) => {
    if (chosenWord(["never"], typed)) return null;
    const milliseconds = readDuration(typed.trim());
    if (milliseconds) return milliseconds / minute;
    throw new Usage(`${flag}: invalid duration "${typed}"`, {
      hint: `For example: ${flag} 7d, ${flag} 12h, ${flag} never`,
    });
  },
});

export const termFlags = {
  role: withDefault("member", choice(roleNames, "the role of the new people", "role", roles)),
  channel: channelsParameter("channels they will be subscribed to: names or ids; @file or - reads one a line"),
  group: groupsParameter("groups they will be in: names or ids; @file or - reads one a line"),
  expires: withDefault("10d", expiry("when it expires: 7d, 12h, never")),
  defaultChannels: toggle("also subscribe them to the default channels"),
  welcome: textOrFile("the welcome message; @file reads a file, - reads stdin"),
};

export const termBinds = {
  role: "invite_as",
  channel: "stream_ids",
  group: "group_ids",
  expires: "invite_expires_in_minutes",
  defaultChannels: "include_realm_default_subscriptions",
  welcome: "welcome_message_custom_text",
} as const;

export type Terms = FlagValues<typeof termFlags>;

/** Removes absent flags. */
export const termsOf = ({ role, group, expires, defaultChannels, welcome }: Terms) => ({
  invite_as: role && roles[role],
  invite_expires_in_minutes: expires,
  group_ids: group,
  include_realm_default_subscriptions: defaultChannels,
  welcome_message_custom_text: welcome,
});
