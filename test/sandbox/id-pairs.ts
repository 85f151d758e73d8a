/** Compares values of two servers that have different ids. Ids that stand for the same thing are paired on first sight. */

import { sortedJson } from "./client.ts";

type Members = { readonly [name: string]: unknown };
export type Side = "real" | "here";

const isMembers = (value: unknown): value is Members =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** The kinds of ids by the members that have them. */
const kinds: { readonly [member: string]: RegExp } = {
  user: /^(?:user_ids?|(?:acting|bot_owner|invited_by)_user_id|(?:owner|sender|creator|bot_owner)_id|(?:direct_)?members|(?:partial_)?subscribers|add_members|edited_by|deactivated_by)$/,
  channel:
    /^(?:stream_ids?|channel_ids?|subscribed_channel_ids|.*_stream_id|moderation_request_channel_id|realm_moderation_request_channel_id|prev_stream|stream|realm_default_streams|default_streams)$/,
  group:
    /^(?:group_ids?|(?:direct_)?subgroups|direct_subgroup_ids|supergroup_ids|.*_group|(?:realm_)?can_(?:create_groups|manage_all_groups))$/,
  order: /^order$/,
  recipient: /^to$/,
  message: /^(?:message_ids?|messages|message|anchor|processed_messages)$/,
  folder: /^(?:folder_id|channel_folder_id|channel_folders?)$/,
};
/** The kinds of the records in these lists, for their member `id`. */
const recordKinds: { readonly [list: string]: string } = {
  user_groups: "group",
  realm_user_groups: "group",
  group: "group",
  message: "message",
  messages: "message",
  channel_folders: "folder",
  channel_folder: "folder",
  linkifiers: "linkifier",
  realm_linkifiers: "linkifier",
  display_recipient: "user",
  custom_fields: "field",
  fields: "field",
  custom_profile_fields: "field",
  exports: "export",
  attachments: "attachment",
  attachment: "attachment",
  scheduled_messages: "scheduled",
  drafts: "draft",
  draft: "draft",
  realm_playgrounds: "playground",
};
/** The kinds of the keys in these dictionaries. */
const keyKinds: { readonly [member: string]: string } = {
  profile_data: "field",
  user_status: "user",
  presences: "user",
  subscribed: "user",
  already_subscribed: "user",
};
const unordered =
  /^(?:members|subscribers|user_ids|stream_ids|direct_.*|subgroups|supergroup_ids|subscribed_channel_ids|message_ids|realm_users|realm_non_active_users|realm_bots|bots|streams|subscriptions|unsubscribed|never_subscribed|user_groups|realm_user_groups|export_consents|cross_realm_bots|realm_default_streams|default_streams|ignored_parameters_unsupported|invites|services|partial_subscribers|realm_domains)$/;
const times =
  /(?:timestamp|last_updated|expiry_date|date_created|date_sent|create_time|_time|_at|^invited|realm_date_created|server_generation)$/;
/** Members that follow from what each server did before, or is made up. */
const unforeseeable =
  /^(?:recipient_id|color|max_message_id|last_event_id|first_message_id|realm_first_message_id|stream_weekly_traffic|is_recently_active|client|queue_id|realm_uuid|event_queue_longpoll_timeout_seconds|zulip_version|zulip_merge_base|server_generation|presence_last_update_id|sender_realm_str|path_id|invite_link|link_url|export_url|ids)$/;

/** Members of `register` that the recording has only where they matter. */
const ofConnection = "queue_id last_event_id zulip_version zulip_feature_level zulip_merge_base".split(" ");
/** Members that follow from the installation of the recorded server, and from how its organizations were made. */
const ofInstallation = `onboarding_steps navigation_tour_video_url presences realm_icon_url realm_icon
  recent_private_conversations settings_send_digest_emails server_inline_url_embed_preview
  server_web_public_streams_enabled server_emoji_data_url jitsi_server_url server_jitsi_server_url
  realm_incoming_webhook_bots realm_embedded_bots user_topics unread_msgs starred_messages stop_words`.split(/\s+/);
const omitted: ReadonlySet<string> = new Set([...ofConnection, ...ofInstallation]);

const kindOf = (member: string): string | undefined => Object.keys(kinds).find((kind) => kinds[kind]!.test(member));

export class IdPairs {
  readonly #names = { real: new Map<string, string>(), here: new Map<string, string>() };
  readonly #ids = new Map<string, number>();
  #count = 0;

  pair(kind: string, real: number, here: number, name = `#${++this.#count}`): void {
    if (this.#names.real.has(`${kind} ${real}`) || this.#names.here.has(`${kind} ${here}`)) return;
    this.#names.real.set(`${kind} ${real}`, name);
    this.#names.here.set(`${kind} ${here}`, name);
    this.#ids.set(`${kind} ${name}`, here);
    this.#ids.set(`${kind} real ${real}`, here);
  }

  /** The id in the sandbox of a thing with this name. */
  idHere = (kind: string, name: string): number | undefined => this.#ids.get(`${kind} ${name}`);

  /** The id in the sandbox of a thing with this id in the recording. */
  idOfRecorded = (kind: string, real: number): number | undefined => this.#ids.get(`${kind} real ${real}`);

  isPaired = (kind: string, side: Side, id: unknown): boolean => this.#names[side].has(`${kind} ${id}`);

  #name(kind: string, side: Side, id: unknown): string {
    return `${kind}:${this.#names[side].get(`${kind} ${id}`) ?? id}`;
  }

