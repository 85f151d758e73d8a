/** Words for the numbers that servers use for choices, where the log holds numbers. */
import { roles } from "../api/users.ts";

const wordsOf = (names: Readonly<Record<string, number>>): ReadonlyMap<unknown, string> =>
  new Map(Object.entries(names).map(([name, number]) => [number, name]));

const choices: Readonly<Record<string, ReadonlyMap<unknown, string>>> = {
  role: wordsOf(roles),
  org_type: wordsOf({
    unspecified: 0,
    business: 10,
    open_source: 20,
    education_nonprofit: 30,
    education_for_profit: 35,
    research: 40,
    event: 50,
    nonprofit: 60,
    government: 70,
    political_group: 80,
    community: 90,
    personal: 100,
    other: 1000,
  }),
  digest_weekday: wordsOf({
    monday: 0,
    tuesday: 1,
    wednesday: 2,
    thursday: 3,
    friday: 4,
    saturday: 5,
    sunday: 6,
  }),
  video_chat_provider: wordsOf({ disabled: 0, jitsi_meet: 1, zoom: 3, big_blue_button: 4, zoom_server_to_server: 5 }),
  color_scheme: wordsOf({ automatic: 1, dark: 2, light: 3 }),
  demote_inactive_streams: wordsOf({ automatic: 1, always: 2, never: 3 }),
  email_address_visibility: wordsOf({ everyone: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 }),
  user_list_style: wordsOf({ compact: 1, with_status: 2, with_avatar: 3 }),
};

/** The word for it; itself where there is none. */
export const inWords = (property: string, value: unknown): unknown => choices[property]?.get(value) ?? value;

/** `null` is the organization's default, `-1` no limit. */
export function retention(value: unknown): unknown {
  return value === null ? "default" : value === -1 ? "unlimited" : value;
}

/** What changes are about, as `--kind` names it. */
export const kinds = [
  "user",
  "bot",
  "channel",
  "group",
  "setting",
  "default_setting",
  "domain",
  "linkifier",
  "playground",
  "emoji",
  "export",
  "organization",
] as const;
export type Kind = (typeof kinds)[number];
