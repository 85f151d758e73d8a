/** Describes the effect of risky settings, in phrases that follow "This" and "It". */

import { counted, joinFirst } from "../common/counted.ts";
import { methodStates } from "../model/setting.ts";

/** The largest number of channels that a phrase names. */
const maxChannels = 5;

export interface EffectContext {
  /** Names of the channels that are web-public. */
  readonly webPublic?: readonly string[] | undefined;
  /** The number of channels without a retention of their own. */
  readonly inheriting?: number | undefined;
}

/** Returns for how many days messages are kept. Without a limit it is infinite. */
export const daysOf = (retention: unknown): number =>
  typeof retention === "number" && retention >= 0 ? retention : Number.POSITIVE_INFINITY;

const off: Readonly<Record<string, string>> = {
  invite_required: "lets anybody join without an invitation",
  emails_restricted_to_domains: "lets people join with an e-mail address of any domain",
  disallow_disposable_email_addresses: "lets people join with disposable e-mail addresses",
};

export function effectOf(
  setting: string,
  from: unknown,
  to: unknown,
  { webPublic, inheriting }: EffectContext = {},
): string | undefined {
  if (Object.hasOwn(off, setting)) return to === false && from !== false ? off[setting] : undefined;
  switch (setting) {
    case "enable_spectator_access":
      if (to !== true || from === true) return undefined;
      return webPublic?.length
        ? `shows ${counted(webPublic.length, "channel")} to the web, without an account: ${joinFirst(webPublic, maxChannels)}`
        : "lets channels be shown to the web, without an account";
    case "message_retention_days": {
      if (daysOf(to) >= daysOf(from)) return undefined;
      const channels = inheriting === undefined ? "channels" : counted(inheriting, "channel");
      return `deletes messages older than ${counted(daysOf(to), "day")}, in direct messages and in ${channels} without a retention of their own`;
    }
    case "authentication_methods": {
      const after = methodStates(to);
      const switchedOff = Object.entries(methodStates(from)).flatMap(([name, isOn]) =>
        isOn && after[name] === false ? [name] : [],
      );
      return switchedOff.length ? `switches off signing in with ${switchedOff.join(", ")}` : undefined;
    }
    default:
      return undefined;
  }
}
