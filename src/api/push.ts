import { operation } from "../wire/operation.ts";
import { maybe, text } from "../wire/params.ts";

/** https://zulip.com/api/add-apns-token */
export const addApnsToken = operation({
  name: "apns.register",
  method: "POST",
  path: "/users/me/apns_device_token",
  doc: "Register an iOS device for push notifications.",
  deprecated: 406,
  params: {
    token: text({ doc: "The device token.", secret: true }),
    appid: text({ doc: "The app's id, such as org.zulip.Zulip." }),
  },
  result: {},
});

const token = text({ doc: "The device token.", secret: true });

/** https://zulip.com/api/remove-apns-token */
export const removeApnsToken = operation({
  name: "apns.unregister",
  method: "DELETE",
  path: "/users/me/apns_device_token",
  doc: "Unregister an iOS device.",
  deprecated: 406,
  params: { token },
  result: {},
});

/** https://zulip.com/api/add-fcm-token */
export const addFcmToken = operation({
  name: "fcm.register",
  method: "POST",
  path: "/users/me/android_gcm_reg_id",
  doc: "Register an Android device for push notifications.",
  deprecated: 406,
  params: { token },
  result: {},
});

/** https://zulip.com/api/remove-fcm-token */
export const removeFcmToken = operation({
  name: "fcm.unregister",
  method: "DELETE",
  path: "/users/me/android_gcm_reg_id",
  doc: "Unregister an Android device.",
  deprecated: 406,
  params: { token },
  result: {},
});

/** https://zulip.com/api/test-notify */
export const testNotification = operation({
  name: "push.test",
  method: "POST",
  path: "/mobile_push/test_notification",
  doc: "Send a test notification to the account's devices.",
  since: 217,
  params: { token: maybe(token) },
  result: {},
});
