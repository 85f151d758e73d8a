/** Finds permissions by name. */

import { didYouMean } from "../common/suggestions.ts";
import { Usage } from "../errors.ts";
import type { Facts, Scope } from "./facts.ts";
import { permissionNames, rulesOf, scopes } from "./rules.ts";

/** Normalizes a name: `can-send-message` and `can_send_message_group` are equal. */
const normalized = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/_group$/, "");

const scopeNames: Readonly<Record<Scope, string>> = {
  organization: "the organization",
  channel: "channels",
  group: "groups",
};

/** Throws `Usage` for a permission of another scope. This check needs no server. */
export function checkName(text: string, allowed: readonly Scope[], flag: string): void {
  const word = normalized(text);
  const matchingScopes = scopes.filter((scope) => permissionNames(scope).some((name) => normalized(name) === word));
  if (!matchingScopes.length || matchingScopes.some((scope) => allowed.includes(scope))) return;
  throw new Usage(
    `${flag}: ${text} is a permission of ${matchingScopes.map((scope) => scopeNames[scope]).join(" and ")}`,
    {
      hint: matchingScopes.includes("organization")
        ? `Remove --${allowed[0]}.`
        : `Say which one: ${matchingScopes.map((scope) => `--${scope}`).join(" or ")}.`,
    },
  );
}

/** Returns the wire name of a permission in these scopes. Throws `Usage` if there is none. */
export function permissionNamed(facts: Facts, text: string, allowed: readonly Scope[], flag: string): string {
  const all = [...new Set(allowed.flatMap((scope) => Object.keys(rulesOf(facts, scope))))];
  const word = normalized(text);
  const match = all.find((name) => name === text) ?? all.find((name) => normalized(name) === word);
  if (match !== undefined) return match;
  checkName(text, allowed, flag);
  const of = allowed.length > 1 ? "" : ` of ${allowed.map((scope) => scopeNames[scope]).join()}`;
  throw new Usage(`${flag}: unknown permission "${text}"${of}`, {
    hint: didYouMean(word, all.map(normalized)) ?? `Available: ${all.join(", ")}.`,
  });
}
