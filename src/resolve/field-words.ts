/** The value of a parameter for people: with names in place of ids, and words in place of numbers. */

import { joinFirst } from "../common/counted.ts";
import { valueForPeople } from "../model/field.ts";
import type { MemberKind } from "../model/kinds/kind.ts";
import { whoIn } from "../model/permission.ts";
import { jsonText } from "../output/sanitize.ts";
import type { Field } from "../wire/call.ts";
import { type IdNames, kindsNamed } from "./look-ups.ts";
import { valueText } from "./parameter-texts.ts";

/** The largest number of people or groups of a list that a line names. */
const mostNames = 8;

interface Forms {
  /** The server's answer, if it lists words of settings. */
  readonly registered?: Readonly<Record<string, unknown>> | undefined;
  /** Formats a text that is no fixed word. */
  readonly text?: (text: string) => string;
}

/** Formats a permission, with the names that this run has read. */
async function whoInWords(names: IdNames, who: unknown): Promise<string> {
  const known = async (kind: MemberKind, id: number) => (await names.nameOf(kind, id)) ?? `${kind} ${id}`;
  const { direct_members, direct_subgroups } = whoIn(who);
  const all = [...direct_members.map((id) => known("user", id)), ...direct_subgroups.map((id) => known("group", id))];
  return (await Promise.all(all)).join(", ") || "nobody";
}

/** Formats a value without the names of ids. */
export function plainWords(
  { name, of, isWord }: Field,
  value: unknown,
  { registered, text = jsonText }: Forms = {},
): string {
  if (value === null || (of === "channel" && value === -1)) return "none";
  const words = valueForPeople(name, value, registered);
  if (typeof words === "string" && !isWord && words === value) return text(words);
  return typeof words === "object" ? jsonText(words) : String(words);
}

export async function fieldWords(names: IdNames, field: Field, value: unknown, forms: Forms = {}): Promise<string> {
  const { of } = field;
  if (of === "who" && value !== null) return whoInWords(names, value);
  if (Array.isArray(value)) {
    // Only the first are named, of perhaps thousands.
    const texts = value.map((each, at) =>
      typeof each === "string" ? each : of && at >= mostNames ? String(each) : fieldWords(names, field, each, forms),
    );
    const all = await Promise.all(texts);
    return (of ? joinFirst(all, mostNames) : all.join(", ")) || "none";
  }
  const [kind] = kindsNamed(of);
  if (kind && typeof value === "number" && value >= 0) return (await names.nameOf(kind, value)) ?? String(value);
  return of && typeof value === "object" && value !== null
    ? valueText(names, of, value)
    : plainWords(field, value, forms);
}
