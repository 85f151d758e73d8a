/** The flag that changes a thing that exists already. */
import { Usage } from "../errors.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { RawOptions } from "./flag-rules.ts";
import type { CommandParameters } from "./parameter.ts";
import { toggle } from "./value-parameters.ts";

const orUpdate = toggle("change it to these values if it exists with others; what you leave out stays");

/** Returns a verb that creates things, with its flag for those that exist. */
export function withOrUpdate<
  T extends { readonly flags?: CommandParameters; check?: ((typed: RawOptions) => void) | undefined },
>(operation: AnyOperation, verb: T): T {
  const { existing } = operation;
  if (!existing) return verb;
  if (existing.incomparable === undefined) return { ...verb, flags: { ...verb.flags, orUpdate } };
  return {
    ...verb,
    flags: { ...verb.flags, orUpdate: { ...orUpdate, hidden: true as const } },
    check(typed: RawOptions) {
      verb.check?.(typed);
      if (typed.orUpdate)
        throw new Usage(`--or-update is not supported for ${existing.kind}: ${existing.incomparable}`, {
          hint: `To replace it, first run: zulipctl ${existing.kind} rm <name>`,
        });
    },
  };
}
