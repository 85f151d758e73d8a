/** Archives, deactivates and brings back what was there before a run. */
import { updateChannel } from "../api/channels.ts";
import { reactivateUser } from "../api/people.ts";
import { membersOf } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { cannotUnarchiveEmpty } from "../model/channel.ts";
import { cannotReactivate } from "../model/person.ts";
import { changeOf, type Item, left } from "./item.ts";
import type { Step } from "./kind-steps.ts";
import { unlessUsed } from "./later-content.ts";
import type { Planning } from "./planning.ts";
import { released } from "./release.ts";
import type { Thing } from "./thing.ts";

export async function switchItem(planning: Planning, thing: Thing, entry: LogEntry, step: Step): Promise<Item> {
  const { state } = planning;
  const { operation, says } = step;
  const channel = operation === updateChannel ? (await state.channels()).get(Number(thing.id)) : undefined;
  if (channel?.invite_only && channel.subscriber_count === 0)
    return left(thing, entry, "impossible", cannotUnarchiveEmpty);
  if (operation === reactivateUser && (await state.isDeleted(thing.id)))
    return left(thing, entry, "impossible", `it ${cannotReactivate}`);
  const isPerson = operation === reactivateUser && thing.kind === "person";
  const isNameless = membersOf(entry.to?.actions).delete_profile === true;
  const rename = `the old name does not come back: zulipctl users update ${thing.id} --full-name "…"`;
  const personNotes = ["invitations that were revoked, and logins, do not come back", ...(isNameless ? [rename] : [])];
  const { changes, notes } = await released(planning, thing, step);
  const item: Item = {
    isSwitch: true,
    ...{ ...thing, sign: says === "archived" || says === "deactivated" ? "-" : "~", says },
    notes: isPerson ? personNotes : notes,
    changes: [...changes, changeOf(thing, step)],
  };
  // No archived folder has channels, so all that it has came since.
  return thing.kind === "folder" && item.sign === "-" ? unlessUsed(state, entry, item, thing.id) : item;
}
