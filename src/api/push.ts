import { operation } from "../wire/operation.ts";
import { json, maybe, text, words } from "../wire/params.ts";
import { integer, word } from "../wire/types.ts";

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

/** https://zulip.com/api/register-push-device. At 468 it was made anew: a device's key and its token can change by themselves. */
export const registerPushDevice = operation({
  name: "push.register",
  method: "POST",
  path: "/mobile_push/register",
  doc: "Register a device for encrypted push notifications.",
  since: 406,
  params: {
    device_id: maybe(json(integer, { doc: "The device, as it was registered before.", since: 468 })),
    token_kind: maybe(words(word("apns", "fcm"), { doc: "Whose token it is." })),
    push_account_id: maybe(json(integer, { doc: "The device's number for the account, below 468." })),
    push_key: maybe(
      text({
        doc: "The key that notifications are encrypted with.",
        secret: true,
        earlier: [{ below: 432, name: "push_public_key" }],
      }),
    ),
    push_key_id: maybe(json(integer, { doc: "The device's number for the key.", since: 468 })),
    token_id: maybe(text({ doc: "The device's name for the token.", since: 468 })),
    bouncer_public_key: maybe(text({ doc: "The key of the push service that the registration is encrypted with." })),
    encrypted_push_registration: maybe(text({ doc: "The token, encrypted for the push service.", secret: true })),
  },
  result: {},
});

/** https://zulip.com/api/register-client-device */
export const registerDevice = operation({
  name: "device.register",
  method: "POST",
  path: "/register_client_device",
  doc: "Register a device of the account.",
  since: 468,
  params: {},
  result: { device_id: integer },
});

/** https://zulip.com/api/remove-client-device */
export const removeDevice = operation({
  name: "device.remove",
  method: "POST",
  path: "/remove_client_device",
  doc: "Forget a device of the account.",
  since: 470,
  params: { device_id: json(integer, { doc: "The device." }) },
  result: {},
});

/** https://zulip.com/api/e2ee-test-notify */
export const testEncryptedNotification = operation({
  name: "push.test-encrypted",
  method: "POST",
  path: "/mobile_push/e2ee/test_notification",
  doc: "Send an encrypted test notification to the account's devices.",
  since: 420,
  params: {
    device_id: maybe(json(integer, { doc: "This device alone.", earlier: [{ below: 468, name: "push_account_id" }] })),
  },
  result: {},
});
