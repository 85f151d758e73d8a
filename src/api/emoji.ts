import { ifKnown } from "../wire/impact.ts";
import { type AnswerOf, operation } from "../wire/operation.ts";
import { text, upload } from "../wire/params.ts";
import { boolean, integer, nullable, object, optional, record, string, type Value } from "../wire/types.ts";

/** Deactivated emoji stay in the list, since messages still show them. */
const emojiSchema = object({
  id: string,
  name: string,
  source_url: string,
  deactivated: boolean,
  author_id: optional(nullable(integer)),
});

export type Emoji = Value<typeof emojiSchema>;

/** https://zulip.com/api/get-custom-emoji */
export const getEmoji = operation("emoji.list", "GET /realm/emoji", {
  result: { emoji: record(emojiSchema) },
});

/** https://zulip.com/api/upload-custom-emoji */
export const addEmoji = operation("emoji.add", "POST /realm/emoji/{emoji_name}", {
  effects: { none: "adds a picture" },
  who: { role: "member" },
  params: { emoji_name: text(), filename: upload() },
  existing: {
    kind: "emoji",
    incomparable: "pictures cannot be compared",
    read: getEmoji,
    things: ({ emoji }: AnswerOf<typeof getEmoji>) => Object.values(emoji).filter(({ deactivated }) => !deactivated),
    identity: ({ name }) => String(name),
    identityOf: ({ emoji_name }) => emoji_name,
    id: "name",
  },
});

/** https://zulip.com/api/deactivate-custom-emoji */
export const removeEmoji = operation("emoji.rm", "DELETE /realm/emoji/{emoji_name}", {
  effects: ({ emoji_name }) => ifKnown(emoji_name, (id) => ({ does: "remove", kind: "emoji", id })),
  params: { emoji_name: text() },
  before: {
    read: getEmoji,
    // Several emoji may have had the name. It is unknown if none had it.
    values: ({ emoji }: AnswerOf<typeof getEmoji>, { emoji_name }) => {
      const named = Object.values(emoji).filter(({ name }) => name === emoji_name);
      return named.length ? { deactivated: named.every(({ deactivated }) => deactivated) } : {};
    },
  },
  sets: { deactivated: true },
});
