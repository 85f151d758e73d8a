import { file, operation } from "../wire/operation.ts";
import { json, path } from "../wire/params.ts";
import { integer, list, object, optional, string, type Value } from "../wire/types.ts";

/** https://zulip.com/api/remove-attachment */
export const removeAttachment = operation({
  name: "attachment.rm",
  method: "DELETE",
  path: "/attachments/{attachment_id}",
  params: { attachment_id: json(integer) },
});

const attachment = object({
  id: integer,
  name: string,
  path_id: string,
  size: integer,
  create_time: integer,
  /** The messages that refer to it, up to level 471; from 472 on their ids. */
  messages: optional(list(object({ id: integer }))),
  message_ids: optional(list(integer)),
});
export type Attachment = Value<typeof attachment>;

/** https://zulip.com/api/get-attachments */
export const getAttachments = operation({
  name: "attachment.list",
  method: "GET",
  path: "/attachments",
  result: { attachments: list(attachment), upload_space_used: optional(integer) },
});

/** The file lies beside the API; who may read it needs the same credentials. */
export const getAttachmentFile = file({
  name: "attachment.file",
  path: "/user_uploads/{path_id}",
  params: { path_id: path() },
});
