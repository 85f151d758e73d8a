/** All that a comparison says of a file's text beside a sandbox, a line each, in canonical values. */
import { expect } from "vitest";
import { parse } from "yaml";
import { type Comparison, compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import type { Difference, FieldChange } from "../../src/organization/difference.ts";
import type { Snapshot } from "../../src/organization/snapshot.ts";
import type { State } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

export interface Beside {
  readonly level?: number;
  readonly as?: number | string;
  readonly prune?: boolean;
  /** What the organization is like. */
  readonly given?: (state: State) => void;
  /** What a server tells that no sandbox does. */
  readonly told?: (snapshot: Snapshot) => void;
}

/** What, the file's text, everything that is said of it, and what it stands beside. */
export type Case = [what: string, text: string, lines: string[], beside?: Beside];

export const channel = (state: State, name: string) => [...state.channels.values()].find((each) => each.name === name)!;
export const group = (state: State, name: string) => [...state.groups.values()].find((each) => each.name === name)!;

const json = (value: unknown): string => JSON.stringify(value) ?? "untold";

const change = ({ field, of, from, to }: FieldChange): string =>
  `${field}${of ? ` of ${json(of)}` : ""}: ${json(from)} → ${json(to)}`;

function differing(one: Difference): string {
  const { section, name, action } = one;
  const id = "id" in one ? ` (${one.id})` : "";
  const what = `${one.prune ? "withheld " : ""}${action} ${section} ${name}${id}`;
  if ("fields" in one) return [what, one.fields.map(change).join("; ")].filter(Boolean).join(" ");
  return one.action === "reorder"
    ? `${what} ${json(one.from)} → ${json(one.to)}`
    : `${what} ${json("to" in one ? one.to : one.from)}`;
}

const at = (path: readonly (string | number)[] | undefined): string => (path ? ` at ${path.join(".")}` : "");

export async function compared(
  text: string,
  { level = 442, as, prune, given, told }: Beside = {},
): Promise<Comparison> {
  const sandbox = fresh({ level });
  given?.(sandbox.state);
  const snapshot = await snapshotIn(sandbox, as);
  told?.(snapshot);
  return compare(snapshot, (parse(text) ?? {}) as Content, { prune });
}

/** Problems, refusals, differences, what is withheld, what stays in use, notices: all of it. */
export async function said(text: string, beside?: Beside): Promise<string[]> {
  const { problems, refused, differences, withheld, used, notices } = await compared(text, beside);
  const all = [...differences, ...withheld];
  expect(JSON.parse(JSON.stringify(all))).toStrictEqual(all);
  return [
    ...problems.map(({ path, says }) => `problem${at(path)}: ${says}`),
    ...refused.map(
      ({ section, name, field, path, needs, says }) =>
        `refused ${section} ${name}${field ? ` ${field}` : ""}${at(path)}${needs ? ` (${needs})` : ""}: ${says}`,
    ),
    ...all.map(differing),
    ...used.map(({ section, name, id, by }) => `used ${section} ${name} (${id}): ${by.join(", ")}`),
    ...notices.map(({ path, says }) => `notice${at(path)}: ${says}`),
  ];
}
