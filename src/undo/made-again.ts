/** Takes away what a run made, and makes again what it removed. */
import { bareAddress, revokeInvitation } from "../api/invitations.ts";
import { addLinkifier } from "../api/linkifiers.ts";
import { updateMessage } from "../api/messages.ts";
import { updateOrganization } from "../api/organization.ts";
import { removePlayground } from "../api/playgrounds.ts";
import { provisional } from "../engine/provisional-ids.ts";
import type { LogEntry } from "../log/change-log.ts";
import { desiredOf, differingIn } from "../resolve/desired.ts";
import { changeOf, type Earlier, type Item, left, sendable, targetOf } from "./item.ts";
import { type Args, placeAfter } from "./parts.ts";
import type { State } from "./state.ts";
import { creations, removals } from "./things.ts";

export async function made(state: State, entry: LogEntry, id: unknown, earlier: Earlier): Promise<Item[]> {
  const items = await takenAway(state, entry, id);
  if (items.some(({ left }) => !left)) earlier.removed.add(`${creations[entry.operation]?.kind} ${id}`);
  return items;
}

async function takenAway(state: State, entry: LogEntry, id: unknown): Promise<Item[]> {
  const step = creations[entry.operation]?.removed(id, entry);
  if (!step) return [];
  const { operation, args, says, destructive } = step;
  const now = await state.values(operation, args);
  const kind = creations[entry.operation]?.kind ?? "";
  const item = {
    // Drafts have no name.
    target: entry.target === kind ? `${kind} ${id}` : `${kind} ${entry.target}`,
    sign: "-" as const,
    says,
    destructive: destructive ? [destructive] : [],
    changes: [changeOf(entry, step)],
  };
  const language = operation === removePlayground ? await state.codeBlockLanguage() : undefined;
  if (language && language === now?.pygments_language)
    item.changes.push(
      changeOf(entry, {
        operation: updateOrganization,
        args: { default_code_block_language: language },
        says: "default language of code blocks kept",
      }),
    );
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

export async function removed(state: State, entry: LogEntry, earlier: Earlier): Promise<Item[]> {
  const { from = {}, at = {} } = entry;
  const removal = removals[entry.operation];
  if (!removal) return [];
  const { operation, names, id } = removal;
  const all = { ...at, ...from };
  const args = Object.fromEntries(
    names.flatMap((name) => (all[name] === undefined || all[name] === null ? [] : [[name, all[name]]])),
  );
  const there = await state.found(operation, args);
  const old = Number(Object.values(at)[0]);
  const newId = there ? there.id : provisional(earlier.again.size + 1);
  if (operation === addLinkifier && typeof newId === "number") earlier.again.set(old, newId);
  if (there) return [];
  const more = operation === addLinkifier ? { provisionalId: Number(newId) } : {};
  return [
    sendable(entry, () => ({
      target: targetOf(entry),
      sign: "+",
      says: "made again",
      notes: id ? ["it gets a new id"] : [],
      changes: [changeOf(entry, { operation, args, says: "made again" }, { ...(id && { ids: id }), ...more })],
    })),
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
  const { from = {} } = entry;
  const message_id = Number(entry.at?.message_id);
  const message = await state.message(message_id);
  if (!message) return [left(entry, "conflict", "it is gone, or not visible")];
  const { subject: topic, stream_id } = message;
  if (topic === from.topic && stream_id === from.stream_id) return [];
  const after = placeAfter(entry);
  if (topic !== after.topic || stream_id !== after.stream_id)
    return [left(entry, "conflict", `it is in topic "${topic}" now`)];
  const isOld = (name: string) => name.toLowerCase() === String(from.topic).toLowerCase();
  const isRenamed = stream_id === from.stream_id && isOld(topic);
  // Topics that became one cannot be separated again.
  if (!isRenamed && (await state.topics(Number(from.stream_id))).some(isOld))
    return [left(entry, "conflict", `there is another topic "${from.topic}" now`)];
  const args = {
    message_id,
    ...(topic !== from.topic && { topic: from.topic }),
    ...(stream_id !== from.stream_id && { stream_id: from.stream_id }),
    ...{ propagate_mode: "change_all", send_notification_to_old_thread: false, send_notification_to_new_thread: false },
  };
  return [
    {
      target: targetOf(entry),
      sign: "~",
      says: "moved back",
      changes: [
        changeOf(entry, { operation: updateMessage, args, says: "moved back" }, { before: { topic, stream_id } }),
      ],
    },
  ];
}
