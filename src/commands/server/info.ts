/** Shows a server, and which of the eleven operations it supports. */

import { operationNamed } from "../../api/registry.ts";
import { releaseOf } from "../../api/releases.ts";
import { getServerSettings } from "../../api/server.ts";
import { kebab, snake } from "../../cli/parameter.ts";
import { minimumLevel } from "../../client/level.ts";
import { membersOf, valueNamed } from "../../common/object-members.ts";
import type { Column, Row, Single } from "../../output/form.ts";
import type { Context } from "../../run/context.ts";
import { coreOperations } from "../../run/older-servers.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param } from "../../wire/params.ts";
import { channelUpdateFlags, updateBinds } from "../channel/flags.ts";
import { flagsByParameter as usersFlags } from "../users/list.ts";

interface Ability {
  operation: string;
  /** The command as typed: `channel update`. */
  command: string;
  available: boolean;
  /** Missing parts: flags that need a newer server, or the operation itself. */
  without: { flag: string; needs: number }[];
  deprecated: boolean;
}

/** Of a server that only supports commands without a minimum level. */
export const tooOldForAll = `too old for zulipctl, which requires Zulip 10 (feature level ${minimumLevel}) for all other commands`;

type InfoFlags = Readonly<Record<string, string>>;

const channelFlags: InfoFlags = Object.fromEntries(
  Object.keys(channelUpdateFlags).map((name) => [
    valueNamed<string>(updateBinds, name) ?? snake(name),
    `--${kebab(name)}`,
  ]),
);

/** By operation and parameter, the flags that may be too new. */
const newerFlags: Readonly<Record<string, InfoFlags>> = {
  "channel.update": { ...channelFlags, is_archived: "--no-archived" },
  "users.list": usersFlags,
  "group.members": { add_subgroups: "--add-subgroups", delete_subgroups: "--delete-subgroups" },
  "export.create": { export_type: "--type" },
};

interface LoginSettings {
  email_auth_enabled?: boolean | undefined;
  authentication_methods?: Record<string, boolean> | undefined;
}

/** Passwords work unless the organization disables them. */
const acceptsPasswords = ({ email_auth_enabled, authentication_methods }: LoginSettings): boolean =>
  email_auth_enabled !== false || authentication_methods?.ldap === true;

function ability(operation: AnyOperation, level: number, settings: LoginSettings): Ability {
  const command = operation.name.replace(".", " ");
  const flags = newerFlags[operation.name] ?? {};
  const params = Object.entries<Param>(operation.params);
  // An operation is as new as its newest required parameter.
  const firstLevel = Math.max(
    operation.since ?? 0,
    ...params.map(([, param]) => (param.optional ? 0 : (param.since ?? 0))),
  );
  const deprecated = operation.deprecated !== undefined && level >= operation.deprecated;
  const common = { operation: operation.name, command, deprecated };
  if (level < firstLevel) return { ...common, available: false, without: [{ flag: command, needs: firstLevel }] };
  const without = params.flatMap(([name, { since: needs = 0 }]) => {
    const flag = flags[name];
    return flag !== undefined && level < needs ? [{ flag, needs }] : [];
  });
  return { ...common, available: operation.effect !== "login" || acceptsPasswords(settings), without };
}

export const abilities = (level: number, settings: LoginSettings): Ability[] =>
  coreOperations.flatMap((name) => {
    const operation = operationNamed(name);
    return operation ? ability(operation, level, settings) : [];
  });

/** The names of the ways to log in. */
function loginMethods(record: Row): string {
  const { authentication_methods: methods, external_authentication_methods: external } = record;
  const externalNames = Array.isArray(external)
    ? external.flatMap(({ display_name }: { display_name?: unknown }) => display_name ?? [])
    : [];
  const { email, ldap, dev } = membersOf(methods);
  const builtIn = [email && "e-mail and password", ldap && "LDAP", dev && "development"].filter(Boolean);
  return [...builtIn, ...externalNames].join(", ");
}

function abilityText({ available, deprecated, without }: Ability): string {
  const [first] = without;
  if (!available)
    return first ? `no: requires feature level ${first.needs}` : "no: the organization accepts no passwords";
  const missing = without.map(({ flag, needs }) => `${flag} (${needs})`).join(", ");
  return [missing ? `yes, without ${missing}` : "yes", deprecated && "the server deprecates it"]
    .filter(Boolean)
    .join("; ");
}

function levelText(serverLevel: number, level: number): unknown {
  const text = level === serverLevel ? serverLevel : `${serverLevel}, taken as ${level}`;
  return level < minimumLevel ? `${text}: ${tooOldForAll}` : text;
}

export async function serverInfo({ ask, flags, site }: Context): Promise<Single> {
  const answer = await ask(getServerSettings, {});
  const url = (await site()).site;
  const serverLevel = answer.zulip_feature_level ?? 0;
  const level = flags.featureLevel ?? serverLevel;
  const operations = abilities(level, answer);
  const column = (head: string, value: (record: Row) => unknown): Column => ({ head, value });
  return {
    kind: "single",
    record: { ...answer, operations },
    columns: [
      column("Organization", ({ realm_name }) => realm_name),
      column("Site", ({ realm_url, realm_uri }) => realm_url ?? realm_uri ?? url),
      column("Version", () => releaseOf(serverLevel)),
      column("Feature level", () => levelText(serverLevel, level)),
      column("Log in with", loginMethods),
      ...operations.map((ability) => column(ability.command, () => abilityText(ability))),
    ],
  };
}
