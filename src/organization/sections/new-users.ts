import { personalSettings, updateDefaults } from "../../api/user-settings.ts";
import { among, attributesOf, numbered } from "./attributes.ts";
import type { Settings } from "./section.ts";

export const newUsers: Settings = {
  doc: "Default settings of new people. Existing people are not changed.",
  holds: "settings",
  read: ({ snapshot }, name) => snapshot.organization.realm_user_settings_defaults?.[name],
  members: attributesOf(updateDefaults, {
    without: [],
    more: Object.fromEntries(
      Object.entries(personalSettings).map(([name, setting]) => {
        const shape = setting.values ? among(setting.values) : numbered(setting);
        return [name, shape ? { shape } : {}];
      }),
    ),
  }),
};