  /** Pairs unknown ids at the same place of two values. */
  learn(real: unknown, here: unknown, member = "", parent = ""): void {
    if (Array.isArray(real) && Array.isArray(here)) {
      this.#learnList(real, here, member);
      return;
    }
    if (isMembers(real) && isMembers(here)) {
      for (const name of Object.keys(real)) {
        if (name in here) this.learn(real[name], here[name], memberName(real, name), member);
      }
      const kind = keyKinds[member];
      if (kind) {
        const unknown = (side: Side, value: Members) =>
          Object.keys(value).filter((id) => !this.isPaired(kind, side, id));
        const [a, b] = [unknown("real", real), unknown("here", here)];
        if (a.length === 1 && b.length === 1) this.pair(kind, Number(a[0]), Number(b[0]));
      }
      return;
    }
    if (typeof real !== "number" || typeof here !== "number") return;
    const kind = member === "id" ? (recordKinds[parent] ?? parent) : kindOf(member);
    if (kind) this.pair(kind, real, here);
  }

  #learnList(real: readonly unknown[], here: readonly unknown[], member: string): void {
    if (real.every((each) => typeof each === "number")) {
      const kind = kindOf(member) ?? "";
      const unknown = (side: Side, list: readonly unknown[]) => list.filter((id) => !this.isPaired(kind, side, id));
      const [a, b] = [unknown("real", real), unknown("here", here)];
      if (kind && a.length === 1 && b.length === 1) this.pair(kind, Number(a[0]), Number(b[0]));
      return;
    }
    for (const [index, each] of real.entries()) {
      const key = isMembers(each) ? identityOf(each) : undefined;
      const other = key ? here.find((its) => isMembers(its) && identityOf(its) === key) : here[index];
      this.learn(each, other, member, member);
    }
  }

  /** The value with names in place of ids, sorted lists, and without what no one can foresee. */
  format(side: Side, value: unknown, member = "", parent = ""): unknown {
    if (Array.isArray(value)) {
      const list = value
        .filter((each) => !(isMembers(each) && isSystemMessage(each)))
        .map((each) => this.format(side, each, member, member));
      return unordered.test(member) ? list.sort((a, b) => (sortedJson(a) < sortedJson(b) ? -1 : 1)) : list;
    }
    if (isMembers(value)) {
      const kind = keyKinds[member];
      return Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => !omitted.has(name))
          .map(([name, each]) => [
            kind && /^\d+$/.test(name) ? this.#name(kind, side, name) : this.text(side, name),
            this.format(side, each, memberName(value, name), member),
          ]),
      );
    }
    if (value !== null && unforeseeable.test(member)) return "some";
    if (typeof value === "string") {
      if (member === "api_key" || member === "token") return "<key>";
      return member === "date_joined" ? "date" : this.text(side, value);
    }
    if (typeof value !== "number") return value;
    if (times.test(member) && value > 1e9) return Number.isInteger(value) ? "time" : "time with a fraction";
    // Invitations by mail and links have separate ids.
    if (member === "id" && parent === "invites") return "some";
    const known = member === "id" ? (recordKinds[parent] ?? parent) : kindOf(member);
    return known && value > 0 && value < 1e9 ? this.#name(known, side, value) : value;
  }

  text(side: Side, text: string): string {
    const named = (kind: string) => (_: string, before: string, id: string) => `${before}${this.#name(kind, side, id)}`;
    return text
      .replace(/(user group ID: |User group |user group |data-user-group-id=")(\d+)/g, named("group"))
      .replace(/(user ID:? |User |member '|unknown user |data-user-id=")(\d+)/g, named("user"))
      .replace(
        /(unknown channel |Channel with ID '|channel ID |data-stream-id="|narrow\/channel\/)(\d+)/g,
        named("channel"),
      )
      .replace(/(Field id )(\d+)/g, named("field"))
      .replace(/(user)(\d+)(?=@)/g, named("user"))
      .replace(/(?<=\.)[0-9a-z]{20,}(?=\.[\w.-]*@)/g, "<token>")
      .replace("@in.zulip-468", "@users.zulip-468")
      .replace(
        /\/user_avatars\/\d+\/[0-9a-f.]+?(?=(?:-medium)?\.png)(?:-medium)?\.png(?:\?[^"]*)?/g,
        "/user_avatars/made.png",
      )
      .replace(/(?<=\/static_avatars\/[\w-]+)\.[0-9a-f]{12}(?=\.png)/, "")
      .replace(/\/user_uploads\/[\w/-]+\/([\w.-]+)/g, "/user_uploads/made/$1");
  }
}

/** The value of a changed property is like the member of that name. */
const memberName = (of: Members, name: string): string =>
  name === "value" && typeof of.property === "string" ? of.property : name;

const systemSender = /^(?:notification|welcome|emailgateway|feedback)-?bot@/;
const isSystemMessage = ({ sender_email }: Members): boolean =>
  typeof sender_email === "string" && systemSender.test(sender_email);

function identityOf(record: Members): string | undefined {
  const { email, delivery_email = email, full_name, name, pattern, subject, content, type, op } = record;
  if (typeof type === "string" && op !== undefined) return undefined;
  const words = [delivery_email, full_name, name, pattern, content, subject].filter((each) => typeof each === "string");
  return words.length > 0 ? words.join("\n") : undefined;
}
