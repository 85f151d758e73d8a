import { personalSettings, updateDefaults } from "../../api/user-settings.ts";
import { phases } from "../order/phases.ts";
import { settingAll } from "./requests.ts";
import { attributesOf, type Settings, settingMember } from "./section.ts";

export const newUsers: Settings = {
  doc: "Default settings of new people. Existing people are not changed.",
  read: ({ organization }, name) => organization.realm_user_settings_defaults?.[name],
  members: attributesOf(updateDefaults, {
    without: [],
    more: Object.fromEntries(Object.entries(personalSettings).map(([name, setting]) => [name, settingMember(setting)])),
  }),
  requests: {
    update: (_, { fields }) => [
      { phase: phases.settings, operation: updateDefaults, args: {}, pieces: [settingAll(fields)] },
    ],
  },
};
