import { addEmoji, getEmoji, removeEmoji } from "../api/emoji.ts";
import { readPicture } from "../argv/upload.ts";
import { names, offered, path, text, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { changes, changesEach, lists } from "../cli/verb.ts";
import type { ReadContext, Word } from "../cli/word.ts";
import { Usage } from "../errors.ts";
import { storedEmojiName } from "../model/emoji.ts";
import type { Context } from "../run/context.ts";
import type { FileToSend } from "../wire/params.ts";

function readName(typed: string, flag: string): string {
  const name = storedEmojiName(typed);
  if (/^[0-9a-z_-]*[0-9a-z]$/.test(name)) return name;
  throw new Usage(`${flag}: invalid emoji name "${typed}"`, {
    hint: "A name has lowercase letters a to z, digits, - and _, and ends with a letter or digit.",
  });
}

const newName: Word<string, string> = {
  ...text("lowercase letters, digits, - and _; blanks become _", "name"),
  read: (typed: string, { flag }: ReadContext) => readName(typed, flag),
};

const picture = {
  ...path("a PNG, JPEG, GIF, WebP or AVIF picture of at most 5 MiB"),
  read: (typed: string, { context, flag }: ReadContext) => readPicture(context.world, flag, typed),
} as Word<FileToSend, string>;

/** Throws for a name that the server would refuse. Rows of a batch are not checked: an earlier run may have added them. */
async function checkFree({ server, line }: Context, name: string): Promise<void> {
  if (line !== undefined) return;
  const { emoji } = await (await server()).lookUp(getEmoji, {});
  if (Object.values(emoji).some((one) => one.name === name && !one.deactivated))
    throw new Usage(`emoji "${name}" already exists`, { hint: `To replace it, first run: zulipctl emoji rm ${name}` });
}

export const emoji = noun("Custom emoji", {
  add: changes(addEmoji, {
    doc: "Add a custom emoji",
    operations: ["emoji.list"],
    operands: { name: newName, file: picture },
    binds: { name: "emoji_name", file: "filename" },
    before: ({ name }, context) => checkFree(context, name),
    args: ({ name, file }) => ({ emoji_name: name, filename: file }),
    target: "name",
    done: "Added emoji {target}.",
    see: "emoji list",
    note: "Only administrators can use the name of a built-in emoji.",
    examples: ["zulipctl emoji add party party.png"],
  }),

  rm: changesEach(removeEmoji, {
    doc: "Deactivate custom emoji: nobody can use them any more",
    things: offered("emoji", names("names; @file or - reads them, one a line")),
    args: (emoji_name) => ({ emoji_name }),
    confirm: {
      verb: "Deactivate",
      one: "emoji",
      many: "emoji",
      consequence: "Nobody can use deactivated emoji. Messages keep the picture.",
    },
    done: "Deactivated emoji {target}.",
    already: "Emoji {target} is deactivated already.",
    see: "emoji list --deactivated",
    examples: ["zulipctl emoji rm shipit --yes"],
  }),

  list: lists(getEmoji, {
    doc: "List custom emoji by name",
    operations: ["users.list"],
    flags: { deactivated: toggle("include deactivated ones") },
    records: ({ emoji }) =>
      Object.values(emoji).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : Number(a.id) - Number(b.id))),
    only:
      ({ deactivated }) =>
      (emoji) =>
        deactivated || !emoji.deactivated,
    id: "name",
    columns: ({ deactivated }) => ({
      NAME: { value: ({ name }) => name, style: (emoji) => (emoji.deactivated ? "dim" : undefined) },
      AUTHOR: { names: "user", ids: ({ author_id }) => author_id },
      DEACTIVATED: deactivated && { value: (emoji) => (emoji.deactivated ? "yes" : "") },
      PICTURE: { value: ({ source_url }) => source_url, whole: true },
    }),
    examples: ["zulipctl emoji list --deactivated"],
  }),
});
