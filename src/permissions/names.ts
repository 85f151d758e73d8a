/** What permissions are called, and which one is meant. */
import { distance } from "fastest-levenshtein";
import { Usage } from "../errors.ts";
import type { Facts } from "./facts.ts";
import { namesOf, rulesOf, scopes } from "./rules.ts";
import type { Scope } from "./term.ts";

/** `can-send-message` and `can_send_message_group` are one. */
const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/_group$/, "");

/** So many near matches are shown. */
const most = 10;

const scopeNames: Readonly<Record<Scope, string>> = {
  organization: "the organization",
  channel: "channels",
  group: "groups",
};

/** Refuses, before the server is known, a name that only permissions of other scopes have. Throws `Usage`. */
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

/** The wire name of a permission of one of these scopes. Throws `Usage` where there is none. */
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

/** How far a word is from a name; a part of a name is near it. */
const off = (word: string, name: string): number => (word.length > 2 && name.includes(word) ? 1 : distance(word, name));
