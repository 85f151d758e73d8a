/** Refuses changes of channels that the server would refuse after the question. */

import { getOwnUser } from "../../api/users.ts";
import { keyBy } from "../../common/group-by.ts";
import { reachableFrom } from "../../common/reachable.ts";
import { type Change, callIn, isOneOf, type KnownCall } from "../../engine/change.ts";
import { Refused } from "../../errors.ts";
import { inherited, privacyNeedsCreation } from "../../model/channel.ts";
import { whoIn } from "../../model/permission.ts";
import { ownersOnly, roles } from "../../model/person.ts";
import { currentValuesOf } from "../../resolve/current-values.ts";
import type { Context } from "../context.ts";
import { ownRole } from "./accounts.ts";

const creates = (call: KnownCall): boolean =>
  isOneOf(call, ["channel.create"]) || (isOneOf(call, ["channel.subscribe"]) && call.args.stream_id === undefined);

/** Returns the permissions of the organization that a change requires, if it asks for confirmation. */
async function requiredPermissions({ server }: Context, call: KnownCall): Promise<string[]> {
  const { is_web_public, is_private } = call.args;
  const isUpdate = isOneOf(call, ["channel.update"]);
  if (!isUpdate && !creates(call)) return [];
  const opens = isUpdate && is_private === false && (await (await server()).level()) >= privacyNeedsCreation;
  return [
    ...(is_web_public === true ? ["can_create_web_public_channel_group"] : []),
    ...(opens ? ["can_create_public_channel_group"] : []),
  ];
}

/** Returns whether the account is among the people of a permission. */
async function has(context: Context, setting: unknown): Promise<boolean> {
  const { user_id: me } = await (await context.server()).lookUp(getOwnUser, {});
  const byId = keyBy(await context.names.groups(), ({ id }) => id);
  const { direct_members: people, direct_subgroups: subgroups } = whoIn(setting);
  const groups = reachableFrom(subgroups, (id) => byId.get(id)?.direct_subgroup_ids);
  return people.includes(me) || [...groups].some((id) => byId.get(id)?.members.includes(me));
}

/** Members of an answer to `register` that switch web-public channels off. */
const webPublicSwitches = ["server_web_public_streams_enabled", "realm_enable_spectator_access"];

/** Throws `Refused` if the account does not have a permission of the organization. */
export async function requirePermission(context: Context, name: string): Promise<void> {
  const { updateOrganization } = await import("../../api/organization.ts");
  const current = await currentValuesOf(context).of(updateOrganization, {});
  const isWebPublic = name === "can_create_web_public_channel_group";
  const off = webPublicSwitches.find((each) => current?.read[each] === false);
  if (isWebPublic && off !== undefined)
    throw new Refused(
      `web-public channels are switched off: ${off.replace("realm_", "")} is false`,
      off.startsWith("realm_")
        ? { hint: "Owners switch them on with: zulipctl settings update enable_spectator_access=true" }
        : {},
    );
  const setting = current?.values[name];
  if (setting === undefined || (await has(context, setting))) return;
  throw new Refused(`permission denied: this account does not have ${name}`, {
    hint: `See who has it with: zulipctl permissions who ${name}`,
  });
}

async function checkRetention(context: Context, call: KnownCall): Promise<void> {
  const { message_retention_days: days } = call.args;
  if (days === undefined || !(isOneOf(call, ["channel.update"]) || (creates(call) && days !== inherited))) return;
  const { role } = await (await context.server()).lookUp(getOwnUser, {});
  if (role <= roles.owner) return;
  throw new Refused(ownersOnly("set how long messages are kept"), { hint: ownRole(role) });
}

/** Throws `Refused` before the confirmation if the account does not have a permission that the change requires. */
export async function checkChannels(context: Context, changes: readonly Change[]): Promise<void> {
  if (context.flags.yes) return;
  for (const change of changes.filter(({ confirm }) => confirm)) {
    const call = callIn(change);
    await checkRetention(context, call);
    for (const name of await requiredPermissions(context, call)) await requirePermission(context, name);
  }
}
