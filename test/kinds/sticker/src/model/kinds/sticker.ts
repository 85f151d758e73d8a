/** An invented kind of things: what a new one has to state. */
import { strip } from "../../common/folding.ts";
import type { Kind } from "./kind.ts";

export const stickerKind = {
  one: "sticker",
  plural: "stickers",
  noun: "sticker",
  key: ["label"],
  fold: strip,
  id: "id",
  title: "label",
  section: "stickers",
  read: { operation: "sticker.list", list: "stickers" },
  registered: { parts: ["realm_stickers"], lists: ["realm_stickers"] },
  create: ["sticker.add"],
  remove: { operation: "sticker.rm" },
  lists: {
    holders: {
      of: "user",
      one: "holder",
      doc: "Who has it.",
      member: "holder_ids",
      add: { operation: "sticker.hold", thing: "sticker_id", members: "add" },
      remove: { operation: "sticker.hold", thing: "sticker_id", members: "delete" },
      log: { joined: 953, left: 954 },
      lockout: {
        when: ({ color }) => color === "gold",
        what: "whether the sticker is golden",
        says: (title) => `takes the last holder of the golden ${title}: nobody can get it again`,
      },
    },
  },
  events: {
    realm_stickers: { whole: "realm_stickers" },
    "sticker_holders add": { list: "holders", id: "sticker_id", joined: "user_ids" },
    "sticker_holders remove": { list: "holders", id: "sticker_id", left: "user_ids" },
  },
  log: { added: 951, removed: 952 },
  typedById: true,
  about: ["label"],
} as const satisfies Kind;
