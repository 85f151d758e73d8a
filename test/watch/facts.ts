/** What a server knows, read from its state without any code of `watch`, and what records say of it. */
import { membersOf } from "../../src/common/object-members.ts";
import { channelPermissionRules } from "../../src/model/channel.ts";
import { groupPermissionRules } from "../../src/model/group.ts";
import { organizationSettings } from "../../src/model/organization.ts";
import { visibleSetting } from "../../src/sandbox/groups.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import type { TableChange } from "../../src/watch/watched-fields.ts";

/** By `channel 7 name` or `channel 7 subscribers 11`: a value as JSON. */
export type Facts = ReadonlyMap<string, string>;

const fieldsOf = (record: object, names: string): [string, unknown][] =>
  Object.entries(record).filter(([name]) => names.split(" ").includes(name));

/** Returns what a server of this level shows. Deactivated people are hidden from lists and permissions. */
export function factsOf(state: SandboxState, level: number): Facts {
  const facts = new Map<string, string>();
  const add = (thing: string, fields: Iterable<readonly [string, unknown]>) => {
    for (const [field, value] of fields) facts.set(`${thing} ${field}`, JSON.stringify(value));
  };
  const people = (field: string, ids: Iterable<number>) =>
    [...ids].filter((id) => state.users.get(id)?.is_active).map((id) => [`${field} ${id}`, true] as const);
  const permissions = (all: object, of: Readonly<Record<string, object>>) =>
    Object.entries(all)
      .filter(([name]) => level >= Number(membersOf(of[name]).since ?? 0))
      .map(([name, value]) => [name, visibleSetting(state, value)] as const);
  for (const user of state.users.values()) add(`user ${user.user_id}`, fieldsOf(user, "full_name role is_active"));
  for (const channel of state.channels.values()) {
    const thing = `channel ${channel.stream_id}`;
    const names = "name description invite_only is_web_public is_archived message_retention_days is_default";
    add(thing, fieldsOf(channel, level < 389 ? names : `${names} folder_id`));
    add(thing, permissions(channel.settings, channelPermissionRules));
    add(thing, people("subscribers", channel.subscribers));
  }
  for (const group of state.groups.values()) {
    if (group.is_system_group) continue;
    add(`group ${group.id}`, fieldsOf(group, "name description deactivated"));
    add(`group ${group.id}`, permissions(group.settings, groupPermissionRules));
    add(`group ${group.id}`, people("members", group.members));
    add(
      `group ${group.id}`,
      [...group.subgroups].map((id) => [`direct_subgroup_ids ${id}`, true]),
    );
  }
  for (const folder of state.folders.values())
    add(`folder ${folder.id}`, fieldsOf(folder, "name description is_archived"));
  for (const one of state.linkifiers) add(`linkifier ${one.id}`, fieldsOf(one, "pattern url_template"));
  for (const one of state.profile_fields) add(`profile_field ${one.id}`, fieldsOf(one, "name type hint field_data"));
  for (const one of state.playgrounds)
    add(`playground ${one.id}`, fieldsOf(one, "name pygments_language url_template"));
  for (const one of state.domains) add(`domain ${one.domain}`, fieldsOf(one, "allow_subdomains"));
  for (const { id, email, revoked, expiry_date } of state.invitations)
    if (!revoked && expiry_date !== 0)
      add(`invitation ${email === null ? "link" : "email"}:${id}`, [["email", email ?? undefined]]);
  const settings = fieldsOf(state.organization.settings, "name description emails_restricted_to_domains");
  for (const [name, value] of settings) add(`setting ${name}`, [["value", value]]);
  for (const [name, value] of permissions(state.organization.permissions, organizationSettings))
    add(`setting ${name}`, [["value", value]]);
  return facts;
}

/** One fact that changes. Undefined is no value. */
export interface Step {
  readonly fact: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const lists = new Set(["subscribers", "members", "direct_subgroup_ids"]);

const stepsTo = (thing: string, fields: unknown): [fact: string, value: string][] =>
  Object.entries(fields ?? {}).flatMap(([field, value]): [string, string][] =>
    lists.has(field)
      ? [value].flat().map((id) => [`${thing} ${field} ${id}`, "true"])
      : [[`${thing} ${field}`, JSON.stringify(value)]],
  );

/** Returns the facts that a record changes. Of a thing that is new or gone these are all its facts. */
export function stepsOf({ table, key, field, from, to }: TableChange): Step[] {
  const thing = `${table} ${key}`;
  if (field === "order") return [];
  if (field !== null && lists.has(field)) {
    const fact = `${thing} ${field} ${from ?? to}`;
    return [to === null ? { fact, from: "true", to: undefined } : { fact, from: undefined, to: "true" }];
  }
  if (field !== null) return [{ fact: `${thing} ${field}`, from: JSON.stringify(from), to: JSON.stringify(to) }];
  return [
    ...stepsTo(thing, from).map(([fact, value]) => ({ fact, from: value, to: undefined })),
    ...stepsTo(thing, to).map(([fact, value]) => ({ fact, from: undefined, to: value })),
  ];
}

/** Returns how facts change from one time to the next. */
export function stepsBetween(before: Facts, after: Facts): Step[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].flatMap((fact) => {
    const [from, to] = [before.get(fact), after.get(fact)];
    return from === to ? [] : [{ fact, from, to }];
  });
}
