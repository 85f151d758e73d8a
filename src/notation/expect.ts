/** `--expect`: what permissions are taken to be now. */
import { Usage } from "../errors.ts";
import { didYouMean } from "../near.ts";

export interface Expectations<S extends string> {
  /** By setting, the expected value as typed. */
  each: ReadonlyMap<S, string>;
  /** The others are expected to be what is read just before. */
  current: boolean;
}

/**
 * `<setting>=<who>`, where the setting is the wire name or its kebab form, and `current`. `known` are all settings there
 * are, `given` those that are changed. Throws `Usage`.
 */
export function expectations<S extends string>(
  typed: readonly string[],
  known: readonly S[],
  given: readonly S[],
): Expectations<S> {
  const each = new Map<S, string>();
  const current = typed.includes("current");
  for (const text of typed) {
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
    if (!given.includes(setting)) throw new Usage(`--expect ${setting} requires --${setting.replaceAll("_", "-")}`);
  if (current && !given.length) throw new Usage("--expect current requires a permission to change");
  return { each, current };
}
