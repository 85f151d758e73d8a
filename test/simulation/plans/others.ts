/** Another owner, who changes things while files are applied. */
import type { Content, FileEntry } from "../../../src/organization/content.ts";
import { isBot, type Sandbox } from "../../../src/sandbox/index.ts";
import type { Chance } from "../chance.ts";
import { type FormRequest, sendAs } from "../other-person.ts";
import { newAddresses, newChannels, newFolders, newGroups, patterns } from "./desired.ts";
import { callerOf, otherOf } from "./organization.ts";

/** Kinds of changes. One that is listed more often is more likely. */
const kinds = [
  0, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15, 16, 16, 17, 18, 19, 20, 20, 21, 21, 22,
  22, 23, 23, 24, 25,
];

export class Other {
  readonly #sandbox: Sandbox;
  readonly #chance: Chance;
  readonly #content: Content;
  readonly #file: string;
  #serial = 0;

  /** `content` is what the file says that somebody applies. */
  constructor(sandbox: Sandbox, chance: Chance, content: Content) {
    this.#sandbox = sandbox;
    this.#chance = chance;
    this.#content = content;
    this.#file = JSON.stringify(content);
  }

  /** Makes a change. The server may refuse it. */
  act(): Promise<void> {
    return this.#send(this.#desired());
  }

  /** Makes the plan more destructive, so that guards must stop it now. */
  async provoke(): Promise<void> {
    const { state } = this.#sandbox;
    const { complete = [], domains = [], channels = [] } = this.#content as unknown as Record<string, FileEntry[]>;
    const exact = (channels as FileEntry[]).flatMap(({ name, subscribers }) =>
      Array.isArray(subscribers)
        ? [...state.channels.values()].filter((channel) => channel.name === name && !channel.invite_only)
        : [],
    );
    const group = [...state.groups.values()].find(({ name }) => name === "designers");
    const ways: FormRequest[][] = [
      [["PATCH", `/users/${otherOf(state).user_id}`, { role: 400 }]],
      ...exact.map(({ stream_id }): FormRequest[] => [["PATCH", `/streams/${stream_id}`, { is_private: true }]]),
    ];
    if ((complete as unknown[]).includes("domains"))
      ways.push(domains.map(({ domain }): FormRequest => ["DELETE", `/realm/domains/${domain}`]));
    if (group) ways.push([["POST", `/user_groups/${group.id}/members`, { delete: [...group.members].slice(-2) }]]);
    for (const one of this.#chance.of(ways)) await this.#send(one);
  }

  #send(request: FormRequest): Promise<void> {
    return sendAs(this.#sandbox, otherOf(this.#sandbox.state), request);
  }

  /** Prefers things that the file names, and the newest things: a run may have just created them. */
  #one<T extends { name?: string; pattern?: string }>(all: readonly T[]): T {
    const named = all.filter(({ name, pattern }) => this.#file.includes(JSON.stringify(name ?? pattern)));
    const which = this.#chance.whole(0, 9);
    return which < 4 && named.length ? this.#chance.of(named) : which < 7 ? all.at(-1)! : this.#chance.of(all);
  }

  #name(wished: readonly string[]): string {
    return this.#chance.hits(0.4) ? this.#chance.of(wished) : `theirs ${this.#serial++}`;
  }

