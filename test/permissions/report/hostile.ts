/** Names that attack a page. */
import { makeSnapshot, type Snapshot } from "../../../src/organization/snapshot.ts";
import { large } from "./large.ts";

export const hostile: readonly string[] = [
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(2)>",
  '"><svg onload=alert(3)>',
  "' onmouseover='alert(4)",
  "`onfocus=alert(5) autofocus x=`",
  "javascript:alert(6)",
  "<!--<script>",
  "--></style><style>*{display:none}</style>",
  "]]><b>bold</b>",
  "&lt;i&gt;&amp;",
  "\u202Egnp.exe",
  "\u2066isolate\u2067",
  "a\u0000b\u0007c\u001b[31md",
  "line\nbreak\u2028and\u2029more",
  "\ud800lone",
  "   ",
  "\u200b\u200b",
  "👩🏽‍💻 family 👨‍👩‍👧‍👦",
  "עברית عربى",
  "x".repeat(400),
  "{{alert(8)}} <%= alert(9) %> #{alert(10)}",
  "<a href=https://example.com/leak>link</a>",
  "<link rel=stylesheet href=https://example.com/leak.css>",
  "<meta http-equiv=refresh content='0;url=https://example.com/leak'>",
  "<base href=https://example.com/>",
  "constructor",
  "__proto__",
];

/** Makes an organization with only hostile names. */
export function hostileOrganization(): Snapshot {
  let at = 0;
  const next = (): string => hostile[at++ % hostile.length]!;
  const { organization, channel_folders, ...rest } = large({ people: 60, channels: 30, groups: 30 });
  const { server_supported_permission_settings: supported, ...settings } = organization as typeof organization & {
    server_supported_permission_settings: { realm: object; stream: object; group: object };
  };
  const hostileSettings = Object.fromEntries(hostile.map((name) => [name, { allow_everyone_group: true }]));
  const person = <T extends object>(one: T): T => ({
    ...one,
    full_name: next(),
    email: next(),
    delivery_email: next(),
  });
  return makeSnapshot({
    taken: Date.parse(rest.taken),
    site: rest.site,
    email: next(),
    registered: {
      ...settings,
      zulip_feature_level: rest.feature_level,
      zulip_version: next(),
      realm_name: hostile[0],
      realm_users: organization.realm_users.map(person),
      realm_non_active_users: organization.realm_non_active_users.map(person),
      realm_user_groups: organization.realm_user_groups.map((group) =>
        group.is_system_group ? group : { ...group, name: next() },
      ),
      never_subscribed: organization.never_subscribed.map((channel) => ({ ...channel, name: next() })),
      ...Object.fromEntries(hostile.map((name) => [`realm_${name}`, 7])),
      server_supported_permission_settings: { ...supported, realm: { ...supported.realm, ...hostileSettings } },
    },
    folders: channel_folders!.map((folder) => ({ ...folder, name: next() })),
    invites: [],
  });
}
