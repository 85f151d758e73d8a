import { operation } from "../wire/operation.ts";
import { text } from "../wire/params.ts";
import { boolean, object, record, string } from "../wire/types.ts";

/** https://zulip.com/api/get-custom-emoji */
export const getEmoji = operation({
  name: "emoji.list",
  method: "GET",
  path: "/realm/emoji",
  result: { emoji: record(object({ id: string, name: string, source_url: string, deactivated: boolean })) },
});

/** https://zulip.com/api/upload-custom-emoji. The picture is the one file of a multipart body. */
export const uploadEmoji = operation({
  name: "emoji.add",
  method: "POST",
  path: "/realm/emoji/{emoji_name}",
  who: { role: "member" },
  params: { emoji_name: text() },
});

/** https://zulip.com/api/deactivate-custom-emoji */
export const removeEmoji = operation({
  name: "emoji.rm",
  method: "DELETE",
  path: "/realm/emoji/{emoji_name}",
  params: { emoji_name: text() },
});
