/** What a server with stickers does. */
import { itemById, sendCollection } from "../../../src/sandbox/collections.ts";
import { sendToAll } from "../../../src/sandbox/events/queue.ts";
import { type HandlerContext, on } from "../../../src/sandbox/router.ts";
import { nextId } from "../../../src/sandbox/state.ts";
import { addSticker, getStickers, holdSticker, removeSticker } from "./api.ts";

interface Sticker {
  id: number;
  label: string;
  color: string;
  holder_ids: number[];
}

const stickersIn = ({ state }: HandlerContext): Sticker[] => (state as never as { stickers: Sticker[] }).stickers;

export const view = { type: "realm_stickers", records: stickersIn };

export const stickerRoutes = [
  on(getStickers, { silent: true }, (call) => ({ stickers: stickersIn(call) })),
  on(addSticker, {}, (call, { label, color }) => {
    const id = nextId(call.state, "sticker");
    stickersIn(call).push({ id, label, color, holder_ids: [] });
    sendCollection(call, "stickers" as never);
    return { id };
  }),
  on(removeSticker, {}, (call, { sticker_id }) => {
    const all = stickersIn(call);
    all.splice(all.indexOf(itemById(all, sticker_id, "Invalid sticker")), 1);
    sendCollection(call, "stickers" as never);
  }),
  on(holdSticker, {}, (call, { sticker_id, add = [], delete: removed = [] }) => {
    const sticker = itemById(stickersIn(call), sticker_id, "Invalid sticker");
    sticker.holder_ids = [...sticker.holder_ids.filter((id) => !removed.includes(id)), ...add];
    const changes = { add, remove: removed };
    for (const [op, user_ids] of Object.entries(changes))
      if (user_ids.length) sendToAll(call, { type: "sticker_holders", op, sticker_id, user_ids });
  }),
];
