import { getServerSettings } from "../../api/server.ts";
import { allowsWebPublic } from "../organization-state.ts";
import { pictureRecord } from "../pictures.ts";
import { open } from "../router.ts";

const since = (level: number, first: number, fields: object) => (level < first ? {} : fields);

export const versionAt = (level: number): string =>
  level < 1
    ? "2.1.8"
    : level < 65
      ? "3.0"
      : level < 122
        ? "4.0"
        : level < 156
          ? "5.0"
          : level < 185
            ? "6.0"
            : level < 237
              ? "7.0"
              : level < 277
                ? "8.0"
                : level < 371
                  ? "9.0"
                  : level < 421
                    ? "10.0"
                    : level < 498
                      ? "11.0"
                      : "12.0";

export const serverRoutes = [
  open(getServerSettings, { silent: true }, ({ state, level, site, userAgent }) => ({
    authentication_methods: {
      password: state.organization.password_login,
      dev: false,
      email: state.organization.password_login,
      ldap: false,
      remoteuser: false,
      github: false,
      azuread: false,
      gitlab: false,
      google: false,
      apple: false,
      saml: false,
      "openid connect": false,
    },
    zulip_version: versionAt(level),
    ...since(level, 88, { zulip_merge_base: versionAt(level) }),
    // Before the first level the field was not there, and its absence means 0.
    ...since(level, 1, { zulip_feature_level: level }),
    push_notifications_enabled: false,
    is_incompatible: /^ZulipInvalid\b/.test(userAgent),
    email_auth_enabled: state.organization.password_login,
    require_email_format_usernames: true,
    ...since(level, 257, { realm_url: site }),
    realm_uri: site,
    realm_name: state.organization.settings.name,
    // An address of the site itself is told without it.
    realm_icon: pictureRecord(state, "", "icon").icon_url,
    realm_description: state.organization.settings.description && `<p>${state.organization.settings.description}</p>`,
    ...since(level, 116, {
      realm_web_public_access_enabled:
        allowsWebPublic(state.organization) &&
        [...state.channels.values()].some((each) => each.is_web_public && !each.is_archived),
    }),
    external_authentication_methods: [],
  })),
];
