/** Paths of real servers that the sandbox does not have: nothing that an administrator does needs them. */

/** With the first level, if it is later than 371. `*` stands for one part of the path. */
const paths: { readonly [path: string]: number } = {
  "/register_client_device": 468,
  "/remove_client_device": 470,
  "/mobile_push/register": 406,
  "/mobile_push/test_notification": 0,
  "/mobile_push/e2ee/test_notification": 420,
  "/users/me/android_gcm_reg_id": 0,
  "/calls/zoom/create": 0,
  "/calls/bigbluebutton/create": 0,
  "/calls/constructorgroups/create": 460,
  "/calls/nextcloud_talk/create": 465,
  "/calls/webex/create": 493,
  "/messages/*/reactions": 0,
  "/messages/*/report": 435,
  "/messages/*/typing": 0,
  "/typing": 0,
  "/saved_snippets": 0,
  "/saved_snippets/*": 0,
  "/reminders": 399,
  "/reminders/*": 399,
  "/navigation_views": 390,
  "/navigation_views/*": 390,
  "/users/me/avatar": 0,
  "/users/me/alert_words": 0,
  "/users/me/muted_users/*": 0,
  "/users/me/subscriptions/properties": 0,
  "/user_topics": 0,
};

const patterns = Object.entries(paths).map(([path, since]) => ({
  since,
  pattern: new RegExp(`^${path.replaceAll("*", "[^/]+")}$`),
}));

/** Returns whether a real server of the level has the decoded path, and the sandbox does not. */
export const isUnavailable = (path: string, level: number): boolean =>
  patterns.some(({ since, pattern }) => level >= since && pattern.test(path));
