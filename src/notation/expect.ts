/** `--expect`: the expected current values of permissions. */

import { didYouMean } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";

interface Expectations<S extends string> {
  /** The expected values as typed, by setting. */
  each: ReadonlyMap<S, string>;
  /** The other settings are expected to have the values that are read just before. */
  current: boolean;
}

/**
 * Reads `<setting>=<who>` and `current`. The setting is a wire name or its kebab form. `known`: all settings. `changed`:
 * the settings of other flags. Throws `Usage`.
 */
export function readExpectations<S extends string>(
  texts: readonly string[],
  known: readonly S[],
  changed: readonly S[],
): Expectations<S> {
  const each = new Map<S, string>();
  const current = texts.includes("current");
  for (const text of texts) {
    if (text === "current") continue;
    const [, name = text, who] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (who === undefined) throw new Usage(`--expect must be <setting>=<who>: "${text}" has no =`);
    const setting = known.find((one) => one === name.replaceAll("-", "_"));
    if (!setting)
      throw new Usage(`--expect: unknown setting "${name}"`, {
        hint: didYouMean(name.replaceAll("-", "_"), known) ?? `Available: ${known.join(", ")}.`,
      });
    if (each.has(setting) && each.get(setting) !== who) throw new Usage(`--expect has ${setting} twice`);
    each.set(setting, who);
  }
  for (const setting of each.keys())
    if (!changed.includes(setting)) throw new Usage(`--expect ${setting} requires --${setting.replaceAll("_", "-")}`);
  if (current && !changed.length) throw new Usage("--expect current requires a permission to change");
  return { each, current };
}
