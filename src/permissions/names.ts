/** What permissions are called, and which one is meant. */
import { distance } from "fastest-levenshtein";
import { Usage } from "../errors.ts";
import type { Facts } from "./facts.ts";
import { rulesOf, scopes } from "./rules.ts";
import type { Scope } from "./term.ts";

/** `Can-Send-Message` and `can_send_message_group` are one. */
const folded = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/_group$/, "");

const most = 10;

/**
 * The wire name of a permission of one of these scopes. Throws `Usage` where there is none, which says if there is one of
 * another scope, and by which flag that is named.
 */
export function permissionNamed(facts: Facts, text: string, wanted: readonly Scope[], flag: string): string {
  const named = (scope: Scope) => Object.keys(rulesOf(facts, scope));
  const all = [...new Set(wanted.flatMap(named))];
  const word = folded(text);
  const meant = all.find((name) => name === text) ?? all.find((name) => folded(name) === word);
  if (meant !== undefined) return meant;
  const elsewhere = scopes.filter(
    (scope) => !wanted.includes(scope) && named(scope).some((name) => folded(name) === word),
  );
  const [scope] = elsewhere;
  if (scope !== undefined)
    throw new Usage(
      `${flag}: ${text} is a permission of ${scope === "organization" ? "the organization" : `${scope}s`}`,
      {
        hint:
          scope === "organization"
            ? `Leave --${wanted[0]} away.`
            : `Say of which: ${elsewhere.map((one) => `--${one}`).join(" or ")}.`,
      },
    );
  const near = all
    .map((name) => ({ name, off: off(word, folded(name)) }))
    .filter(({ off }) => off <= Math.max(1, Math.floor(word.length / 3)))
    .sort((one, other) => one.off - other.off)
    .slice(0, most)
    .map(({ name }) => name);
  throw new Usage(`${flag}: there is no permission “${text}”${wanted.length > 1 ? "" : ` of ${told[wanted[0]!]}`}`, {
    hint: near.length ? `Near matches: ${near.join(", ")}.` : `There are: ${all.join(", ")}.`,
  });
}

const told: Readonly<Record<Scope, string>> = {
  organization: "the organization",
  channel: "channels",
  group: "groups",
};

/** How far a word is from a name, or from the part of it that is as long. */
const off = (word: string, name: string): number => (word.length > 2 && name.includes(word) ? 1 : distance(word, name));
