/** `org apply` of every section, on servers of several levels. */
import { expect, test } from "vitest";
import type { sectionNames } from "../../../src/organization/section-names.ts";
import type { Sandbox } from "../../../src/sandbox/index.ts";
import { fresh, zulipctl } from "../../run.ts";
import { pictures } from "../../sandbox/pictures.ts";

/** Files that are applied one after the other. After each, the organization must match it. */
interface Life {
  /** The first feature level that supports all of it. */
  readonly since: number;
  readonly files: readonly string[];
  readonly flags?: readonly string[];
  /** Runs on all levels, because requests differ. Others run on the oldest and the newest level. */
  readonly everywhere?: true;
}

const here = "organization: https://chat.example\n";

const lives: Record<(typeof sectionNames)[number], readonly Life[]> = {
  settings: [
    {
      since: 100,
      files: [
        "settings: { description: We make things, inline_url_embed_preview: true, waiting_period_threshold: 3, default_language: de }",
        "settings: { message_retention_days: 30, message_content_delete_limit_seconds: unlimited, org_type: 10 }",
        "settings: { description: '', inline_url_embed_preview: false, waiting_period_threshold: 0, default_language: en }",
        "settings: { message_retention_days: unlimited, message_content_delete_limit_seconds: 600, org_type: 0 }",
      ],
    },
    {
      since: 260,
      files: [
        "settings: { new_stream_announcements_stream_id: staff, signup_announcements_stream_id: design, zulip_update_announcements_stream_id: null }",
        "settings: { new_stream_announcements_stream_id: design, signup_announcements_stream_id: staff, zulip_update_announcements_stream_id: general }",
        "settings: { new_stream_announcements_stream_id: null, signup_announcements_stream_id: null }",
      ],
    },
    {
      since: 434,
      files: [
        "settings: { topics_policy: disable_empty_topic, send_channel_events_messages: true, welcome_message_custom_text: Hi, require_e2ee_push_notifications: true }",
        "settings: { topics_policy: allow_empty_topic, send_channel_events_messages: false, welcome_message_custom_text: '', require_e2ee_push_notifications: false }",
      ],
    },
    {
      since: 300,
      files: [
        "groups: [{ name: crew, members: [otis@sandbox.example] }]\nsettings: { can_create_public_channel_group: crew, can_delete_any_message_group: { users: [adam@sandbox.example], groups: [crew] } }",
        "settings: { can_create_public_channel_group: 'role:members', can_delete_any_message_group: nobody }",
      ],
    },
    {
      since: 212,
      files: [
        "settings: { jitsi_server_url: https://meet.example.com, enable_spectator_access: true }",
        "settings: { jitsi_server_url: default, enable_spectator_access: false }",
      ],
    },
    {
      since: 331,
      files: [
        "settings: { moderation_request_channel_id: staff }",
        "settings: { moderation_request_channel_id: null }",
      ],
    },
  ],
  new_users: [
    {
      since: 200,
      files: [
        "new_users: { twenty_four_hour_time: true, color_scheme: 2, email_address_visibility: 3, notification_sound: none }",
        "new_users: { twenty_four_hour_time: false, color_scheme: 1, email_address_visibility: 1, notification_sound: zulip }",
      ],
    },
    {
      since: 431,
      files: [
        "new_users: { resolved_topic_notice_auto_read_policy: never, web_channel_default_view: 4, web_inbox_show_channel_folders: false, web_left_sidebar_show_channel_folders: false, web_left_sidebar_unreads_count_summary: false }",
        "new_users: { resolved_topic_notice_auto_read_policy: except_followed, web_channel_default_view: 1, web_inbox_show_channel_folders: true, web_left_sidebar_show_channel_folders: true, web_left_sidebar_unreads_count_summary: true }",
      ],
    },
  ],
  profile_fields: [
    {
      since: 252,
      files: [
        "profile_fields: [{ name: Team, type: options, options: [Design, Build] }, { name: Account, type: account, field_data: { subtype: custom, url_pattern: 'https://example.com/%(username)s' } }]",
        "profile_fields: [{ name: Crew, was: Team, options: [{ name: Building, was: Build }, Design], required: true }]",
        "profile_fields: [{ name: Account }, { name: Crew }]",
        `${here}profile_fields: [{ id: 5, name: Account }, { id: 6, name: Crew }]`,
        "complete: [profile_fields]\nprofile_fields: [{ name: Crew }]",
      ],
      flags: ["--prune"],
    },
  ],
  people: [
    {
      since: 200,
      files: [
        "people: [{ email: cora@sandbox.example, role: moderator, full_name: Cora Second, profile: { Office: Lisbon, Phone: '12' } }]",
        `people: [{ email: cora@sandbox.example, full_name: Otis Member }, { email: otis@sandbox.example, full_name: Cora Second }]`,
        "people: [{ email: cora@sandbox.example, role: guest, profile: { Office: null, Phone: null } }, { email: dora@sandbox.example, active: true }]",
        "people: [{ email: cora@sandbox.example, active: false }, { email: otis@sandbox.example, role: owner }]",
        "people: [{ email: otis@sandbox.example, role: member }, { email: cora@sandbox.example, active: true, role: member }]",
      ],
    },
    {
      since: 322,
      files: [
        "people: [{ email: new@sandbox.example, role: moderator, invite: true }]\ngroups: [{ name: crew, members: [new@sandbox.example] }]\nchannels: [{ name: staff, subscribers: { add: [new@sandbox.example] } }]",
      ],
    },
    { since: 200, files: ["people: [{ email: new@sandbox.example, role: guest, invite: true }]"] },
  ],
  bots: [
    {
      since: 200,
      files: [
        "bots: [{ email: build-bot@chat.example, name: Build, owner: otis@sandbox.example }, { email: hook-bot@chat.example, name: Hook, kind: incoming-webhook }]",
        "bots: [{ email: build-bot@chat.example, name: Build server, owner: cora@sandbox.example, kind: generic }]",
        "bots: [{ email: build-bot@chat.example, name: Hook }, { email: hook-bot@chat.example, name: Build server }]",
        "bots: [{ email: Build-Bot@chat.example, active: false }]",
        "bots: [{ email: build-bot@chat.example, active: true, name: Builder, owner: iris@sandbox.example }]",
        "bots: [{ email: out-bot@chat.example, name: Out, kind: outgoing-webhook, payload_url: 'https://o.example' }]",
        "complete: [bots]\nbots: [{ email: build-bot@chat.example }]",
      ],
      flags: ["--prune"],
    },
    {
      since: 200,
      files: [
        "bots: [{ email: build-bot@chat.example, name: Build, owner: otis@sandbox.example }]",
        "bots: [{ email: build-bot@chat.example, owner: iris@sandbox.example }]\npeople: [{ email: otis@sandbox.example, active: false }]",
        "bots: [{ email: build-bot@chat.example, owner: otis@sandbox.example }]\npeople: [{ email: otis@sandbox.example, active: true }]",
      ],
    },
  ],
  groups: [
    {
      since: 260,
      everywhere: true,
      files: [
        "groups: [{ name: crew, description: All, members: [otis@sandbox.example, cora@sandbox.example] }]",
        "groups: [{ name: crew, description: Some, members: { add: [iris@sandbox.example], remove: [otis@sandbox.example] } }]",
        "groups: [{ name: team, was: crew, can_mention_group: 'role:moderators' }]",
        `${here}groups: [{ id: 17, name: writers }, { id: 18, name: designers }]`,
        `${here}groups: [{ id: 17, name: makers }, { id: 18, name: writers }, { id: 19, name: designers }]`,
      ],
    },
    {
      since: 311,
      files: [
        "groups: [{ name: inner, members: [] }, { name: crew, members: [], subgroups: [inner], can_manage_group: crew }]",
        "groups: [{ name: crew, subgroups: [] }, { name: inner, subgroups: [crew], can_manage_group: { users: [otis@sandbox.example], groups: [crew] } }]",
        "groups: [{ name: inner, subgroups: [], deactivated: true, can_manage_group: 'role:owners' }, { name: crew, can_manage_group: 'role:owners' }]",
        "complete: [groups]\ngroups: [{ name: designers }, { name: makers }, { name: writers }]",
      ],
      flags: ["--prune", "--allow-empty"],
    },
    {
      since: 386,
      files: ["groups: [{ name: makers, deactivated: true }]", "groups: [{ name: makers, deactivated: false }]"],
    },
  ],
  folders: [
    {
      since: 389,
      files: [
        "folders: [{ name: Work, description: What we do }, { name: Play, description: '' }]\nchannels: [{ name: deck, folder: Work }, { name: design, folder: Play }]",
        `${here}folders: [{ id: 1, name: Work }, { id: 3, name: Play }, { id: 4, name: Projects }]`,
        "folders: [{ name: Past, archived: false }, { name: Work, description: New }]",
        "channels: [{ name: deck, folder: null }, { name: design, folder: null }]\nfolders: [{ name: Play, archived: true }, { name: Projects, archived: true }]",
        "complete: [folders]\nfolders: [{ name: Past }]",
      ],
      flags: ["--prune"],
    },
    {
      since: 417,
      files: ["folders: [{ name: Work }, { name: Projects }]", "folders: [{ name: Projects }, { name: Work }]"],
    },
  ],
  channels: [
    {
      since: 260,
      everywhere: true,
      files: [
        "channels: [{ name: deck, description: On top, is_private: true, history_public_to_subscribers: true, subscribers: [otis@sandbox.example, iris@sandbox.example] }]",
        "channels: [{ name: deck, description: Below, subscribers: { add: [cora@sandbox.example], remove: [otis@sandbox.example] } }]",
        "channels: [{ name: bridge, was: deck, is_private: false, message_retention_days: 30 }]",
        "channels: [{ name: bridge, is_default_stream: true, message_retention_days: unlimited }, { name: general, is_default_stream: false }]",
        `${here}channels: [{ id: 1, name: general }, { id: 2, name: design }]`,
        `${here}channels: [{ id: 1, name: announcements }, { id: 2, name: general }, { id: 3, name: design }]`,
        "channels: [{ name: announcements, is_web_public: true }]",
        "channels: [{ name: announcements, is_web_public: false }, { name: bridge, archived: true }]",
      ],
    },
    {
      since: 260,
      files: [
        "channels: [{ name: open, is_web_public: true, subscribers: [] }, { name: first, is_default_stream: true }]",
      ],
    },
    {
      since: 260,
      files: ["channels: [{ name: mine }]", "channels: [{ name: none, subscribers: [] }]"],
    },
    {
      since: 325,
      files: [
        "groups: [{ name: crew, members: [] }]\nchannels: [{ name: deck, can_administer_channel_group: crew, can_remove_subscribers_group: { users: [otis@sandbox.example], groups: [crew] } }]",
        "channels: [{ name: deck, can_administer_channel_group: nobody, can_remove_subscribers_group: 'role:moderators' }, { name: staff, can_administer_channel_group: crew }]",
      ],
    },
    {
      since: 388,
      files: ["channels: [{ name: attic, archived: false }]", "channels: [{ name: attic, archived: true }]"],
    },
    {
      since: 392,
      files: [
        "channels: [{ name: deck, topics_policy: allow_empty_topic }, { name: design, topics_policy: disable_empty_topic }]",
        "channels: [{ name: deck, topics_policy: inherit }]",
      ],
    },
    {
      since: 260,
      files: [
        "complete: [channels]\nchannels: [{ name: general }, { name: design }, { name: staff }, { name: council }, { name: moderation requests }]",
      ],
      flags: ["--prune"],
    },
  ],
  linkifiers: [
    {
      since: 202,
      files: [
        "linkifiers: [{ pattern: 'T(?P<n>[0-9]+)', url_template: 'https://t.example/{n}' }, { pattern: 'X(?P<x>[0-9]+)', url_template: 'https://x.example/{x}' }]",
        "linkifiers: [{ pattern: 'X(?P<x>[0-9]+)', url_template: 'https://y.example/{x}' }, { pattern: 'T(?P<n>[0-9]+)' }]",
        `${here}linkifiers: [{ id: 3, pattern: 'X(?P<x>[0-9]+)', url_template: 'https://y.example/{x}' }, { id: 4, pattern: 'T(?P<n>[0-9]+)', url_template: 'https://t.example/{n}' }]`,
        "complete: [linkifiers]\nlinkifiers: [{ pattern: 'X(?P<x>[0-9]+)' }]",
      ],
      flags: ["--prune"],
    },
  ],
  domains: [
    {
      since: 200,
      files: [
        "domains: [{ domain: a.example, allow_subdomains: true }, { domain: B.example, allow_subdomains: false }]\nsettings: { emails_restricted_to_domains: true }",
        "domains: [{ domain: a.example, allow_subdomains: false }]",
        "complete: [domains]\ndomains: [{ domain: c.example, allow_subdomains: true }]",
        "settings: { emails_restricted_to_domains: false }",
      ],
      flags: ["--prune"],
    },
  ],
  playgrounds: [
    {
      since: 200,
      files: [
        "playgrounds: [{ name: Try, pygments_language: Rust, url_template: 'https://a.example/{code}' }, { name: Try, pygments_language: Python, url_template: 'https://b.example/{code}' }]\nsettings: { default_code_block_language: Rust }",
        "playgrounds: [{ name: Try, pygments_language: Rust, url_template: 'https://c.example/{code}' }]",
        "complete: [playgrounds]\nplaygrounds: [{ name: Try, pygments_language: Python }]",
      ],
      flags: ["--prune"],
    },
  ],
  emoji: [
    {
      since: 200,
      files: [
        "emoji: [{ name: party, file: party.png }, { name: ship it, file: party.png }]",
        "complete: [emoji]\nemoji: [{ name: ship_it }, { name: lgtm, file: party.png }]",
      ],
      flags: ["--prune"],
    },
  ],
};

