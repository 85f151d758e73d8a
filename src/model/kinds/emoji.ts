import { storedEmojiName } from "../emoji.ts";
import type { Kind } from "./kind.ts";

export const emojiKind = {
  one: "emoji",
  plural: "emoji",
  noun: "emoji",
  key: ["name"],
  fold: storedEmojiName,
  id: "id",
  title: "name",
  section: "emoji",
  read: { operation: "emoji.list", list: "emoji" },
  registered: { parts: ["realm_emoji"], lists: ["realm_emoji"] },
  create: ["emoji.add"],
  matches: ({ deactivated }) => deactivated !== true,
  remove: { operation: "emoji.rm", lost: "its picture", verb: "deactivate" },
  removalEffect: {
    says: "removes it: to bring it back, upload its picture again",
    sentence: "Nobody can use deactivated emoji. Messages keep the picture.",
  },
  watched: ["name", "author_id"],
  log: { added: 226, removed: 227, removedAs: "deactivated" },
} as const satisfies Kind;
