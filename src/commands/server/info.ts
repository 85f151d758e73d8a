import { getServerSettings } from "../../api/server.ts";
import { oldest } from "../../client/level.ts";
import type { Column, Row, Single } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { type Ability, abilities, tooOldForAll } from "./abilities.ts";

/** Ways to log in, by the names that people know. */
function waysIn(record: Row): string {
  const { authentication_methods: methods, external_authentication_methods: external } = record;
  const named = Array.isArray(external)
    ? external.flatMap(({ display_name }: { display_name?: unknown }) => display_name ?? [])
    : [];
  const { email, ldap, dev } = (methods ?? {}) as Record<string, unknown>;
  const own = [email && "e-mail and password", ldap && "LDAP", dev && "development"].filter(Boolean);
  return [...own, ...named].join(", ");
}

function abilityText({ available, deprecated, without }: Ability): string {
  const [lack] = without;
  if (!available)
    return lack ? `no: requires feature level ${lack.needs}` : "no: the organization accepts no passwords";
  const lacks = without.map(({ flag, needs }) => `${flag} (${needs})`).join(", ");
  return [lacks ? `yes, without ${lacks}` : "yes", deprecated && "the server deprecates it"].filter(Boolean).join("; ");
}

function levelText(own: number, level: number): unknown {
  const taken = level === own ? own : `${own}, taken as ${level}`;
  return level < oldest ? `${taken}: ${tooOldForAll}` : taken;
}

export async function info({ ask, flags, site }: Context): Promise<Single> {
  const answer = await ask(getServerSettings, {});
  const url = (await site()).site;
  const own = answer.zulip_feature_level ?? 0;
  const level = flags.featureLevel ?? own;
  const operations = abilities(level, answer);
  const column = (head: string, value: (record: Row) => unknown): Column => ({ head, value });
  return {
    kind: "single",
    record: { ...answer, operations },
    columns: [
      column("Organization", ({ realm_name }) => realm_name),
      column("Site", ({ realm_url, realm_uri }) => realm_url ?? realm_uri ?? url),
      column("Version", ({ zulip_version }) => zulip_version),
      column("Feature level", () => levelText(own, level)),
      column("Log in with", waysIn),
      ...operations.map((ability) => column(ability.command, () => abilityText(ability))),
    ],
  };
}
