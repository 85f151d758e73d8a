import { getAttachments, getTemporaryAddress, removeAttachment, uploadFile } from "../../api/attachments.ts";
import { NoJson, refused } from "../answers.ts";
import { send } from "../events/queue.ts";
import { temporaryAddress, uploadFor } from "../files.ts";
import { on, type Visit } from "../router.ts";
import { type Attachment, nextId } from "../state.ts";
import { randomText } from "../text.ts";

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

const largest = 100 * 1024 * 1024;

export const attachmentRoutes = [
  on(getAttachments, { silent: true }, (call) => ({
    attachments: [...call.state.attachments.values()]
      .filter(({ owner_id }) => owner_id === call.caller.user_id)
      .map((attachment) => attachmentRecord(call, attachment)),
    upload_space_used: call.state.organization.upload_bytes,
  })),

  on(getTemporaryAddress, { silent: true }, (call, { path_id }) => {
    const found = uploadFor(call.state, call.caller, path_id);
    if ("status" in found) throw new NoJson(found);
    return { url: temporaryAddress(call, found) };
  }),

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

  on(uploadFile, { silent: true }, (call) => {
    const { state, caller, now, random, files } = call;
    const [file, ...others] = files;
    if (!file) throw refused("You must specify a file to upload");
    if (others.length > 0) throw refused("You may only upload one file at a time");
    if (file.content.length > largest) throw refused("Uploaded file is larger than the allowed limit of 100 MiB");
    const id = nextId(state, "attachment");
    const safe = file.name.replace(/[^\w.-]+/g, "-") || "uploaded-file";
    const path_id = `2/${id.toString(16).padStart(2, "0")}/${randomText(random, 24)}/${safe}`;
    const { content, name } = file;
    const made = { id, owner_id: caller.user_id, name, path_id, size: content.length, create_time: now, content };
    const attachment = { ...made, message_ids: [] };
    state.attachments.set(id, attachment);
    state.organization.upload_bytes += content.length;
    const upload_space_used = state.organization.upload_bytes;
    const shown = attachmentRecord(call, attachment);
    send(call, { type: "attachment", op: "add", attachment: shown, upload_space_used }, [caller]);
    const url = `/user_uploads/${path_id}`;
    return { uri: url, url, filename: name };
  }),
];
