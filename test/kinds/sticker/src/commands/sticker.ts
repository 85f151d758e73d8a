import { addSticker, getStickers, holdSticker, removeSticker } from "../api/stickers.ts";
import { deletion } from "../cli/destructive-question.ts";
import { noun } from "../cli/noun.ts";
import { usersParameter } from "../cli/thing-parameters.ts";
import { id, ids, text } from "../cli/value-parameters.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";

export const stickerNoun = noun("Stickers", {
  add: changes(addSticker, {
    doc: "Add a sticker",
    operands: { label: text("what people see", "label"), color: text("its color", "color") },
    args: ({ label, color }) => ({ label, color }),
    target: "label",
    done: "Added sticker {id}.",
    ids: "id",
    checkCommand: "sticker list",
    examples: ["zulipctl sticker add Star gold"],
  }),
  hold: changes(holdSticker, {
    doc: "Give a sticker to people, or take it",
    asks: "sometimes",
    operands: { sticker: id("sticker", "the id of a sticker") },
    flags: { add: usersParameter("people who get it"), delete: usersParameter("people who lose it") },
    someFlag: true,
    args: ({ sticker, ...changes }) => ({ sticker_id: sticker, ...changes }),
    target: ({ sticker }) => String(sticker),
    done: "Updated sticker {target}.",
    checkCommand: "sticker list",
    examples: ["zulipctl sticker hold 1 --add otis@sandbox.example"],
  }),
  rm: changesEach(removeSticker, {
    doc: "Remove stickers",
    things: ids("sticker", "ids of stickers"),
    args: (sticker_id) => ({ sticker_id }),
    done: "Deleted sticker {target}.",
    checkCommand: "sticker list",
    confirm: deletion("sticker", async (server) =>
      (await server.call(getStickers, {})).stickers.map(({ id, label }): [number, string] => [id, label]),
    ),
    examples: ["zulipctl sticker rm 1 --yes"],
  }),
  list: lists(getStickers, {
    doc: "List stickers",
    records: ({ stickers }) => stickers,
    id: "id",
    columns: { ID: "id", LABEL: "label", COLOR: "color" },
    examples: ["zulipctl sticker list"],
  }),
});
