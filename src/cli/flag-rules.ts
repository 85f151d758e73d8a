/** Rules about flags that are typed together. */
import { Usage } from "../errors.ts";
import { type CommandParameters, kebab } from "./parameter.ts";

/** Flags as parsed. */
export type RawOptions = Record<string, unknown>;

/** Flags that belong together or exclude each other. */
export interface FlagRules<F extends CommandParameters = CommandParameters> {
  /** The first of each list cannot be combined with the others. */
  readonly conflicts?: readonly (readonly (keyof NoInfer<F> & string)[])[];
  /** The first of each pair requires the second. */
  readonly requires?: readonly (readonly [flag: keyof NoInfer<F> & string, required: keyof NoInfer<F> & string])[];
  /** Checks typed flags before anything is read. Throws `Usage`. */
  readonly check?: (typed: RawOptions) => void;
}

/** Throws `Usage` for typed flags that break a rule. */
export function checkFlagRules(
  flags: CommandParameters,
  { conflicts = [], requires = [] }: FlagRules,
  typed: RawOptions,
): void {
  const isSet = (name: string) =>
    flags[name]?.onlyNegated ? typed[name] === false : typed[name] !== undefined && typed[name] !== false;
  const flag = (name: string) => `--${typed[name] === false ? "no-" : ""}${kebab(name)}`;
  for (const [first, ...others] of conflicts)
    for (const other of others)
      if (isSet(first!) && isSet(other)) throw new Usage(`${flag(first!)} cannot be combined with ${flag(other)}`);
  for (const [name, required] of requires)
    if (isSet(name) && !isSet(required)) throw new Usage(`${flag(name)} requires ${flag(required)}`);
}
