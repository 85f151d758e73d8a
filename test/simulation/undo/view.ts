/** What an undo must give back, by thing and attribute. Things that get new ids have their names instead. */

import type { SandboxState } from "../../../src/sandbox/state.ts";
import { notificationBot } from "../../../src/sandbox/system-bots.ts";

export type View = ReadonlyMap<string, string>;

export const thingOf = (key: string): string => key.split("|")[0] ?? "";

export function viewOf(state: SandboxState): View {
  const view = new Map<string, string>();
  const put = (thing: string, fields: object) => {
    for (const [name, value] of Object.entries(fields)) view.set(`${thing}|${name}`, JSON.stringify(value) ?? "");
  };
  const inside = (thing: string, list: string, ids: Iterable<number>) => {
    for (const id of ids) view.set(`${thing}|${list} ${id}`, "yes");
  };
  for (const { subscribers, unsubscribed: _, settings, date_created: __, ...channel } of state.channels.values()) {
    // An archived channel is for nobody the default, whatever is stored.
    const is_default = channel.is_default && !channel.is_archived;
    put(`channel ${channel.stream_id}`, { ...channel, is_default, ...settings });
    inside(`channel ${channel.stream_id}`, "subscriber", subscribers);
  }
  for (const { members, subgroups, settings, written: _, date_created: __, ...group } of state.groups.values()) {
    // The server keeps the members of system groups.
    if (group.is_system_group) continue;
    put(`group ${group.id}`, { ...group, ...settings });
    inside(`group ${group.id}`, "member", members);
    inside(`group ${group.id}`, "subgroup", subgroups);
  }
  for (const { order: _, date_created: __, ...folder } of state.folders.values()) put(`folder ${folder.id}`, folder);
  for (const user of state.users.values()) {
    const { user_id, full_name, role, is_active, bot_owner_id, delivery_email, profile } = user;
    put(`user ${user_id}`, { full_name, role, is_active, bot_owner_id, delivery_email });
    put(`user ${user_id}`, Object.fromEntries([...profile].map(([id, value]) => [`field ${id}`, value])));
  }
  put("organization", { ...state.organization.settings, ...state.organization.permissions });
  put("defaults", state.organization.defaults);
  for (const { id: _, pattern, ...linkifier } of state.linkifiers) put(`linkifier ${pattern}`, linkifier);
  for (const { id: _, domain, ...rest } of state.domains) put(`domain ${domain}`, rest);
  for (const { id: _, name, ...rest } of state.playgrounds) put(`playground ${name}`, rest);
  for (const { id, order: _, ...field } of state.profile_fields) put(`field ${id}`, field);
  for (const { content, type, to, topic } of state.drafts.values()) put(`draft ${content}`, { type, to, topic });
  for (const { name, deactivated, source_url, author_id: by } of state.emoji.values())
    if (!deactivated) put(`emoji ${name}`, { source_url, by });
  for (const { id, email, revoked, expiry_date, invited_as, invited_by_user_id: by } of state.invitations)
    if (!revoked && expiry_date !== 0) put(`invitation ${email ?? `link ${id}`}`, { invited_as, by });
  // The server writes and deletes the others.
  for (const { id, stream_id, topic, content, sender_id } of state.messages.values())
    if (sender_id !== notificationBot) put(`message ${id}`, { stream_id, topic, content });
  put("orders", {
    linkifiers: state.linkifiers.map(({ pattern }) => pattern),
    fields: state.profile_fields.map(({ id }) => id),
    folders: [...state.folders.values()].sort((one, other) => one.order - other.order).map(({ id }) => id),
  });
  return view;
}
