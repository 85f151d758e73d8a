import { ifKnown } from "../wire/impact.ts";
import { fileOperation, operation } from "../wire/operation.ts";
import { json, path, text, upload } from "../wire/params.ts";
import { integer, list, object, optional, string, type Value } from "../wire/types.ts";

/** https://zulip.com/api/remove-attachment */
export const removeAttachment = operation("attachment.rm", "DELETE /attachments/{attachment_id}", {
  effects: ({ attachment_id }) => ifKnown(attachment_id, (id) => ({ does: "remove", kind: "attachment", id })),
  params: { attachment_id: json(integer) },
});

const attachment = object({
  id: integer,
  name: string,
  path_id: string,
  size: integer,
  create_time: integer,
  /** Up to level 471 the messages that refer to it, from level 472 on their ids. */
  messages: optional(list(object({ id: integer }))),
  message_ids: optional(list(integer)),
});
export type Attachment = Value<typeof attachment>;

/** https://zulip.com/api/get-attachments */
export const getAttachments = operation("attachment.list", "GET /attachments", {
  result: { attachments: list(attachment), upload_space_used: optional(integer) },
});

/** https://zulip.com/api/upload-file */
export const uploadFile = operation("attachment.add", "POST /user_uploads", {
  effects: { none: "nobody can read the file before a message links to it" },
  params: { file: upload() },
  result: { url: string, filename: optional(string) },
});

/** https://zulip.com/api/get-file-temporary-url. The address needs no credentials, and is valid for a minute. */
export const getAttachmentUrl = operation("attachment.url", "GET /user_uploads/{path_id}", {
  params: { path_id: text() },
  result: { url: string },
  secretAnswer: ["url"],
});

/** The file is outside the API, and needs the same credentials. */
export const getAttachmentFile = fileOperation("attachment.file", "/user_uploads/{path_id}", {
  params: { path_id: path() },
});
