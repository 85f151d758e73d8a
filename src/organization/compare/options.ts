/** Options of a profile field. People's values are the keys of options, so an option keeps its key whatever it is called. */

import type { Path } from "../content.ts";
import type { Option } from "../difference.ts";
import type { Findings } from "./findings.ts";
import { arranged } from "./orders.ts";

type Listed = string | { readonly name: string; readonly was?: string };

interface Wish {
  readonly text: string;
  readonly was?: string;
}

const wishOf = (listed: Listed): Wish =>
  typeof listed === "string" ? { text: listed } : { ...listed, text: listed.name };

/** A key that no option has had as far as can be seen. */
function* newKeys(options: readonly Option[]): Generator<string> {
  for (let next = Math.max(-1, ...options.map(({ key }) => (/^\d{1,15}$/.test(key) ? Number(key) : -1))) + 1; ; next++)
    yield String(next);
}

export interface Compared {
  readonly options: readonly Option[];
  /** Those that the file does not name. */
  readonly others: readonly Option[];
}

/** What the options are to be. Undefined where that cannot be told. */
export function comparedOptions(
  all: readonly Listed[],
  from: readonly Option[],
  path: Path,
  findings: Findings,
): Compared | undefined {
  const wishes = all.map(wishOf);
  const texts = new Set<string | undefined>(wishes.map(({ text }) => text));
  const byText = new Map<string | undefined, Option>(from.map((option) => [option.text, option]));
  const strange = wishes.findIndex(({ text, was }) => !byText.has(text) && byText.has(was) && texts.has(was));
  if (strange >= 0)
    return findings.problem([...path, strange, "was"], `"${wishes[strange]!.was}" is also another option of this list`);
  const keys = newKeys(from);
  const spoken = new Set<Option | undefined>();
  const listed = wishes.map(({ text, was }, n): Option => {
    const there = byText.get(text);
    const old = byText.get(was);
    if (there && old)
      findings.notice(`option "${text}" exists, and so does "${was}": "was" is ignored`, [...path, n, "was"]);
    spoken.add(there).add(old);
    return { key: (there ?? old)?.key ?? keys.next().value!, text };
  });
  const renamed = new Map(listed.map((option) => [option.key, option]));
  const now = from.map((option) => renamed.get(option.key) ?? option);
  const made = listed.filter(({ key }) => !from.some((option) => option.key === key));
  return { options: arranged([...now, ...made], listed), others: from.filter((option) => !spoken.has(option)) };
}
