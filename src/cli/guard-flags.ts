/** The flags that allow what a guard stops. Every verb that changes something has them. */

import { type CommandParameters, withDefault } from "./parameter.ts";
import { removalLimit, toggle } from "./value-parameters.ts";

export const guardFlags = {
  allowEmpty: toggle("let a whole list become empty, or a private channel lose its last subscriber"),
  maxRemovals: withDefault(
    "10, or a tenth if that is more",
    removalLimit("the largest number of people or things that lists, roles and removals may lose"),
  ),
};

/** The parameters of a verb, with the flags of guards. */
export function withGuards<T extends { readonly flags?: CommandParameters; readonly local?: true }>(verb: T): T {
  return verb.local ? verb : { ...verb, flags: { ...verb.flags, ...guardFlags } };
}
