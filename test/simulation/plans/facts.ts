/** The state of an organization as single facts, and who changed each. */
import type { SandboxState } from "../../../src/sandbox/index.ts";

export type Section =
  | "people"
  | "groups"
  | "channels"
  | "folders"
  | "linkifiers"
  | "profile_fields"
  | "domains"
  | "playgrounds"
  | "invitations";

/** `channels 7 description`, `groups 17 members 9`. */
export type Fact = string;
export type Facts = ReadonlyMap<Fact, unknown>;

/** The fact of every existing thing. */
const there = "there";

/** Whether addresses are restricted to domains. */
export const restriction: Fact = "settings - emails_restricted_to_domains";

const groupSettings = ["can_mention_group", "can_join_group", "can_manage_group"] as const;
const channelSettings = ["can_send_message_group", "can_add_subscribers_group"] as const;

const factOf = (setting: unknown): unknown =>
  typeof setting === "object" && setting !== null
    ? JSON.stringify(Object.values(setting).map((ids) => [...(ids as number[])].sort((a, b) => a - b)))
    : setting;

export function factsOf(state: SandboxState): Map<Fact, unknown> {
  const facts = new Map<Fact, unknown>();
  const thing = (section: Section, id: number | string, fields: Readonly<Record<string, unknown>>) => {
    const beginning = `${section} ${id} `;
    facts.set(beginning + there, true);
    for (const field in fields) facts.set(beginning + field, fields[field]);
    return (list: string, elements: Iterable<number>) => {
      for (const each of elements) facts.set(`${beginning}${list} ${each}`, true);
    };
  };
  for (const { user_id, role, is_active } of state.users.values()) thing("people", user_id, { role, away: !is_active });
  for (const group of state.groups.values()) {
    if (group.is_system_group) continue;
    const { id, name, description, deactivated, members, subgroups, settings } = group;
    const list = thing("groups", id, { name, description, away: deactivated });
    for (const each of groupSettings) facts.set(`groups ${id} ${each}`, factOf(settings[each]));
    list("members", members);
    list("subgroups", subgroups);
  }
  for (const channel of state.channels.values()) {
    const { stream_id, name, description, is_archived, folder_id, invite_only, subscribers, settings } = channel;
    const fields = { name, description, away: is_archived, folder: folder_id, is_private: invite_only };
    const list = thing("channels", stream_id, fields);
    for (const each of channelSettings) facts.set(`channels ${stream_id} ${each}`, factOf(settings[each]));
    list("subscribers", subscribers);
  }
  for (const { id, name, description, is_archived } of state.folders.values())
    thing("folders", id, { name, description, away: is_archived });
  for (const { id, pattern, url_template } of state.linkifiers) thing("linkifiers", id, { pattern, url_template });
  for (const { id, name, hint, field_data } of state.profile_fields)
    thing("profile_fields", id, { name, hint, options: field_data });
  for (const { domain, allow_subdomains } of state.domains) thing("domains", domain, { allow_subdomains });
  for (const { id, name, pygments_language, url_template } of state.playgrounds)
    thing("playgrounds", id, { name: `${pygments_language} ${name}`, url_template });
  for (const { id, email, invited_as, revoked, expiry_date } of state.invitations)
    if (email !== null && !revoked && expiry_date !== 0) thing("invitations", id, { name: email, role: invited_as });
  const { settings, permissions } = state.organization;
  facts.set("settings - description", settings.description);
  facts.set(restriction, settings.emails_restricted_to_domains);
  facts.set("settings - can_create_groups", factOf(permissions.can_create_groups));
  facts.set("settings - can_manage_all_groups", factOf(permissions.can_manage_all_groups));
  return facts;
}

/** A change of one fact. */
export interface Write<By> {
  /** A counter: later changes have larger numbers. */
  readonly at: number;
  readonly by: By;
  readonly fact: Fact;
  readonly from: unknown;
  readonly to: unknown;
}

/** Splits a fact into its thing, such as `channels 7`, and its field. */
export function partsOf(fact: Fact): { thing: string; section: string; id: string; field: string; element?: string } {
  const [section, id, field, element] = fact.split(" ") as [string, string, string, string?];
  const thing = `${section} ${id}`;
  return element === undefined ? { thing, section, id, field } : { thing, section, id, field, element };
}

/** The history of an organization. `By` is who sends requests. */
export class History<By> {
  readonly writes: Write<By>[] = [];
  readonly #state: SandboxState;
  #facts: Map<Fact, unknown>;
  #at = 0;

  constructor(state: SandboxState) {
    this.#state = state;
    this.#facts = factsOf(state);
  }

  /** The current facts. Later changes do not appear in them. */
  get facts(): Facts {
    return this.#facts;
  }

  get now(): number {
    return this.#at;
  }

  /** Counts an event that changes nothing. */
  tick(): void {
    this.#at++;
  }

  /** Records an event that may have changed something. */
  record(by: By): void {
    this.#at++;
    const after = factsOf(this.#state);
    const before = this.#facts;
    const write = (fact: Fact, from: unknown, to: unknown) => this.writes.push({ at: this.#at, by, fact, from, to });
    for (const [fact, to] of after) {
      const from = before.get(fact);
      if (from !== to) write(fact, from, to);
    }
    for (const [fact, from] of before) if (!after.has(fact)) write(fact, from, undefined);
    this.#facts = after;
  }
}
