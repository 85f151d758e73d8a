/** Runs a batch in a sandbox. */
import type { Disturbance, Sandbox } from "../../src/sandbox/index.ts";
import { fresh, type Options, type Run, zulipctl } from "../run.ts";

export interface Record {
  row: number;
  operation?: string;
  target?: string;
  outcome: string;
  answer?: unknown;
  error?: { [name: string]: unknown };
  ignored?: string[];
  unchanged?: true;
}

export interface Batch extends Run {
  /** The records of `-o ndjson`. */
  records: Record[];
  /** `1 done`, `2 refused`. */
  outcomes: string[];
  /** Requests that change something: `POST /user_groups/17/members add=[12]`. */
  changes: string[];
}

const changeText = ({ method, url, body = "" }: Run["sent"][number]): string =>
  `${method} ${url.replace(/^.*\/api\/v1/, "")} ${[...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).join(" ")}`.trim();

/** Runs `zulipctl batch`, with `-o ndjson` by default. */
export async function batch(argv: readonly string[], options: Options = {}): Promise<Batch> {
  const form = argv.some((word) => word === "-o" || word === "-n") ? [] : ["-o", "ndjson"];
  const run = await zulipctl(["batch", ...form, ...argv], options);
  const records = form.length
    ? run.out
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record)
    : [];
  return {
    ...run,
    records,
    outcomes: records.map(({ row, outcome }) => `${row} ${outcome}`),
    changes: run.sent.filter(({ method }) => method !== "GET").map(changeText),
  };
}

export const members = (sandbox: Sandbox, name: string): number[] =>
  [...[...sandbox.state.groups.values()].find((group) => group.name === name)!.members].sort(
    (one, other) => one - other,
  );

export const disturbed = (disturb: Disturbance): Sandbox => fresh({ disturb });

/** A CSV with one column. */
export const column = (name: string, values: readonly unknown[]): string => `${[name, ...values].join("\n")}\n`;

export const count = (n: number): number[] => Array.from({ length: n }, (_, index) => index);
