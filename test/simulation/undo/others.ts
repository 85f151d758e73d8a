/** A second person, who changes the same things. */
import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { Chance } from "../chance.ts";
import { type FormRequest, sendAs } from "../other-person.ts";

const theirs = "adam@sandbox.example";

/** Returns the account of the second person, or the owner's if that one was deactivated. */
export function accountOf({ state }: Sandbox) {
  const users = [...state.users.values()].filter(({ is_active }) => is_active);
  const found = users.find((user) => user.delivery_email === theirs) ?? users.find(({ role }) => role === 100);
  if (!found) throw new Error("nobody is left in the organization");
  return found;
}

export const send = (sandbox: Sandbox, request: FormRequest): Promise<void> =>
  sendAs(sandbox, accountOf(sandbox), request);

const subscription = (name: string, user: number, isIn: boolean): FormRequest => [
  isIn ? "DELETE" : "POST",
  "/users/me/subscriptions",
  { subscriptions: isIn ? [name] : [{ name }], principals: [user] },
];

/** Returns a request that changes what a key of a view says. Undefined if none does. */
export function actOn({ state }: Sandbox, chance: Chance, key: string, n: number): FormRequest | undefined {
  const [thing = "", name = ""] = key.split("|");
  const [kind, ...words] = thing.split(" ");
  const id = Number(words[0]);
  const member = Number(name.split(" ")[1]);
  const groupOf = (called: string) => [...state.groups.values()].find((group) => group.name === called)?.id;
  const who = () => ({ new: groupOf(chance.of(["role:administrators", "role:moderators", "role:members"])) });
  const text = `theirs ${n}`;
  switch (kind) {
    case "channel": {
      const channel = state.channels.get(id);
      if (!channel) return undefined;
      if (name.startsWith("subscriber ")) return subscription(channel.name, member, channel.subscribers.has(member));
      if (name === "is_archived") {
        return channel.is_archived ? ["PATCH", `/streams/${id}`, { is_archived: false }] : ["DELETE", `/streams/${id}`];
      }
      if (name === "is_default") {
        return [channel.is_default ? "DELETE" : "POST", "/default_streams", { stream_id: id }];
      }
      const values: Readonly<Record<string, unknown>> = {
        name: { new_name: text },
        description: { description: text },
        message_retention_days: { message_retention_days: chance.whole(40, 90) },
        topics_policy: { topics_policy: chance.of(["allow_empty_topic", "disable_empty_topic", "inherit"]) },
        folder_id: { folder_id: chance.of([null, ...state.folders.keys()]) },
        invite_only: { is_private: !channel.invite_only },
      };
      const form = name.startsWith("can_") ? { [name]: who() } : (values[name] as FormRequest[2]);
      return form && ["PATCH", `/streams/${id}`, form];
    }
    case "group": {
      const group = state.groups.get(id);
      if (!group) return undefined;
      if (name.startsWith("member "))
        return ["POST", `/user_groups/${id}/members`, { [group.members.has(member) ? "delete" : "add"]: [member] }];
      if (name.startsWith("subgroup "))
        return ["POST", `/user_groups/${id}/subgroups`, { [group.subgroups.has(member) ? "delete" : "add"]: [member] }];
      if (name === "deactivated")
        return group.deactivated
          ? ["PATCH", `/user_groups/${id}`, { deactivated: false }]
          : ["POST", `/user_groups/${id}/deactivate`];
      if (name === "name" || name === "description") return ["PATCH", `/user_groups/${id}`, { [name]: text }];
      return name.startsWith("can_") ? ["PATCH", `/user_groups/${id}`, { [name]: who() }] : undefined;
    }
    case "folder":
      if (name === "is_archived")
        return ["PATCH", `/channel_folders/${id}`, { is_archived: !state.folders.get(id)?.is_archived }];
      return ["PATCH", `/channel_folders/${id}`, { [name === "name" ? "name" : "description"]: text }];
    case "user": {
      const user = state.users.get(id);
      if (name === "full_name") return ["PATCH", `/users/${id}`, { full_name: text }];
      if (name === "role") return ["PATCH", `/users/${id}`, { role: chance.of([300, 400, 600]) }];
      if (name === "is_active")
        return user?.is_active ? ["DELETE", `/users/${id}`] : ["POST", `/users/${id}/reactivate`];
      return name.startsWith("field ")
        ? ["PATCH", `/users/${id}`, { profile_data: [{ id: member, value: text }] }]
        : undefined;
    }
    case "organization": {
      const value: unknown = { ...state.organization.settings, ...state.organization.permissions }[name as never];
      if (name.startsWith("can_")) return ["PATCH", "/realm", { [name]: who() }];
      if (typeof value === "boolean") return ["PATCH", "/realm", { [name]: !value }];
      return typeof value === "number" ? ["PATCH", "/realm", { [name]: chance.whole(11, 99) }] : undefined;
    }
    case "linkifier": {
      const found = state.linkifiers.find(({ pattern }) => pattern === words.join(" "));
      const url_template = `https://theirs${n}.example/{id}`;
      return found && ["PATCH", `/realm/filters/${found.id}`, { pattern: found.pattern, url_template }];
    }
    case "domain": {
      const found = state.domains.find(({ domain }) => domain === words.join(" "));
      return found && ["PATCH", `/realm/domains/${found.domain}`, { allow_subdomains: !found.allow_subdomains }];
    }
    case "playground": {
      const found = state.playgrounds.find((each) => each.name === words.join(" "));
      return found && ["DELETE", `/realm/playgrounds/${found.id}`];
    }
    case "field":
      return ["PATCH", `/realm/profile_fields/${id}`, { hint: text }];
    case "message":
      return ["PATCH", `/messages/${id}`, { topic: text, propagate_mode: chance.of(["change_one", "change_all"]) }];
    default:
      return undefined;
  }
}

/** Returns a request that makes use of a thing that somebody made. Undefined if nobody can tell afterwards. */
export function useOf({ state }: Sandbox, chance: Chance, thing: string, n: number): FormRequest | undefined {
  const [kind, word] = thing.split(" ");
  const id = Number(word);
  const people = [...state.users.values()].filter((user) => user.is_active && user.bot_type === null);
  const user = chance.of(people).user_id;
  const channel = state.channels.get(id);
  if (kind === "channel" && channel)
    return chance.hits(0.5)
      ? subscription(channel.name, user, false)
      : ["POST", "/messages", { type: "stream", to: id, topic: `theirs ${n}`, content: "theirs" }];
  if (kind === "group") return ["POST", `/user_groups/${id}/members`, { add: [user] }];
  if (kind === "folder") return ["PATCH", `/streams/${chance.of([...state.channels.keys()])}`, { folder_id: id }];
  if (kind === "field") return ["PATCH", `/users/${user}`, { profile_data: [{ id, value: "theirs" }] }];
  return undefined;
}
