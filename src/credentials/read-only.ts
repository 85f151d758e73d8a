/** Whether changes are refused, and what says so: a flag, the environment or a profile. */
import type { Flags } from "../argv/global-flags.ts";
import type { Sender } from "../client/sending-types.ts";
import { Usage } from "../errors.ts";
import type { World } from "../world/world.ts";

const variable = "ZULIPCTL_READ_ONLY";

const meanings: Readonly<Record<string, boolean>> = { "": false, "0": false, false: false, "1": true, true: true };

/** Returns the variable that makes programs read-only, if this command is. `zulipctl` in them reads it. */
export const readOnlyEnv = (guard: string | undefined): Record<string, string> =>
  guard === undefined ? {} : { [variable]: "1" };

/** Returns what makes the account read-only. A value or a name that could be meant as this guard is refused. */
export function readOnlyBy(
  { env }: Pick<World, "env">,
  { readOnly }: Pick<Flags, "readOnly">,
  sender: Pick<Sender, "profile" | "readOnly">,
): string | undefined {
  if (readOnly) return "--read-only";
  const misspelled = Object.keys(env).find((name) => name !== variable && /^ZULIPCTL_?READ_?ONLY$/i.test(name));
  if (misspelled) throw new Usage(`unknown variable ${misspelled}: did you mean ${variable}?`);
  const value = env[variable]?.trim().toLowerCase() ?? "";
  if (!Object.hasOwn(meanings, value)) throw new Usage(`${variable}: invalid value "${value}": must be 1 or 0`);
  if (meanings[value]) return variable;
  return sender.readOnly ? `profile ${sender.profile}` : undefined;
}
