/** What is destructive about taking something back. */
import { updateChannel } from "../api/channels.ts";
import { updateOrganization } from "../api/organization.ts";
import { deactivateUser, reactivateUser } from "../api/people.ts";
import { counted, joinFirst, peopleAndBots } from "../common/counted.ts";
import { numbersIn } from "../common/members.ts";
import { channelRisk, inherited } from "../model/channel.ts";
import { deactivatedPerson } from "../model/loss.ts";
import { settingRisk } from "../model/organization.ts";
import { whoIn } from "../model/permission.ts";
import { knownRole, returnRisks, roleRisks } from "../model/person.ts";
import { optionsIn, optionsRemoved } from "../model/profile-field.ts";
import { cannotRestore } from "../model/risk.ts";
import type { Effect } from "../model/setting.ts";
import { givesToEveryone, isOpenByDefault, makesEveryoneMember, takesFrom } from "../organization/everyone.ts";
import { peopleOf } from "../organization/group-members.ts";
import { mostNames } from "../organization/plan/limits.ts";
import type { AnyOperation } from "../wire/operation.ts";
import type { BackValue } from "./item.ts";
import type { State } from "./state.ts";
import type { Step } from "./things.ts";

/** Returns the effects of a step about a thing. */
export async function stepEffects(
  state: State,
  { operation, says, destructive, restoreSince }: Step,
  id?: number,
): Promise<Effect[]> {
  if (operation === reactivateUser) {
    const role = knownRole((await state.users()).get(Number(id))?.role);
    return returnRisks(role).map((says) => ({ says }));
  }
  if (operation === deactivateUser) {
    const users = [...(await state.users()).values()];
    const bots = users.filter(({ is_active, bot_owner_id }) => is_active !== false && bot_owner_id === id);
    const names = joinFirst(
      bots.map(({ full_name }) => full_name),
      mostNames,
    );
    return [deactivatedPerson.effect, ...(bots.length ? [{ says: `deactivates their bots: ${names}` }] : [])];
  }
  if (restoreSince === undefined || (await state.level()) >= restoreSince) return destructive ? [destructive] : [];
  const restore = says === "archived" ? "unarchive" : "reactivate";
  return [{ says: cannotRestore(restore, restoreSince), irreversible: true }];
}

const textsOf = (data: unknown): string[] => optionsIn(data).map(({ text }) => text);

/** Returns the effect of options that go. */
function removedOptions(now: unknown, back: unknown): Effect[] {
  const kept = new Set(textsOf(back));
  const gone = optionsIn(now).filter(({ text }) => !kept.has(text));
  return gone.length ? [optionsRemoved(gone)] : [];
}

/** Returns notes about options that come back. */
export function optionNotes({ name, now, back }: BackValue): string[] {
  const isBack = name === "field_data" && textsOf(back).some((text) => !textsOf(now).includes(text));
  return isBack ? ["values of people who had a deleted option do not come back"] : [];
}

/** Returns the effects of a permission, as `org plan` marks them. */
async function permissionEffects(state: State, { name, now, back }: BackValue): Promise<Effect[]> {
  const groups = [...(await state.groups()).values()];
  const users = await state.users();
  const [before, after] = [whoIn(now), whoIn(back)];
  const includesEveryone = await state.includesEveryone();
  const isGiven = includesEveryone(after.direct_subgroups) && !includesEveryone(before.direct_subgroups);
  const people = peopleOf(groups);
  const remaining = people(after);
  const lost = [...people(before)].filter((id) => !remaining.has(id));
  const bots = lost.filter((id) => users.get(id)?.is_bot).length;
  return [
    ...(isGiven && !isOpenByDefault(name) ? [{ says: givesToEveryone(name) }] : []),
    ...(lost.length ? [{ says: takesFrom(name, peopleAndBots(lost.length - bots, bots)) }] : []),
  ];
}

/** Returns the effects of old values. */
export async function valueEffects(
  state: State,
  operation: AnyOperation,
  values: readonly BackValue[],
): Promise<Effect[]> {
  const days = async (value: unknown) =>
    value === inherited ? (await state.values(updateOrganization, {}))?.message_retention_days : value;
  const effects = values.map(async (value): Promise<Effect[]> => {
    const { name, of, now, back } = value;
    if (of === "who") return permissionEffects(state, value);
    if (name === "field_data") return removedOptions(now, back);
    if (name === "role") return roleRisks(knownRole(now), knownRole(back)).map((says) => ({ says }));
    const risk =
      operation === updateOrganization
        ? settingRisk(name, now, back)
        : operation === updateChannel && channelRisk(name, await days(now), await days(back));
    return risk ? [risk] : [];
  });
  return (await Promise.all(effects)).flat();
}

/** Returns the effects of taking people or groups out of a list, and of adding groups. */
export async function listEffects(state: State, { of, now, back }: BackValue): Promise<Effect[]> {
  const { length } = numbersIn(now);
  const who = of === "group" ? counted(length, "group") : counted(length, "person", "people");
  const isEveryone = of === "group" && (await state.includesEveryone())(numbersIn(back));
  return [...(length ? [{ says: `takes ${who} out` }] : []), ...(isEveryone ? [{ says: makesEveryoneMember }] : [])];
}
