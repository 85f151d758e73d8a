/** Words for the numbers that servers use for choices, where the log holds numbers. */
import { organizationSettings, type Setting, wordOf } from "../api/settings.ts";
import { personalSettings } from "../api/user-settings.ts";
import { roles } from "../api/users.ts";

/** Numbers of GIF ratings differ between servers, and an export does not explain them. */
const { giphy_rating: _, ...certain } = organizationSettings;
const settings: Readonly<Record<string, Setting>> = { ...personalSettings, ...certain };

/** The word for it; itself where there is none. */
export function inWords(property: string, value: unknown): unknown {
  const choices =
    property === "role" ? roles : Object.hasOwn(settings, property) ? settings[property]?.choices : undefined;
  return wordOf(choices, value);
}

/** `null` is the organization's default, `-1` no limit. */
export function retention(value: unknown): unknown {
  return value === null ? "default" : value === -1 ? "unlimited" : value;
}

/** The kinds of targets, as `--kind` names them. */
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
