/** Answers and events in the form of histories: sorted, with names, without unpredictable values. */
import { sortedJson } from "./client.ts";
import type { Json, Kind, Members, Names } from "./history-names.ts";

/** Inverts a record of words by key. */
const invertWords = <K extends string>(words: { [key in K]?: string }): { [word: string]: K } =>
  Object.fromEntries(
    Object.entries<string>(words as Record<K, string>).flatMap(([key, all]) =>
      all.split(" ").map((word) => [word, key]),
    ),
  ) as { [word: string]: K };

/** The kinds of ids, by member. */
const kindOf = invertWords<Kind>({
  user: "user_id acting_user_id bot_owner_id invited_by_user_id sender_id creator_id",
  group: "group_id",
  channel: "stream_id channel_id",
});
const listsOf = invertWords<Kind>({
  user: "direct_members members subscribers user_ids",
  group: "direct_subgroups direct_subgroup_ids subgroups supergroup_ids",
  channel: "stream_ids default_streams realm_default_streams subscribed_channel_ids",
});
const recordsOf = invertWords<Kind>({
  linkifier: "linkifiers realm_linkifiers",
  field: "custom_fields custom_profile_fields fields custom_profile_field",
  playground: "realm_playgrounds",
  draft: "drafts draft",
  message: "messages",
  group: "user_groups realm_user_groups group",
});
/** The sort key of each list of records. */
const orders = invertWords({
  user_id: "members realm_users realm_non_active_users export_consents",
  stream_id: "streams subscriptions unsubscribed never_subscribed",
  id: "user_groups realm_user_groups drafts invites realm_playgrounds",
  domain: "domains realm_domains",
});
const unpredictable = new Set(
  `date_created rendered_description first_message_id avatar_url avatar_url_medium avatar_source avatar_version
  is_recently_active stream_weekly_traffic date_joined export_time stream_post_policy is_announcement_only order
  subscriber_count max_message_id color invited rendered_value recipient_id client sender_realm_str flags edit_history
  last_edit_timestamp last_event_id email_address`.split(/\s+/),
);
const ofOrganization =
  /^(realm_|can_|is_|subscriptions$|unsubscribed$|never_subscribed$|streams$|custom_profile_fields$|drafts$|user_id$|email$|delivery_email$|full_name$|queue_id$|result$|msg$|ignored_parameters_unsupported$|zulip_feature_level$)/;
const ofServer = new Set(
  `url uri date_created icon_url logo_url night_logo_url bot_domain upload_quota_mib plan_type
  push_notifications_enabled push_notifications_enabled_end_timestamp default_external_accounts
  available_video_chat_providers incoming_webhook_bots embedded_bots bots authentication_methods email_auth_enabled
  password_auth_enabled emoji billing filters uuid`
    .split(/\s+/)
    .map((name) => `realm_${name}`),
);

export const compareBy =
  <T>(of: (item: T) => string) =>
  (a: T, b: T): number =>
    of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0;

export class View {
  constructor(readonly names: Names) {}

