/**
 * Faults on demand, in words: `drop-after:op=group.members,p=0.1,seed=7`. First the kind, then, after a colon, settings
 * that narrow it down.
 */
import { Usage } from "../errors.ts";
import { reads } from "../wire/operation.ts";
import { files } from "./files.ts";
import { routes } from "./routes.ts";

/** The faults there are, and which settings each has beyond those of every fault. */
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
  /** Strikes so often at most. */
  times: number;
  ms: number;
  bytes: number;
  /** Seconds; undefined where no number is told. */
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
  const given = new Map<string, string>();
  for (const setting of rest.join(":").split(",").filter(Boolean)) {
    const [, name = setting, value] = /^([^=]*)=(.*)$/.exec(setting) ?? [];
    if (!known.includes(name)) throw wrong(`${kind} has no setting "${name}"`, `It has: ${known.join(", ")}`);
    if (!value) throw wrong(`the setting ${name} needs a value: ${name}=…`);
    if (given.has(name)) throw wrong(`the setting ${name} is given twice`);
    given.set(name, value);
  }

  const number = (name: string, fallback: number, { least = 0, most = 1e9, whole = true } = {}) => {
    const text = given.get(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value < least || value > most || (whole && !Number.isInteger(value)))
      throw wrong(`${name} must be a ${whole ? "whole number" : "number"} from ${least} to ${most}`);
    return value;
  };
  const yes = (name: string) => {
    const text = given.get(name) ?? "no";
    if (text !== "yes" && text !== "no") throw wrong(`${name} must be yes or no`);
    return text === "yes";
  };
  const params = given.get("param")?.split("+").filter(Boolean) ?? [];
  if (kind === "ignore" && !params.length) throw wrong("it needs param=<name>");
  return {
    kind,
    concerns: operations(given.get("op"), wrong),
    p: number("p", 1, { most: 1, whole: false }),
    seed: number("seed", 1, { most: 2 ** 32 - 1 }),
    nth: given.has("nth") ? number("nth", 1, { least: 1 }) : undefined,
    times: number("times", Number.POSITIVE_INFINITY, { least: 1 }),
    ms: number("ms", kind === "drip" ? 20 : 1000, { most: 3_600_000, whole: false }),
    bytes: number("bytes", 1, { least: 1 }),
    after: given.get("after") === "none" ? undefined : number("after", 1, { whole: false }),
    at: given.has("at") ? number("at", 0) : undefined,
    applied: yes("applied"),
    params,
    to: given.get("to") ?? "https://login.example/",
  };
}

function operations(given: string | undefined, wrong: (what: string, hint: string) => Usage): Fault["concerns"] {
  if (given === undefined) return () => true;
  const operations = [...routes.map(({ operation }) => operation), ...files];
  const all = new Set(operations.map(({ name }) => name));
  const reading = new Set(operations.flatMap((operation) => (reads(operation) ? [operation.name] : [])));
  if (given === "reads") return (name) => name !== undefined && reading.has(name);
  if (given === "changes") return (name) => name !== undefined && !reading.has(name);
  const names = given.split("+");
  const stray = names.find((name) => !all.has(name));
  if (stray !== undefined)
    throw wrong(`the sandbox has no operation "${stray}"`, `Available: reads, changes, ${[...all].sort().join(", ")}.`);
  return (name) => name !== undefined && names.includes(name);
}
