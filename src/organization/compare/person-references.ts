/** Finds the people whom a file names: by address, name or id. They exist, or the file invites or creates them. */

import { userAddress } from "../../api/users.ts";
import { counted } from "../../common/counted.ts";
import { nfc } from "../../common/folding.ts";
import { groupBy } from "../../common/group-by.ts";
import { invisiblePart, trimmed } from "../../notation/blanks.ts";
import type { Path } from "../content.ts";
import type { ThingId } from "../difference.ts";
import type { Pairings } from "../sections/section-rules.ts";
import { everybodyOf, type Person, peopleById, type Snapshot } from "../snapshot.ts";
import { type Findings, suggestion } from "./findings.ts";

/** Returns a function that finds people, and who is invited or deactivated. What it does not find becomes a problem. */
export function personReferences(snapshot: Snapshot, pairings: Pairings, findings: Findings) {
  const everybody = everybodyOf(snapshot);
  const byId = peopleById(snapshot);
  const byName = groupBy(everybody, ({ full_name }) => nfc(full_name));
  const visible = everybody.filter((person) => userAddress(person) !== undefined);
  const hiddenCount = everybody.length - visible.length;
  /** Added to "not found": the number of addresses that this account cannot see. */
  const hiddenAddresses = hiddenCount
    ? `; ${counted(hiddenCount, "address is", "addresses are")} hidden from this account`
    : "";
  // Servers send a placeholder for a hidden address. It can be used too.
  const addresses = new Map(everybody.map((person) => [person.email.toLowerCase(), person]));
  for (const person of visible) addresses.set(String(userAddress(person)).toLowerCase(), person);
  /** Deactivated people: servers leave them out of lists. */
  const omitted = new Set(snapshot.organization.realm_non_active_users.map(({ user_id }) => user_id));
  /** Ids of people who are deactivated after the plan, and whether the file deactivates them. */
  const deactivated = new Map([...omitted].map((id) => [id, false]));
  const { pairs } = pairings.people;
  for (const { thing, archives } of [...pairs, ...pairings.bots.pairs]) {
    if (thing?.id === undefined || archives === undefined) continue;
    if (archives) deactivated.set(thing.id, true);
    else {
      deactivated.delete(thing.id);
      omitted.delete(thing.id);
    }
  }
  /** By lower-case address of a person to invite, the groups and channels that list them. */
  const invited = new Map<string, Record<"groups" | "channels", ThingId[]>>(
    pairs
      .filter(({ thing, entry }) => !thing && entry.invite === true)
      .map(({ key }) => [key, { groups: [], channels: [] }]),
  );
  const newBots = new Set(pairings.bots.pairs.flatMap(({ thing, key, archives }) => (thing || archives ? [] : [key])));

  function personOf(typed: string, path: Path): Person | { readonly invited: string } | undefined {
    const text = trimmed(typed);
    const report = (says: string) => {
      const invisible = invisiblePart(text);
      return findings.problem(path, invisible ? `person "${text}" contains ${invisible}` : says);
    };
    const [, kind, rest = ""] = /^(id|name):(.*)/s.exec(text) ?? [];
    if (kind === "id") return byId.get(Number(rest)) ?? report(`no person with the id ${rest}`);
    if (kind === "name") {
      const all = byName.get(nfc(rest)) ?? byName.get(nfc(trimmed(rest))) ?? [];
      const live = all.filter(({ user_id }) => !deactivated.has(user_id));
      const preferred = live.length ? live : all;
      if (preferred.length === 1) return preferred[0];
      const ids = preferred.map(({ user_id }) => `id:${user_id}`).join(", ");
      if (ids) return report(`several people are named "${rest}": ${ids}`);
      return report(`no person named "${rest}"${suggestion(rest, [...byName.keys()])}`);
    }
    const email = text.toLowerCase();
    const person = addresses.get(email);
    if (person) return person;
    if (invited.has(email) || newBots.has(email)) return { invited: email };
    const form = text.includes("@") ? "" : "; write a full name as name:…";
    const hint = suggestion(text, [...addresses.keys()]) || form || hiddenAddresses;
    return report(`no person with the e-mail address ${text}${hint}`);
  }

  return { person: personOf, invited, omitted, deactivated, hiddenAddresses };
}
