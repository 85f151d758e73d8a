/**
 * Faults on demand, in words: `drop-after:op=group.members,p=0.1,seed=7`. First the kind, then, after a colon, settings
 * that narrow it down.
 */
import { Usage } from "../errors.ts";
import { reads } from "../wire/operation.ts";
import { files } from "./files.ts";
import { routes } from "./routes.ts";

/** The faults, and the settings of each beside the common ones. */
export const kinds = {
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
export type Kind = keyof typeof kinds;

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind);

export interface Fault {
  kind: Kind;
  /** Whether it concerns an operation. Undefined stands for a request without one. */
  concerns(operation: string | undefined): boolean;
  /** The probability for a request that it concerns. */
  p: number;
  seed: number;
  /** Strikes only the nth request it concerns; undefined: any. */
  nth?: number;
  /** Strikes at most so many requests. */
  times: number;
  ms: number;
  bytes: number;
  /** Seconds of `retry-after`; undefined omits it. */
  after?: number;
  at?: number;
  applied: boolean;
  params: readonly string[];
  to: string;
}

const common = ["op", "p", "seed", "nth", "times"];

/** Throws `Usage` for an invalid fault. */
export function parseFault(spec: string): Fault {
  const wrong = (what: string, hint?: string) => new Usage(`--fault ${spec}: ${what}`, { hint });
  const [kind = "", ...rest] = spec.split(":");
  if (!isKind(kind)) throw wrong(`unknown fault "${kind}"`, `Available: ${Object.keys(kinds).join(", ")}.`);
  const known: readonly string[] = [...kinds[kind], ...common];
  const settings = new Map<string, string>();
  for (const setting of rest.join(":").split(",").filter(Boolean)) {
    const [, name = setting, value] = /^([^=]*)=(.*)$/.exec(setting) ?? [];
    if (!known.includes(name)) throw wrong(`${kind} has no setting "${name}"`, `It has: ${known.join(", ")}`);
    if (!value) throw wrong(`the setting ${name} needs a value: ${name}=…`);
    if (settings.has(name)) throw wrong(`the setting ${name} is given twice`);
    settings.set(name, value);
  }

  const number = (name: string, fallback: number, { least = 0, most = 1e9, whole = true } = {}) => {
    const text = settings.get(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < least || value > most || (whole && !Number.isInteger(value)))
      throw wrong(`${name} must be a ${whole ? "whole number" : "number"} from ${least} to ${most}`);
    return value;
  };
  const yes = (name: string) => {
    const text = settings.get(name) ?? "no";
    if (text !== "yes" && text !== "no") throw wrong(`${name} must be yes or no`);
    return text === "yes";
  };
  const params = settings.get("param")?.split("+").filter(Boolean) ?? [];
  if (kind === "ignore" && !params.length) throw wrong("it needs param=<name>");
  return {
    kind,
    concerns: operations(settings.get("op"), wrong),
    p: number("p", 1, { most: 1, whole: false }),
    seed: number("seed", 1, { most: 2 ** 32 - 1 }),
    nth: settings.has("nth") ? number("nth", 1, { least: 1 }) : undefined,
    times: number("times", Number.POSITIVE_INFINITY, { least: 1 }),
    ms: number("ms", kind === "drip" ? 20 : 1000, { most: 3_600_000, whole: false }),
    bytes: number("bytes", 1, { least: 1 }),
    after: settings.get("after") === "none" ? undefined : number("after", 1, { whole: false }),
    at: settings.has("at") ? number("at", 0) : undefined,
    applied: yes("applied"),
    params,
    to: settings.get("to") ?? "https://login.example/",
  };
}

function operations(op: string | undefined, wrong: (what: string, hint: string) => Usage): Fault["concerns"] {
  if (op === undefined) return () => true;
  const operations = [...routes.map(({ operation }) => operation), ...files];
  const all = new Set(operations.map(({ name }) => name));
  const reading = new Set(operations.flatMap((operation) => (reads(operation) ? [operation.name] : [])));
  if (op === "reads") return (name) => name !== undefined && reading.has(name);
  if (op === "changes") return (name) => name !== undefined && !reading.has(name);
  const names = op.split("+");
  const unknown = names.find((name) => !all.has(name));
  if (unknown !== undefined)
    throw wrong(
      `the sandbox has no operation "${unknown}"`,
      `Available: reads, changes, ${[...all].sort().join(", ")}.`,
    );
  return (name) => name !== undefined && names.includes(name);
}
