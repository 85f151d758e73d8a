import { addApnsToken, removeApnsToken } from "../api/push.ts";
import { readText } from "../argv/read-text.ts";
import { textInput } from "../argv/text-input.ts";
import { noun } from "../cli/noun.ts";
import { type CommandParameter, type FlagValues, type ReadContext, requiredFlag } from "../cli/parameter.ts";
import { text } from "../cli/value-parameters.ts";
import { changes } from "../cli/verb.ts";
import { Usage, undefinedOnFailure } from "../errors.ts";
import { programLine } from "../output/line.ts";
import { noOldPushes, pushRequirement } from "../run/push-notifications.ts";

const tokenStdin: CommandParameter<string, boolean> = {
  doc: "read the device token from stdin",
  read: (_: boolean, { context, flag }: ReadContext) => readText(context.world, flag, textInput("-")),
};

const tokenFlags = { token: text("the device token", "token"), tokenStdin };
const binds = { tokenStdin: "token" } as const;
const conflicts = [["token", "tokenStdin"]] as const;

type Token = FlagValues<typeof tokenFlags>;

function tokenOf({ token, tokenStdin = token }: Token): string {
  if (tokenStdin === undefined) throw new Usage("missing required flag: --token or --token-stdin");
  return tokenStdin;
}

export const apnsNoun = noun("Push notifications of iOS devices, through Apple's service (APNs)", {
  register: changes(addApnsToken, {
    doc: "Register an iOS device for push notifications (deprecated by newer servers)",
    operations: ["events.register"],
    flags: { ...tokenFlags, appid: requiredFlag(text("the app's id, such as org.zulip.Zulip", "id")) },
    binds,
    conflicts,
    before: async (_, { server, warn }) => {
      const requirement = await undefinedOnFailure(
        server().then(async (one) => pushRequirement(one, await one.level())),
      );
      if (requirement?.isOn) await warn(programLine(`${noOldPushes}; devices registered this way are among them`));
    },
    args: (values) => ({ token: tokenOf(values), appid: values.appid }),
    target: ({ appid }) => appid,
    done: "Registered the device for {target}.",
    checkCommand: "apns register, again: registering the same device twice changes nothing",
    examples: ["zulipctl apns register --appid org.zulip.Zulip --token 740f4707bebcf74f"],
  }),

  unregister: changes(removeApnsToken, {
    doc: "Unregister an iOS device (deprecated by newer servers)",
    flags: tokenFlags,
    binds,
    conflicts,
    args: (values) => ({ token: tokenOf(values) }),
    target: () => "device",
    done: "Unregistered the device.",
    checkCommand: "apns unregister, again: a device that is not registered is refused",
    examples: ["zulipctl apns unregister --token 740f4707bebcf74f"],
  }),
});
