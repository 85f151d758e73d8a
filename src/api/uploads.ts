import { operation } from "../wire/operation.ts";
import { optional, string } from "../wire/types.ts";

/** https://zulip.com/api/upload-file. The file is a part of a multipart body. */
export const uploadFile = operation({
  name: "attachment.add",
  method: "POST",
  path: "/user_uploads",
  doc: "Upload a file.",
  params: {},
  result: { uri: string, url: optional(string) },
});
