/** Faults on demand: `drop-after:op=group.members,p=0.1,seed=7` has a kind, and settings that narrow it down. */
import { Usage } from "../errors.ts";
import { isRead } from "../wire/operation.ts";
import { files } from "./files.ts";
import { routes } from "./routes.ts";

/** The faults, and the settings of each beside the common ones. */
export const faultKinds = {
  latency: ["ms"],
  "429": ["after"],
  "500": ["applied"],
  "502": ["applied"],
  "503": ["applied"],
  "504": ["applied"],
  "drop-before": [],
  "drop-after": [],
  cut: ["at"],
  drip: ["ms", "bytes"],
  ignore: ["param"],
  page: [],
  empty: [],
  redirect: ["to"],
  hang: ["applied"],
} as const;
const isKind = (kind: string): kind is keyof typeof faultKinds => Object.hasOwn(faultKinds, kind);

const common = ["op", "p", "seed", "nth", "times"];

/** Throws `Usage` for an invalid fault. */
export function parseFault(spec: string) {
  const usageError = (what: string, hint?: string) => new Usage(`--fault ${spec}: ${what}`, { hint });
  const [kind = "", ...rest] = spec.split(":");
  if (!isKind(kind)) throw usageError(`unknown fault "${kind}"`, `Available: ${Object.keys(faultKinds).join(", ")}.`);
  const known: readonly string[] = [...faultKinds[kind], ...common];
  const settings = new Map<string, string>();
  for (const setting of rest.join(":").split(",").filter(Boolean)) {
    const [, name = setting, value] = /^([^=]*)=(.*)$/.exec(setting) ?? [];
    if (!known.includes(name)) throw usageError(`${kind} has no setting "${name}"`, `It has: ${known.join(", ")}`);
    if (!value) throw usageError(`the setting ${name} needs a value: ${name}=…`);
    if (settings.has(name)) throw usageError(`the setting ${name} is given twice`);
    settings.set(name, value);
  }

  const number = <T>(name: string, fallback: T, { least = 0, most = 1e9, whole = true } = {}) => {
    const text = settings.get(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < least || value > most || (whole && !Number.isInteger(value)))
      throw usageError(`${name} must be a ${whole ? "whole number" : "number"} from ${least} to ${most}`);
    return value;
  };
  const applied = settings.get("applied") ?? "no";
  if (applied !== "yes" && applied !== "no") throw usageError("applied must be yes or no");
  const params = settings.get("param")?.split("+").filter(Boolean) ?? [];
  if (kind === "ignore" && !params.length) throw usageError("it needs param=<name>");
  return {
    kind,
    /** Returns whether the fault applies to an operation; undefined is a request without one. */
    appliesTo: operationSelector(settings.get("op"), usageError),
    /** The probability that it strikes. */
    p: number("p", 1, { most: 1, whole: false }),
    seed: number("seed", 1, { most: 2 ** 32 - 1 }),
    /** Strikes only the nth request to which it applies; undefined: any. */
    nth: number("nth", undefined, { least: 1 }),
    /** Strikes at most so many requests. */
    times: number("times", Number.POSITIVE_INFINITY, { least: 1 }),
    ms: number("ms", kind === "drip" ? 20 : 1000, { most: 3_600_000, whole: false }),
    bytes: number("bytes", 1, { least: 1 }),
    /** Seconds of `retry-after`; undefined omits it. */
    after: settings.get("after") === "none" ? undefined : number("after", 1, { whole: false }),
    at: number("at", undefined),
    /** The server carries out the request first. */
    applied: applied === "yes",
    params,
    to: settings.get("to") ?? "https://login.example/",
  };
}

export type Fault = ReturnType<typeof parseFault>;

function operationSelector(
  op: string | undefined,
  usageError: (what: string, hint: string) => Usage,
): (operation: string | undefined) => boolean {
  if (op === undefined) return () => true;
  const operations = [...routes.map(({ operation }) => operation), ...files];
  const all = new Set(operations.map(({ name }) => name));
  const readNames = new Set(operations.flatMap((operation) => (isRead(operation) ? [operation.name] : [])));
  if (op === "reads") return (name) => name !== undefined && readNames.has(name);
  if (op === "changes") return (name) => name !== undefined && !readNames.has(name);
  const names = op.split("+");
  const unknown = names.find((name) => !all.has(name));
  if (unknown !== undefined)
    throw usageError(
      `the sandbox has no operation "${unknown}"`,
      `Available: reads, changes, ${[...all].sort().join(", ")}.`,
    );
  return (name) => name !== undefined && names.includes(name);
}
