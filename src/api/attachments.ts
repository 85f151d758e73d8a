import { operation } from "../wire/operation.ts";
import { json } from "../wire/params.ts";
import { integer, list, object, string, type Value } from "../wire/types.ts";

/** https://zulip.com/api/remove-attachment */
export const removeAttachment = operation({
  name: "attachment.rm",
  method: "DELETE",
  path: "/attachments/{attachment_id}",
  doc: "Delete uploaded files of one's own, for good.",
  params: { attachment_id: json(integer, { doc: "The attachment's id." }) },
  result: {},
  target: ({ attachment_id }) => `attachment ${attachment_id}`,
});

const attachment = object({ id: integer, name: string, path_id: string, size: integer, create_time: integer });
export type Attachment = Value<typeof attachment>;

/** https://zulip.com/api/get-attachments */
export const getAttachments = operation({
  name: "attachment.list",
  method: "GET",
  path: "/attachments",
  doc: "The account's own uploads.",
  params: {},
  result: { attachments: list(attachment) },
});
