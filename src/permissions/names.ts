/** What permissions are called, and which one is meant. */
import { distance } from "fastest-levenshtein";
import { Usage } from "../errors.ts";
import type { Facts } from "./facts.ts";
import { known } from "./known.ts";
import { rulesOf, scopes } from "./rules.ts";
import type { Scope } from "./term.ts";

/** `can-send-message` and `can_send_message_group` are one. */
const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/_group$/, "");

/** As many near matches are told. */
const most = 10;

const told: Readonly<Record<Scope, string>> = {
  organization: "the organization",
  channel: "channels",
  group: "groups",
};

/** Refuses a name that permissions of these scopes have not and those of another have, and says by which flag that is named. */
function refuseElsewhere(
  names: (scope: Scope) => readonly string[],
  { text, wanted, flag }: { text: string; wanted: readonly Scope[]; flag: string },
): void {
  const word = folded(text);
  const has = (scope: Scope) => names(scope).some((name) => folded(name) === word);
  if (wanted.some(has)) return;
  const elsewhere = scopes.filter((scope) => !wanted.includes(scope) && has(scope));
  if (!elsewhere.length) return;
  throw new Usage(`${flag}: ${text} is a permission of ${elsewhere.map((scope) => told[scope]).join(" and ")}`, {
    hint: elsewhere.includes("organization")
      ? `Remove --${wanted[0]}.`
      : `Say which one: ${elsewhere.map((scope) => `--${scope}`).join(" or ")}.`,
  });
}

/** What of a permission's name is certain before the server is known. Throws `Usage`. */
export const checkName = (text: string, wanted: readonly Scope[], flag: string): void =>
  refuseElsewhere((scope) => known[scope], { text, wanted, flag });

/** The wire name of a permission of one of these scopes. Throws `Usage` where there is none. */
export function permissionNamed(facts: Facts, text: string, wanted: readonly Scope[], flag: string): string {
  const named = (scope: Scope) => Object.keys(rulesOf(facts, scope));
  const all = [...new Set(wanted.flatMap(named))];
  const word = folded(text);
  const meant = all.find((name) => name === text) ?? all.find((name) => folded(name) === word);
  if (meant !== undefined) return meant;
  refuseElsewhere(named, { text, wanted, flag });
  const near = all
    .map((name) => ({ name, off: off(word, folded(name)) }))
    .filter(({ off }) => off <= Math.floor(word.length / 3) + 1)
    .sort((one, other) => one.off - other.off)
    .slice(0, most)
    .map(({ name }) => name);
  throw new Usage(
    `${flag}: unknown permission "${text}"${wanted.length > 1 ? "" : ` of ${wanted.map((scope) => told[scope]).join()}`}`,
    {
      hint: near.length ? `Did you mean: ${near.join(", ")}?` : `Available: ${all.join(", ")}.`,
    },
  );
}

/** How far a word is from a name; a part of a name is near it. */
const off = (word: string, name: string): number => (word.length > 2 && name.includes(word) ? 1 : distance(word, name));
