/** What cannot be undone, and why. */
import { updateMessage } from "../api/messages.ts";
import { counted } from "../common/counted.ts";
import { valueNamed } from "../common/object-members.ts";
import type { LogEntry } from "../log/change-log.ts";
import { fieldLabel } from "../model/field.ts";
import { fieldOf } from "../wire/call.ts";
import type { ThingPart } from "./part.ts";

export const gone = "it is gone, or not visible";
export const invitationGone = "it is gone: accepted, expired or revoked";
export const unanswered = "the run ended without an answer to this";
export const replacedInvitation = "it stays: the invitation that it replaced does not come back";
export const replacedEmoji = "it stays: the emoji that it replaced does not come back";
export const noOldValue = "the old value is not in the log";

/** By operation, why it stays. Others have no record of what was before. */
const reasons: Readonly<Record<string, string>> = {
  "messages.send": "a message that was sent stays; delete it with: zulipctl messages delete",
  "messages.delete": "deleted messages do not come back",
  "channel.topics.rm": "deleted messages do not come back",
  "attachment.add": "an upload stays; delete it with: zulipctl attachment rm",
  "attachment.rm": "deleted uploads do not come back",
  "profile-field.rm": "the values of a deleted profile field do not come back",
  "settings.update-people": "servers do not say what settings people had",
  "group.members": "no answer said whose membership it changed",
  "channel.subscribe": "the log does not have whom it subscribed, or the channel that it made",
  "channel.unsubscribe": "the answer did not say who was subscribed before",
  api: "zulipctl does not know all that the raw request changed",
  "emoji.rm": "a removed emoji must be uploaded again",
  "invite.rm": "people must be invited again with: zulipctl invite add",
  "invite.link.rm": "a revoked link does not work again",
  "invite.resend": "a mail that went out stays",
  "users.me.regenerate-key": "the old key does not work again",
  "bots.regenerate-key": "the old key does not work again",
  "export.create": "an export that was made stays; delete it with: zulipctl export rm",
  "export.rm": "a deleted export must be made again",
};

/** What `--delete` of a deactivation does. */
export const deletedForGood = "what was deleted with it does not come back";

/** Returns why an edited message, or a moved topic, stays. */
function reasonOfEdit({ content, propagate_mode }: NonNullable<LogEntry["to"]>): string {
  if (content !== undefined) return "the message has another text now";
  if (propagate_mode !== "change_all") return "only a part of a topic was moved";
  return "the log does not have the ids of its messages";
}

/** Returns why an entry cannot be undone. */
export function reasonOf({ operation, outcome, to = {} }: Pick<LogEntry, "operation" | "outcome" | "to">): string {
  if (outcome === "unknown") return "it is unknown whether it happened";
  if (operation === updateMessage.name) return reasonOfEdit(to);
  return valueNamed(reasons, operation) ?? "the log does not have what is needed to restore it";
}

/** Returns why what runs changed does not go back to what the first one found. */
export function overtaken({ value, count = 0, by }: ThingPart): string {
  const what = value
    ? `${fieldLabel(fieldOf(value.operation, value.name, value.to).name)} was changed`
    : `${counted(count, "message")} of it: moved`;
  return `${what} by ${by === undefined ? "somebody else before a later run" : `run ${by} since`}`;
}