  #people(value: Json): Json {
    if (typeof value !== "string" || !/^\[[\d, ]*\]$/.test(value)) return value;
    return (JSON.parse(value) as number[]).map((id) => this.names.of("user", id));
  }

  #number(value: number, member: string): Json {
    if (member === "timestamp") return value > 1.7e9 ? "now" : value;
    if (member === "expiry_date") return "set";
    if (member === "anchor") {
      return value > 1e15 ? value : this.names.has("message", value) ? this.names.of("message", value) : "other";
    }
    const guess = /_(stream|channel)_id$/.test(member) ? "channel" : /_groups?$/.test(member) ? "group" : undefined;
    const kind = kindOf[member] ?? listsOf[member] ?? guess;
    return kind ? this.names.of(kind, value) : value;
  }

  #list(list: Json[], member: string): Json {
    if (member === "new_domain") return ["set", list[1]!];
    if (member === "ids") return `${list.length} ids`;
    if (member === "events") return this.events(list as Members[]);
    const all = list.map((each) => this.format(each, member));
    const records = typeof list[0] === "object" && !Array.isArray(list[0]);
    const by = orders[member];
    if (records && by) {
      // People and channels outside the history have no names.
      const known = by.endsWith("_id") ? all.filter((each) => typeof (each as Members)[by] === "string") : all;
      return known.sort(compareBy((each) => String((each as Members)[by])));
    }
    if (records && member === "messages") return all.filter((each) => typeof (each as Members).id === "string");
    if (records && member === "topics") return all.filter((each) => typeof (each as Members).max_id === "string");
    const unordered = ["removed", "not_removed", "unauthorized", "settings", "objections"].includes(member);
    const failures = member === "errors" && Array.isArray(list[0]);
    return (listsOf[member] && !records) || unordered || failures ? all.sort(compareBy(sortedJson)) : all;
  }

  #byKey(value: Members, kind: Kind, each: (value: Json) => Json): Json {
    return Object.fromEntries(Object.entries(value).map(([id, one]) => [String(this.names.of(kind, id)), each(one)]));
  }

  #draft(value: Members): Json {
    const kind = value.type === "stream" ? "channel" : "user";
    return {
      ...value,
      ...("id" in value ? { id: this.names.of("draft", value.id as number) } : {}),
      timestamp: this.format(value.timestamp!, "timestamp"),
      to: (value.to as number[]).map((id) => this.names.of(kind, id)),
    };
  }

  #id(value: Members, member: string): Json {
    const id = value.id as number;
    if (member === "invites") return this.names.of(value.is_multiuse ? "link" : "invitation", id);
    return recordsOf[member] ? this.names.of(recordsOf[member], id) : "set";
  }

  #record(value: Members, member: string): Json {
    const registers = member === "" && "queue_id" in value && "last_event_id" in value;
    const out: Members = {};
    for (const [name, each] of Object.entries(value)) {
      if (unpredictable.has(name) || (registers && (!ofOrganization.test(name) || ofServer.has(name)))) continue;
      if (name === "content" && value.content_type === "text/html") continue;
      if (name === "id") out[name] = this.#id(value, member);
      else if (name === "value" && member === "custom_profile_field") out[name] = this.#people(each);
      else if (name === "value" && typeof value.property === "string") out[name] = this.format(each, value.property);
      else out[name] = this.format(each, name);
    }
    return out;
  }

  /** Formats an answer, or its member of this name. */
  format(value: Json, member = ""): Json {
    if (value === null || typeof value === "boolean") return value;
    if (member === "match_content") return String(value).includes('<span class="highlight">') ? "highlighted" : "plain";
    if (member === "match_subject") return String(value).replace(/<[^>]+>/g, "");
    if (typeof value === "string") {
      return ["api_key", "invite_link", "link_url"].includes(member) ? "set" : this.names.words(value);
    }
    if (typeof value === "number") return this.#number(value, member);
    if (Array.isArray(value)) return this.#list(value, member);
    if ("topic" in value && Array.isArray(value.to)) return this.#draft(value);
    if (member === "topics") return { name: value.name!, max_id: this.names.of("message", value.max_id as number) };
    if (member === "subscribed" || member === "already_subscribed") {
      return this.#byKey(value, "user", (list) => [...(list as string[])].sort());
    }
    if (member === "profile_data") {
      return this.#byKey(value, "field", (each) => ({ value: this.#people((each as Members).value!) }));
    }
    if (member === "messages" && !("id" in value)) return this.#byKey(value, "message", (each) => this.format(each));
    return this.#record(value, member);
  }

  /** Splits an event into one for each thing. */
  #split({ id: _, ...event }: Members): Members[] {
    const { type, op } = event;
    if (op === "peer_add" || op === "peer_remove") {
      const people = event.user_ids as number[];
      return (event.stream_ids as number[]).flatMap((channel) =>
        people.map((user) => ({
          type: "subscription",
          op,
          stream_id: this.names.of("channel", channel),
          user_id: this.names.of("user", user),
        })),
      );
    }
    const many = type === "subscription" ? "subscription" : "stream";
    const list = event[`${many}s`];
    if (Array.isArray(list) && (op === "add" || op === "remove" || op === "create" || op === "delete")) {
      return (list as Members[]).map((each) => ({
        type: type!,
        op,
        ...(op === "remove" ? {} : { [many]: this.format(each) }),
        stream_id: this.names.of("channel", each.stream_id as number),
      }));
    }
    if (type === "user_group" && op === "add") {
      const group = event.group as Members;
      return [{ type, op, group: this.format(group, "group"), group_id: this.names.of("group", group.id as number) }];
    }
    return [this.format(event) as Members];
  }

  /** Sorts events by thing. Only the order of events about the same thing matters. */
  events(list: readonly Members[]): Json {
    const events = list
      .filter(({ type, property }) => type !== "heartbeat" && !unpredictable.has(String(property)))
      .flatMap((event) => this.#split(event));
    const about = (event: Members): string => {
      const { type, op, stream_id, group_id, person, property, domain, realm_domain, user_id } = event;
      const thing =
        stream_id ??
        group_id ??
        (person as Members)?.user_id ??
        property ??
        domain ??
        (realm_domain as Members)?.domain;
      return [type, thing ?? "", String(op).startsWith("peer") ? user_id : ""].join(" ");
    };
    return events
      .map((event, position) => ({ event, position, about: about(event) }))
      .sort((a, b) => (a.about < b.about ? -1 : a.about > b.about ? 1 : a.position - b.position))
      .map(({ event }) => event);
  }
}
