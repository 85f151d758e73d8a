/** All that an author of a new kind writes: three files, and lines in five others. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** New files. They are in the folder `sticker`, in the places that they have in the program. */
export const newFiles = ["src/model/kinds/sticker.ts", "src/api/stickers.ts", "src/commands/sticker.ts"];

const routes = `
  on(getStickers, { silent: true }, (call) => ({ stickers: collectionRecords(call, "sticker") })),

  on(addSticker, {}, (call, { label, color }) => {
    const id = nextId(call.state, "sticker");
    call.state.stickers.push({ id, label, color, holder_ids: [] });
    sendCollection(call, "sticker");
    return { id };
  }),

  on(removeSticker, {}, (call, { sticker_id }) => {
    const { stickers } = call.state;
    stickers.splice(stickers.indexOf(itemById(stickers, sticker_id, "Invalid sticker")), 1);
    sendCollection(call, "sticker");
  }),

  on(holdSticker, {}, (call, { sticker_id, add = [], delete: removed = [] }) => {
    const sticker = itemById(call.state.stickers, sticker_id, "Invalid sticker");
    sticker.holder_ids = [...sticker.holder_ids.filter((id) => !removed.includes(id)), ...add];
    for (const [op, user_ids] of Object.entries({ add, remove: removed }))
      if (user_ids.length) sendToAll(call, { type: "sticker_holders", op, sticker_id, user_ids });
  }),
`;

type Addition = readonly [after: string, lines: string];

/** By file of the program, lines that come after others. */
export const newLines: Readonly<Record<string, readonly Addition[]>> = {
  "src/model/kinds/index.ts": [
    ['import { profileFieldKind } from "./profile-field.ts";\n', 'import { stickerKind } from "./sticker.ts";\n'],
    ["  playground: playgroundKind,\n", "  sticker: stickerKind,\n"],
  ],
  "src/api/all.ts": [['export * from "./server.ts";\n', 'export * from "./stickers.ts";\n']],
  "src/commands/nouns.ts": [
    [
      '  playground: async () => (await import("./playground.ts")).playgroundNoun,\n',
      '  sticker: async () => (await import("./sticker.ts")).stickerNoun,\n',
    ],
  ],
  "src/organization/section-registry.ts": [
    [
      'import { groupsSection } from "./sections/groups.ts";\n',
      'import { listSection } from "./sections/list-section.ts";\n',
    ],
    ["  playgrounds: playgroundsSection,\n", '  stickers: listSection("sticker", { doc: "Stickers." }),\n'],
  ],
  "src/sandbox/handlers/collections.ts": [
    [
      'import { addPlayground, removePlayground } from "../../api/playgrounds.ts";\n',
      'import { addSticker, getStickers, holdSticker, removeSticker } from "../../api/stickers.ts";\n',
    ],
    ["export const collectionRoutes = [\n", routes],
  ],
};

/** Returns a file of the program with what the author adds. Undefined if that is nothing. */
export function withSticker(path: string): string | undefined {
  if (newFiles.includes(path)) return readFileSync(join(import.meta.dirname, "sticker", path), "utf8");
  return newLines[path]?.reduce(
    (text, [after, lines]) => {
      if (!text.includes(after)) throw new Error(`${path} has no line ${after}`);
      return text.replace(after, () => `${after}${lines}`);
    },
    readFileSync(path, "utf8"),
  );
}
