import { getAttachments, getTemporaryAddress, removeAttachment } from "../../api/attachments.ts";
import { uploadFile } from "../../api/uploads.ts";
import { NoJson } from "../answer.ts";
import { refused } from "../api-error.ts";
import { attachmentAdded, attachmentRemoved } from "../events/organization.ts";
import { temporaryAddress, uploadFor } from "../files.ts";
import { randomText } from "../random-text.ts";
import { attachmentRecord } from "../records/small.ts";
import { on } from "../router.ts";
import { nextId } from "../state.ts";

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
    attachmentRemoved(call, caller, attachment_id);
    return {};
  }),

  on(uploadFile, { silent: true }, (call) => {
    const { state, caller, now, random, files, level } = call;
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
    attachmentAdded(call, caller, attachment);
    const url = `/user_uploads/${path_id}`;
    return { uri: url, ...(level < 272 ? {} : { url, filename: name }) };
  }),
];
