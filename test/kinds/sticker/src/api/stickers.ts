import { ifKnown } from "../wire/impact.ts";
import { changesOf, listKind } from "../wire/membership.ts";
import { operation } from "../wire/operation.ts";
import { json, maybe, text } from "../wire/params.ts";
import { integer, list, object, string } from "../wire/types.ts";

export const addSticker = operation("sticker.add", "POST /realm/stickers", {
  effects: { none: "a sticker for tests" },
  who: { role: "administrator" },
  params: { label: text({ doc: "What people see." }), color: text({ doc: "Its color." }) },
  result: { id: integer },
});

export const getStickers = operation("sticker.list", "GET /realm/stickers", {
  result: { stickers: list(object({ id: integer, label: string, color: string, holder_ids: list(integer) })) },
});

export const removeSticker = operation("sticker.rm", "DELETE /realm/stickers/{sticker_id}", {
  effects: ({ sticker_id }) => ifKnown(sticker_id, (id) => ({ does: "remove", kind: "sticker", id })),
  who: { role: "administrator" },
  params: { sticker_id: json(integer) },
  previous: {
    read: getStickers,
    inList: { list: "stickers", id: "id", idOf: ({ sticker_id }) => sticker_id },
    values: (found) => found,
  },
});

export const stickerHolders = listKind("sticker holders", getStickers);

export const holdSticker = operation("sticker.hold", "POST /realm/stickers/{sticker_id}/holders", {
  ...changesOf("sticker.hold", [stickerHolders]),
  who: { role: "administrator" },
  params: {
    sticker_id: json(integer),
    add: maybe(json(list(integer), { of: "user" })),
    delete: maybe(json(list(integer), { of: "user" })),
  },
});
