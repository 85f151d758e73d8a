import { plans } from "../cli/conversation.ts";
import { text, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { needed } from "../cli/word.ts";

export const apns = noun("Push notifications of iOS devices", {
  register: plans({
    doc: "Register an iOS device for push notifications (deprecated by newer servers)",
    flags: {
      token: text("the device token", "token"),
      tokenStdin: toggle("read the device token from stdin"),
      appid: needed(text("the app's id, such as org.zulip.Zulip", "id")),
    },
    examples: ["zulipctl apns register --appid org.zulip.Zulip --token 740f4707bebcf74f"],
    run: async () => (await import("./apns/register.ts")).register,
  }),

  unregister: plans({
    doc: "Unregister an iOS device (deprecated by newer servers)",
    flags: {
      token: text("the device token", "token"),
      tokenStdin: toggle("read the device token from stdin"),
    },
    examples: ["zulipctl apns unregister --token 740f4707bebcf74f"],
    run: async () => (await import("./apns/register.ts")).unregister,
  }),
});
