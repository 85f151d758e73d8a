import { getAttachments, removeAttachment } from "../../api/attachments.ts";
import { refused } from "../answers.ts";
import { send } from "../events/queue.ts";
import { on, type Visit } from "../router.ts";
import type { Attachment } from "../state.ts";

function attachmentRecord(
  { state, level }: Visit,
  { id, name, path_id, size, create_time, message_ids }: Attachment,
): object {
  // Times were milliseconds before this level and are seconds from it on.
  const time = (ms: number) => (level < 443 ? ms : Math.floor(ms / 1000));
  const messages = message_ids.flatMap((message) => state.messages.get(message) ?? []);
  return {
    id,
    name,
    path_id,
    size,
    create_time: time(create_time),
    ...(level < 472
      ? { messages: messages.map(({ id, date_sent }) => ({ id, date_sent: time(date_sent) })) }
      : { message_ids: messages.map(({ id }) => id) }),
  };
}

export const attachmentRoutes = [
  on(getAttachments, { silent: true }, (call) => ({
    attachments: [...call.state.attachments.values()]
      .filter(({ owner_id }) => owner_id === call.caller.user_id)
      .map((attachment) => attachmentRecord(call, attachment)),
    upload_space_used: call.state.organization.upload_bytes,
  })),

  on(removeAttachment, { silent: true }, (call, { attachment_id }) => {
    const { state, caller } = call;
    const attachment = state.attachments.get(attachment_id);
    if (attachment?.owner_id !== caller.user_id) throw refused("Invalid attachment");
    state.attachments.delete(attachment_id);
    state.organization.upload_bytes -= attachment.size;
    const upload_space_used = state.organization.upload_bytes;
    send(call, { type: "attachment", op: "remove", attachment: { id: attachment_id }, upload_space_used }, [caller]);
    return {};
  }),
];
