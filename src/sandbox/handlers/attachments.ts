import { getAttachments, removeAttachment } from "../../api/attachments.ts";
import { refused } from "../api-error.ts";
import { attachmentRemoved } from "../events/organization.ts";
import { attachmentRecord } from "../records/small.ts";
import { on } from "../router.ts";

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
    attachmentRemoved(call, caller, attachment_id);
    return {};
  }),
];
