/** Values that flags may have beyond a closed list of choices, by what stands between their brackets. */

/** Asks the shell for names of files. */
export const everyFile = ":files";

const groups = ["owners", "administrators", "moderators", "fullmembers", "members", "everyone", "internet", "nobody"];
const settings = [
  "add_subscribers",
  "remove_subscribers",
  "administer_channel",
  "delete_any_message",
  "delete_own_message",
  "move_messages_out_of_channel",
  "move_messages_within_channel",
  "send_message",
  "subscribe",
  "resolve_topics",
];

const systemGroups = groups.map((name) => `role:${name}`);

const known: Readonly<Record<string, readonly string[]>> = {
  file: [everyFile],
  zuliprc: [everyFile],
  who: [...systemGroups, "nobody", "user:", "group:"],
  group: systemGroups,
  user: ["me", "name:"],
  role: ["owner", "administrator", "moderator", "member", "guest"],
  days: ["realm_default", "unlimited"],
  "setting=who": settings.map((name) => `can_${name}_group=`),
};

export const valuesOf = (metavariable: string): readonly string[] => known[metavariable] ?? [];
