/**
 * The addresses of a real server around our operations, and the methods of each in the order in which it names them.
 * What answers is decided by routes; this table decides between 404, 405 and OPTIONS, so it also holds what the sandbox leaves out.
 */

interface Path {
  path: string;
  methods: readonly string[];
  since?: number;
}

const declared: readonly Path[] = [
  { path: "/users", methods: ["GET", "POST"] },
  { path: "/users/me", methods: ["GET", "DELETE"] },
  { path: "/users/me/api_key/regenerate", methods: ["POST"] },
  { path: "/users/me/apns_device_token", methods: ["POST", "DELETE"] },
  { path: "/users/me/subscriptions", methods: ["GET", "POST", "PATCH", "DELETE"] },
  { path: "/users/me/{stream_id}/topics", methods: ["GET"] },
  { path: "/users/{user_id}", methods: ["GET", "PATCH", "DELETE"] },
  { path: "/users/{user_id}/reactivate", methods: ["POST"] },
  { path: "/users/{user_id}/channels", methods: ["GET"], since: 440 },
  { path: "/users/{user_id}/subscriptions/{stream_id}", methods: ["GET"] },
  { path: "/users/{email}", methods: ["GET", "PATCH"] },
  { path: "/bots", methods: ["GET", "POST"] },
  { path: "/bots/{bot_id}", methods: ["PATCH", "DELETE"] },
  { path: "/bots/{bot_id}/api_key", methods: ["GET"], since: 463 },
  { path: "/streams", methods: ["GET"] },
  { path: "/streams/{stream_id}", methods: ["GET", "PATCH", "DELETE"] },
  { path: "/streams/{stream_id}/members", methods: ["GET"] },
  { path: "/streams/{stream_id}/email_address", methods: ["GET"], since: 226 },
  { path: "/streams/{stream_id}/delete_topic", methods: ["POST"] },
  { path: "/get_stream_id", methods: ["GET"] },
  { path: "/channels/create", methods: ["POST"], since: 417 },
  { path: "/default_streams", methods: ["POST", "DELETE"] },
  { path: "/channel_folders", methods: ["GET"], since: 389 },
  { path: "/channel_folders", methods: ["GET", "PATCH"], since: 414 },
  { path: "/channel_folders/create", methods: ["POST"], since: 389 },
  { path: "/channel_folders/{channel_folder_id}", methods: ["PATCH"], since: 389 },
  { path: "/drafts", methods: ["GET", "POST"], since: 87 },
  { path: "/drafts/{draft_id}", methods: ["PATCH", "DELETE"], since: 87 },
  { path: "/user_groups", methods: ["GET"] },
  { path: "/user_groups/create", methods: ["POST"] },
  { path: "/user_groups/{user_group_id}", methods: ["PATCH"] },
  { path: "/user_groups/{user_group_id}/deactivate", methods: ["POST"], since: 290 },
  { path: "/user_groups/{user_group_id}/members", methods: ["GET", "POST"] },
  { path: "/user_groups/{user_group_id}/members/{user_id}", methods: ["GET"] },
  { path: "/user_groups/{user_group_id}/subgroups", methods: ["POST", "GET"] },
  { path: "/realm/filters", methods: ["POST"] },
  { path: "/realm/filters/{filter_id}", methods: ["DELETE", "PATCH"] },
  { path: "/realm/linkifiers", methods: ["GET", "PATCH"], since: 54 },
  { path: "/realm/profile_fields", methods: ["GET", "PATCH", "POST"] },
  { path: "/realm/profile_fields/{field_id}", methods: ["PATCH", "DELETE"] },
  { path: "/attachments", methods: ["GET"] },
  { path: "/attachments/{attachment_id}", methods: ["DELETE"] },
  { path: "/realm/user_settings_defaults", methods: ["PATCH"], since: 96 },
  { path: "/realm/domains", methods: ["GET", "POST"] },
  { path: "/realm/domains/{domain}", methods: ["PATCH", "DELETE"] },
  { path: "/realm/playgrounds", methods: ["POST"] },
  { path: "/realm/playgrounds/{playground_id}", methods: ["DELETE"] },
  { path: "/realm/emoji", methods: ["GET"] },
  { path: "/realm/emoji/{emoji_name}", methods: ["POST", "DELETE"] },
  { path: "/export/realm", methods: ["POST", "GET"] },
  { path: "/export/realm/consents", methods: ["GET"], since: 295 },
  { path: "/export/realm/{export_id}", methods: ["DELETE"] },
  { path: "/messages", methods: ["GET", "POST"] },
  { path: "/messages/matches_narrow", methods: ["GET"] },
  { path: "/messages/render", methods: ["POST"] },
  { path: "/messages/{message_id}", methods: ["GET", "PATCH", "DELETE"] },
  { path: "/invites", methods: ["GET", "POST"] },
  { path: "/invites/multiuse", methods: ["POST"] },
  { path: "/invites/multiuse/{invite_id}", methods: ["DELETE"] },
  { path: "/invites/{invite_id}", methods: ["DELETE"] },
  { path: "/invites/{invite_id}/resend", methods: ["POST"] },
  { path: "/realm", methods: ["PATCH"] },
  { path: "/settings", methods: ["PATCH"] },
  { path: "/user_uploads", methods: ["POST"] },
  { path: "/user_uploads/{path_id}", methods: ["GET"], since: 1 },
  { path: "/register", methods: ["POST"] },
  { path: "/events", methods: ["GET", "DELETE"] },
  { path: "/fetch_api_key", methods: ["POST"] },
  { path: "/server_settings", methods: ["GET"] },
];

/** What stands in a path as text, and what it may be. */
const texts: Readonly<Record<string, string>> = {
  email: "([^/]+)",
  domain: "([^/]+)",
  emoji_name: "([^/]+)",
  path_id: "([^/]+/.+)",
};

// Longer numbers are none to the server's framework.
const number = "([0-9]{1,4300})";

const pattern = (path: string): RegExp =>
  new RegExp(
    `^${path.replace(/\{(\w+)\}/g, (part, name) => (Object.hasOwn(texts, name) ? texts[name]! : part)).replace(/\{\w+\}/g, number)}$`,
  );

const matchers = declared.map((each) => ({ ...each, since: each.since ?? 0, pattern: pattern(each.path) }));

export interface Place {
  /** As declared: `/streams/{stream_id}`. */
  path: string;
  methods: readonly string[];
  /** What stands in the path, by name: numbers, and texts where they are names. */
  named: Record<string, number | string>;
}

/** The place a decoded path names on a server of this level; undefined where there is none. */
export function placeOf(path: string, level: number): Place | undefined {
  const found = matchers.filter(({ pattern, since }) => since <= level && pattern.test(path));
  const first = found[0];
  if (!first) return undefined;
  const { methods } = found.findLast((each) => each.path === first.path)!;
  const names = [...first.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const parts = first.pattern.exec(path)!.slice(1);
  const part = (name: string, text: string) => (Object.hasOwn(texts, name) ? text : Number(text));
  return {
    path: first.path,
    methods,
    named: Object.fromEntries(names.map((name, i) => [name, part(name, parts[i]!)])),
  };
}