const apply = async (sandbox: Sandbox, text: string, flags: readonly string[] = []) => {
  const files = new Map([
    ["organization.yaml", text],
    ["party.png", pictures.png],
  ]);
  const words = ["organization.yaml", ...flags];
  const applied = await zulipctl(["org", "apply", ...words, "--yes"], { sandbox, files });
  const prune = flags.filter((flag) => flag === "--prune");
  const planned = await zulipctl(["org", "plan", "organization.yaml", "--exit-code", ...prune], { sandbox, files });
  return { applied, planned };
};

const levels = [371, 389, 416, 417, 500];
const rows = Object.entries(lives).flatMap(([section, some]) =>
  some.flatMap((life) => {
    const able = levels.filter((level) => level >= life.since);
    return able
      .map((level) => ({ section, level, ...life }))
      .filter(({ level, everywhere }) => everywhere || level === able[0] || level === able.at(-1));
  }),
);

test.each(rows)("level $level, $section: $files.0", async ({ level, files, flags }) => {
  const sandbox = fresh({ level });
  for (const text of files) {
    const { applied, planned } = await apply(sandbox, text, flags);
    expect({ code: applied.code, err: applied.err, text }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /changes? done(; \d+ took something from people)?\nzulipctl: verified: everything is applied\n$/,
      ),
      text,
    });
    expect({ code: planned.code, out: planned.out, text }).toEqual({
      code: 0,
      out: expect.stringMatching(/^https:\/\/chat\.example matches the file\./),
      text,
    });
  }
});
