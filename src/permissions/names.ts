/** Finds permissions by name. */
import { distance } from "fastest-levenshtein";
import { Usage } from "../errors.ts";
import type { Facts } from "./facts.ts";
import { namesOf, rulesOf, scopes } from "./rules.ts";
import type { Scope } from "./term.ts";

/** Normalizes a name: `can-send-message` and `can_send_message_group` are equal. */
const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/_group$/, "");

/** The largest number of suggestions. */
const most = 10;

const scopeNames: Readonly<Record<Scope, string>> = {
  organization: "the organization",
  channel: "channels",
  group: "groups",
};

/** Throws `Usage` for a permission of another scope. This check needs no server. */
export function checkName(text: string, wanted: readonly Scope[], flag: string): void {
  const word = folded(text);
  const having = scopes.filter((scope) => namesOf(scope).some((name) => folded(name) === word));
  if (!having.length || having.some((scope) => wanted.includes(scope))) return;
  throw new Usage(`${flag}: ${text} is a permission of ${having.map((scope) => scopeNames[scope]).join(" and ")}`, {
    hint: having.includes("organization")
      ? `Remove --${wanted[0]}.`
      : `Say which one: ${having.map((scope) => `--${scope}`).join(" or ")}.`,
  });
}

/** Returns the wire name of a permission in these scopes. Throws `Usage` if there is none. */
export function permissionNamed(facts: Facts, text: string, wanted: readonly Scope[], flag: string): string {
  const all = [...new Set(wanted.flatMap((scope) => Object.keys(rulesOf(facts, scope))))];
  const word = folded(text);
  const meant = all.find((name) => name === text) ?? all.find((name) => folded(name) === word);
  if (meant !== undefined) return meant;
  checkName(text, wanted, flag);
  const near = all
    .map((name) => ({ name, off: off(word, folded(name)) }))
    .filter(({ off }) => off <= Math.floor(word.length / 3) + 1)
    .sort((one, other) => one.off - other.off)
    .slice(0, most)
    .map(({ name }) => name);
  const of = wanted.length > 1 ? "" : ` of ${wanted.map((scope) => scopeNames[scope]).join()}`;
  throw new Usage(`${flag}: unknown permission "${text}"${of}`, {
    hint: near.length ? `Did you mean: ${near.join(", ")}?` : `Available: ${all.join(", ")}.`,
  });
}

/** Returns the distance of a word from a name. A part of a name counts as near. */
const off = (word: string, name: string): number => (word.length > 2 && name.includes(word) ? 1 : distance(word, name));
