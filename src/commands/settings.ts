import { updateOrganization } from "../api/organization.ts";
import { noun } from "../cli/noun.ts";
import { peopleAndGroups } from "../cli/thing-parameters.ts";
import { expectFlag, filter, offered, texts, toggle } from "../cli/value-parameters.ts";
import { changingVerb, readingVerb } from "../cli/verbs-with-code.ts";

const newUsers = toggle("the settings that new people get");

export const settingsNoun = noun("Settings of the organization, and those that new people get", {
  list: readingVerb({
    doc: "List settings with their values, and who can change them",
    operations: ["events.register", "group.list", "channel.list"],
    flags: { match: filter("only those with this text in the name"), newUsers },
    examples: ["zulipctl settings list --match invite", "zulipctl settings list --new-users -o csv"],
    run: async () => (await import("./settings/list.ts")).listSettings,
  }),

  show: readingVerb({
    doc: "Show what settings do, their values, choices and defaults, and who can change them",
    operations: ["events.register", "group.list", "channel.list"],
    operands: { names: offered("setting", texts("names, as settings list shows them", "name")) },
    flags: { newUsers },
    examples: ["zulipctl settings show invite_required can_invite_users_group"],
    run: async () => (await import("./settings/show.ts")).showSettings,
  }),

  update: changingVerb({
    operation: updateOrganization,
    doc: "Change settings; unchanged values are not sent",
    operations: ["channel.list", "organization.defaults", "settings.update-people"],
    asks: "sometimes",
    operands: {
      assignments: offered(
        "setting=value",
        texts("true, 600, 10m, unlimited, friday, role:moderators, a channel's name, none", "name=value"),
      ),
    },
    flags: {
      expect: expectFlag("setting=who"),
      newUsers,
      people: peopleAndGroups(
        "the settings of these people, and of members of group:<name>; @file or - reads one a line",
      ),
      overwrite: toggle("with --people, also where they chose for themselves"),
    },
    conflicts: [["people", "newUsers", "expect"]],
    requires: [["overwrite", "people"]],
    note: "Each kind of setting is a separate request, so one may succeed and another fail.",
    examples: [
      "zulipctl settings update name='Acme Corp' message_content_edit_limit_seconds=unlimited",
      "zulipctl settings update can_create_bots_group=role:moderators --expect can_create_bots_group=role:members",
      "zulipctl settings update new_stream_announcements_stream_id=general",
      "zulipctl settings update --new-users twenty_four_hour_time=true",
      "zulipctl settings update enable_sounds=false --people group:designers,otis@sandbox.example --dry-run",
    ],
    run: async () => (await import("./settings/update.ts")).planSettingsUpdate,
  }),
});
