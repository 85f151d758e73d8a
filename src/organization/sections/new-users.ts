import { personalSettings, updateDefaults } from "../../api/user-settings.ts";
import { phases } from "../order/phases.ts";
import { valuesOf } from "./requests.ts";
import { among, attributesOf, numbered, type Settings } from "./section.ts";

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
  requests: {
    update: (_, { fields }) => [
      {
        part: "defaults",
        phase: phases.settings,
        operation: updateDefaults,
        args: valuesOf(fields),
        fields: fields.map(({ field }) => field),
      },
    ],
  },
};