  #desired(): FormRequest {
    const chance = this.#chance;
    const { state } = this.#sandbox;
    const people = [...state.users.values()].filter((user) => !isBot(user));
    // Sometimes the caller's own account, which changes its permissions.
    const person = chance.hits(0.25) ? callerOf(state) : chance.of(people);
    const channel = this.#one([...state.channels.values()]);
    const group = this.#one([...state.groups.values()].filter(({ is_system_group }) => !is_system_group));
    const folder = this.#one([...state.folders.values()]);
    const linkifier = this.#one(state.linkifiers);
    const field = this.#one(state.profile_fields);
    const serial = this.#serial++;
    const [streams, groups, folders] = [
      `/streams/${channel.stream_id}`,
      `/user_groups/${group.id}`,
      `/channel_folders/${folder.id}`,
    ];
    const anybody = [...state.groups.values()].filter(({ deactivated }) => !deactivated);
    switch (chance.of(kinds)) {
      case 0:
      case 1: {
        const there = channel.subscribers.has(person.user_id);
        const subscriptions = there ? [channel.name] : [{ name: channel.name }];
        return [there ? "DELETE" : "POST", "/users/me/subscriptions", { subscriptions, principals: [person.user_id] }];
      }
      case 2:
      case 3:
        return ["PATCH", streams, { new_name: this.#name(newChannels) }];
      case 4:
        return ["PATCH", groups, { name: this.#name(newGroups) }];
      case 5:
        return ["PATCH", folders, { name: this.#name(newFolders) }];
      case 6:
        return ["PATCH", streams, { description: `theirs ${serial}` }];
      case 7:
        return ["PATCH", groups, { description: `theirs ${serial}` }];
      case 8:
        return ["PATCH", folders, { description: `theirs ${serial}` }];
      case 9:
        return channel.is_archived ? ["PATCH", streams, { is_archived: false }] : ["DELETE", streams];
      case 10:
        return group.deactivated ? ["PATCH", groups, { deactivated: false }] : ["POST", `${groups}/deactivate`];
      case 11:
        return ["PATCH", folders, { is_archived: !folder.is_archived }];
      case 12: {
        const form = { name: this.#name(newChannels), subscribers: [person.user_id], description: "theirs" };
        return ["POST", "/channels/create", form];
      }
      case 13: {
        const form = { name: this.#name(newGroups), members: [person.user_id], description: "theirs" };
        return ["POST", "/user_groups/create", form];
      }
      case 14:
        return ["POST", "/channel_folders/create", { name: this.#name(newFolders), description: "theirs" }];
      case 15:
      case 16: {
        const there = group.members.has(person.user_id);
        return ["POST", `${groups}/members`, there ? { delete: [person.user_id] } : { add: [person.user_id] }];
      }
      case 17: {
        const { id } = chance.of(anybody);
        const there = group.subgroups.has(id);
        return ["POST", `${groups}/subgroups`, there ? { delete: [id] } : { add: [id] }];
      }
      case 18:
        return ["PATCH", `/users/${person.user_id}`, { role: chance.of([100, 200, 300, 400, 600]) }];
      case 19:
        return person.is_active
          ? ["DELETE", `/users/${person.user_id}`]
          : ["POST", `/users/${person.user_id}/reactivate`];
      case 20:
        return chance.hits(0.5)
          ? ["PATCH", "/realm", { description: `theirs ${serial}` }]
          : ["PATCH", "/realm", { can_create_groups: { new: chance.of(anybody).id } }];
      case 21: {
        if (chance.hits(0.4) || !linkifier)
          return [
            "POST",
            "/realm/filters",
            { pattern: chance.of(patterns), url_template: "https://theirs.example/{n}" },
          ];
        return chance.hits(0.5)
          ? ["DELETE", `/realm/filters/${linkifier.id}`]
          : [
              "PATCH",
              `/realm/filters/${linkifier.id}`,
              { pattern: linkifier.pattern, url_template: `https://theirs.example/${serial}/{n}` },
            ];
      }
      case 23: {
        const invitation = state.invitations.at(-1);
        return invitation && chance.hits(0.5)
          ? ["DELETE", `/invites/${invitation.id}`]
          : ["POST", "/invites", { invitee_emails: chance.of(newAddresses), stream_ids: [] }];
      }
      case 24:
        return chance.hits(0.3)
          ? ["POST", "/realm/domains", { domain: chance.of(["c.example", "d.example"]), allow_subdomains: true }]
          : ["DELETE", `/realm/domains/${chance.of(["a", "b", "c"])}.example`];
      case 25:
        return chance.hits(0.5)
          ? ["PATCH", "/realm", { emails_restricted_to_domains: chance.hits(0.7) }]
          : ["PATCH", `/users/${otherOf(state).user_id}`, { role: 400 }];
      default: {
        const setting = { new: chance.of(anybody).id };
        return chance.of<FormRequest>([
          ["PATCH", streams, { folder_id: chance.of([folder.id, null]) }],
          ["PATCH", streams, { is_private: !channel.invite_only }],
          ["PATCH", streams, { can_send_message_group: setting }],
          ["PATCH", groups, { can_mention_group: setting }],
          field
            ? ["PATCH", `/realm/profile_fields/${field.id}`, { name: `theirs ${serial}` }]
            : [
                "POST",
                "/realm/profile_fields",
                { name: "Team", field_type: 3, field_data: { 0: { text: "Red", order: "1" } } },
              ],
          [
            "POST",
            "/realm/playgrounds",
            { name: "Try", pygments_language: "Rust", url_template: "https://theirs.example/{code}" },
          ],
        ]);
      }
    }
  }
}
