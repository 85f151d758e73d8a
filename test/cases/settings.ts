import { updateOrganization } from "../../src/api/organization.ts";
import type { settingsNoun } from "../../src/commands/settings.ts";
import { type CasesOf, change, read, usage } from "./case.ts";

/** The read of the organization, and the removal of its event queue. */
const reads = (part = "realm") => [
  `POST /register event_types=%5B%22${part}%22%5D&fetch_event_types=%5B%22${part}%22%5D`,
  "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
];

export const cases: CasesOf<typeof settingsNoun> = {
  list: read({
    lines: [
      {
        typed: "--match Invite",
        sends: [...reads(), "GET /user_groups?include_deactivated_groups=true"],
        prints:
          "NAME\tVALUE\tKIND\tWHO\ninvite_required\ttrue\tboolean\towners\n" +
          "create_multiuse_invite_group\trole:administrators\tgroup\towners\n" +
          "can_invite_users_group\trole:members\tgroup\towners\n",
        ids: "invite_required\ncreate_multiuse_invite_group\ncan_invite_users_group\n",
      },
      {
        typed: "--match announcements",
        sends: reads(),
        prints:
          "NAME\tVALUE\tKIND\tWHO\nnew_stream_announcements_stream_id\tnone\tchannel\tadministrators\n" +
          "signup_announcements_stream_id\tnone\tchannel\tadministrators\n" +
          "zulip_update_announcements_stream_id\tnone\tchannel\tadministrators\n",
      },
      {
        typed: "--new-users --match web-home",
        sends: reads("realm_user_settings_defaults"),
        prints: "NAME\tVALUE\tKIND\tWHO\nweb_home_view\tinbox\tchoice\tadministrators\n",
        json: '[{"name":"web_home_view","value":"inbox","kind":"choice","who":"administrators"}]\n',
      },
    ],
  }),

  show: read({
    lines: [
      {
        typed: "can-create-groups message_retention_days name authentication_methods jitsi_server_url name",
        sends: [...reads(), "GET /user_groups?include_deactivated_groups=true"],
        prints:
          "NAME\tVALUE\tKIND\tWHO\tDEFAULT\tCHOICES\tDESCRIPTION\n" +
          "can_create_groups\trole:members\tgroup\towners\trole:members\ta group, people, or nobody\tWho may create groups.\n" +
          "message_retention_days\tunlimited\tlimit\towners\tunlimited\ta number of days, or unlimited\t" +
          "Days after which messages are deleted, where a channel has no rule of its own.\n" +
          "name\tSandbox\ttext\tadministrators\t\ta text\tThe organization's name, shown above everything.\n" +
          "authentication_methods\tEmail\tmethods\towners\t\t\tThe ways in which people can log in.\n" +
          "jitsi_server_url\tdefault\turl\tadministrators\tdefault\t\tThe Jitsi server for calls; default is that of the Zulip server.\n",
      },
      {
        typed: "name",
        sends: reads(),
        json:
          '[{"name":"name","value":"Sandbox","kind":"text","who":"administrators",' +
          '"description":"The organization\'s name, shown above everything.","choices":null,"default":null}]\n',
      },
      { typed: "enter_sends --new-users", sends: reads("realm_user_settings_defaults"), ids: "enter_sends\n" },
    ],
    refused: [
      ...usage({
        nme: 'unknown setting "nme"\nDid you mean: name?',
        quite_another_thing: 'unknown setting "quite_another_thing"\nList them with: zulipctl settings list',
        string_id: "servers do not send string_id",
      }),
    ],
  }),

  update: change(updateOrganization, {
    several: true,
    lines: [
      {
        typed: "description='Try it' inline_url_embed_preview=true",
        sends: [...reads(), "PATCH /realm description=Try+it&inline_url_embed_preview=true"],
        prints: 'description set to "Try it"; inline_url_embed_preview set to true.\n',
        json: '[{"operation":"organization.update","target":"description, inline_url_embed_preview","outcome":"done","answer":{"description":"updated","inline_url_embed_preview":true}}]\n',
        made: ({ organization: { settings } }) =>
          settings.description === "Try it" && settings.inline_url_embed_preview,
        ignoring: { params: ["description", "inline_url_embed_preview"], code: 5 },
        parts: ["description", "inline_url_embed_preview"],
      },
      {
        // Each kind is a request. Unchanged values are not sent.
        typed:
          "name=Acme invite_required=yes can_create_bots_group=user:8 new_stream_announcements_stream_id=2 message-content-edit-limit-seconds=unlimited",
        sends: [
          ...reads(),
          "PATCH /realm name=Acme&message_content_edit_limit_seconds=%22unlimited%22",
          "PATCH /realm can_create_bots_group=%7B%22new%22%3A%7B%22direct_members%22%3A%5B8%5D%2C%22direct_subgroups%22%3A%5B%5D%7D%7D",
          "PATCH /realm new_stream_announcements_stream_id=2",
        ],
        prints:
          'name set to "Acme"; message_content_edit_limit_seconds set to unlimited.\n' +
          "can_create_bots_group set to user 8.\nnew_stream_announcements_stream_id set to 2.\n",
        of: 3,
        made: ({ organization: { settings, permissions } }) =>
          Number(settings.name === "Acme") +
          Number(typeof permissions.can_create_bots_group === "object") +
          Number(settings.new_stream_announcements_stream_id === 2),
      },
      {
        typed: "can_create_bots_group=nobody --expect can-create-bots-group=role:members",
        sends: [
          ...reads(),
          "GET /user_groups?include_deactivated_groups=true",
          "PATCH /realm can_create_bots_group=%7B%22new%22%3A9%2C%22old%22%3A14%7D",
        ],
        prints: "can_create_bots_group set to role:nobody.\n",
        made: ({ organization: { permissions } }) => permissions.can_create_bots_group === 9,
      },
      {
        typed: "name=Sandbox can_create_bots_group=14 message_retention_days=unlimited authentication_methods=email",
        sends: reads(),
        prints: "No changes.\nNo changes.\n",
        json:
          '[{"operation":"organization.update","target":"name, message_retention_days, authentication_methods","outcome":"done","unchanged":true},\n' +
          '{"operation":"organization.update","target":"can_create_bots_group","outcome":"done","unchanged":true}]\n',
      },
    ],
    refused: [
      ...usage({
        name: 'settings update must be <name>=<value>: "name" has no =',
        "nme=B": 'unknown setting "nme"\nDid you mean: name?',
        "name=A name=B": "settings update names name twice",
        "invite_required=maybe": 'invite_required: "maybe" must be true or false',
      }),
      ...usage({
        "waiting_period_threshold=ten": 'waiting_period_threshold: "ten" must be a whole number, or a span such as 2w',
        "message_retention_days=0":
          'message_retention_days: "0" must be a whole number of at least 1, or a span such as 2w, or unlimited',
        "message_edit_history_visibility_policy=al":
          'message_edit_history_visibility_policy: invalid value "al": must be one of all, moves, none\nDid you mean: all?',
        "signup_announcements_stream_id=nowhere":
          'signup_announcements_stream_id: channel "nowhere" not found, or not visible to this account\nAvailable: announcements (3), attic (7, archived), council (5), design (1), general (2), moderation requests (6), staff (4).',
        "authentication_methods=Email,LDAP":
          'authentication_methods: unknown sign-in method "LDAP" on this server\nAvailable: Email.',
        "enter_sends=true":
          'unknown setting "enter_sends"\nIt is a setting of people. Change the default of new people with --new-users, and those of others with --people.',
        "name=x --new-users": 'unknown setting "name"\nIt is a setting of the organization: remove --new-users.',
        "name=x --expect name=14": "--expect: name is not a permission",
        "name=x --expect can_create_groups=14": "--expect can_create_groups requires can_create_groups=<who>",
      }),
      {
        typed: "name=x",
        as: 400,
        says: 'Current values: name is "Sandbox".\nzulipctl: Must be an organization administrator\nOnly administrators can do this, and only owners can change some of these settings.',
      },
      {
        typed: "invite_required=false --yes",
        as: 200,
        says: "Current values: invite_required is true.\nzulipctl: Must be an organization owner\nOnly administrators can do this, and only owners can change some of these settings.",
      },
      {
        typed: "can_create_bots_group=9 --expect can_create_bots_group=10 --yes",
        code: 6,
        says: "Current values: can_create_bots_group is role:members.\nzulipctl: 'old' value does not match the expected value.",
      },
      {
        typed: "name=ok digest_weekday=9",
        says:
          'Current values: name is "Sandbox", digest_weekday is tuesday.\n' +
          "zulipctl: Invalid digest_weekday. Earlier parts may have been applied, in this order: name, digest_weekday",
      },
      {
        // The values in force are read, since a part may have been applied before the refusal.
        typed:
          "message_content_delete_limit_seconds=unlimited giphy_rating=1 can_create_bots_group=role:internet --yes",
        code: 5,
        partly: true,
        prints: "message_content_delete_limit_seconds set to unlimited.\n",
        says:
          "Current values: can_create_bots_group is role:members.\n" +
          "zulipctl: 1 of 2 not done (1 refused): can_create_bots_group: 'can_create_bots_group' setting cannot be set to 'role:internet' group.",
      },
    ],
  }),
};
