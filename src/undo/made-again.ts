/** Takes away what a run made, and makes again what it removed. */
import { createDrafts } from "../api/drafts.ts";
import { bareAddress, revokeInvitation } from "../api/invitations.ts";
import { addLinkifier, reorderLinkifiers } from "../api/linkifiers.ts";
import { updateMessage } from "../api/messages.ts";
import { provisional } from "../engine/provisional-ids.ts";
import type { LogEntry } from "../log/change-log.ts";
import { desiredOf, differingIn } from "../resolve/desired.ts";
import { changeOf, type Item, left, numbers, orderBack, sendable, targetOf } from "./item.ts";
import type { Args } from "./parts.ts";
import type { State } from "./state.ts";
import { creations, removals } from "./things.ts";

export async function made(state: State, entry: LogEntry, id: unknown): Promise<Item[]> {
  const step = creations[entry.operation]?.removed(id, entry);
  if (!step) return [];
  const { operation, args, says, destructive } = step;
  const now = await state.values(operation, args);
  const kind = creations[entry.operation]?.kind ?? "";
  const item: Item = {
    // Drafts have no name.
    target: entry.target === kind ? `${kind} ${id}` : `${kind} ${entry.target}`,
    sign: "-",
    says,
    destructive,
    changes: [changeOf(entry, step)],
  };
  const isGone = !now || !Object.hasOwn(now, Object.keys(entry.to ?? {})[0] ?? "");
  if (!operation.before) return operation.previous && isGone ? [] : unlessChanged(entry, now, item);
  return !now || differingIn(operation, desiredOf({ operation, args }), now).length === 0 ? [] : [item];
}

/** What somebody else changed since is not removed. */
function unlessChanged(entry: LogEntry, now: Args | undefined, item: Item): Item[] {
  const { to = {}, operation } = entry;
  const names =
    operation === "drafts.add" ? [] : Object.keys(to).filter((name) => now?.[name] !== undefined && now[name] !== null);
  const changed = names.filter((name) => JSON.stringify(now?.[name]) !== JSON.stringify(to[name]));
  return changed.length ? [left(entry, "conflict", `${changed.join(", ")} was changed since`)] : [item];
}

export async function removed(
  state: State,
  entry: LogEntry,
  /** The new ids of things that are made again, until they are known. */
  again: Map<number, number>,
): Promise<Item[]> {
  const { from = {}, at = {} } = entry;
  const removal = removals[entry.operation];
  if (!removal) return [];
  const { operation, names, id } = removal;
  const all = { ...at, ...from };
  const args = Object.fromEntries(
    names.flatMap((name) => (all[name] === undefined || all[name] === null ? [] : [[name, all[name]]])),
  );
  if (await state.isThere(operation, args)) return [];
  const old = Number(Object.values(at)[0]);
  const linkifiers = operation === addLinkifier ? await state.linkifierOrder() : [];
  const hasId = id !== undefined && operation !== createDrafts;
  const provisionalId = hasId ? provisional(again.size + 1) : undefined;
  if (provisionalId !== undefined) again.set(old, provisionalId);
  return [
    sendable(entry, () => {
      const changes = [
        changeOf(
          entry,
          { operation, args, says: "made again" },
          { ...(id && { ids: id }), ...(provisionalId !== undefined && { provisionalId }) },
        ),
      ];
      const order = from.ordered_linkifier_ids;
      if (order && numbers(order).at(-1) !== old)
        changes.push(
          changeOf(entry, {
            operation: reorderLinkifiers,
            args: { ordered_linkifier_ids: orderBack(order, linkifiers, again) },
            says: "in the old order",
          }),
        );
      return { target: targetOf(entry), sign: "+", says: "made again", notes: id ? ["it gets a new id"] : [], changes };
    }),
  ];
}

export async function invited(state: State, entry: LogEntry): Promise<Item[]> {
  const addresses = String(entry.to?.invitee_emails).split(",").map(bareAddress);
  const invites = await state.invitations();
  const open = invites.filter(
    ({ email, is_multiuse }) => !is_multiuse && email !== undefined && addresses.includes(bareAddress(email)),
  );
  if (!open.length) return [];
  const changes = open.map(({ id }) =>
    changeOf(entry, { operation: revokeInvitation, args: { invite_id: id }, says: "revoked" }),
  );
  return [
    {
      target: `invitation ${entry.target}`,
      sign: "-",
      says: "revoked",
      notes: ["the mail that went out stays"],
      changes,
    },
  ];
}

export async function moved(state: State, entry: LogEntry): Promise<Item[]> {
  const { at = {}, from = {}, to = {} } = entry;
  const message_id = Number(at.message_id);
  const message = await state.message(message_id);
  if (!message) return [left(entry, "conflict", "it is gone, or not visible")];
  if (message.subject === from.topic && message.stream_id === from.stream_id) return [];
  const isAsLeft =
    message.subject === (to.topic ?? from.topic) && message.stream_id === (to.stream_id ?? from.stream_id);
  if (!isAsLeft) return [left(entry, "conflict", `it is in topic "${message.subject}" now`)];
  const args = {
    message_id,
    ...(message.subject !== from.topic && { topic: from.topic }),
    ...(message.stream_id !== from.stream_id && { stream_id: from.stream_id }),
    ...{ propagate_mode: "change_all", send_notification_to_old_thread: false, send_notification_to_new_thread: false },
  };
  return [
    {
      target: `topic ${entry.target}`,
      sign: "~",
      says: "moved back",
      changes: [
        changeOf(
          entry,
          { operation: updateMessage, args, says: "moved back" },
          { before: { topic: message.subject, stream_id: message.stream_id } },
        ),
      ],
    },
  ];
}
