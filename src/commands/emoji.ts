import { addEmoji, getEmoji, removeEmoji } from "../api/emoji.ts";
import { readPicture } from "../argv/upload.ts";
import { noun } from "../cli/noun.ts";
import { type CommandParameter, optionalOperand, type ReadContext } from "../cli/parameter.ts";
import { names, offered, text, toggle } from "../cli/value-parameters.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { changingVerb } from "../cli/verbs-with-code.ts";
import { type Change, change } from "../engine/change.ts";
import { Usage } from "../errors.ts";
import { storedEmojiName } from "../model/emoji.ts";
import type { Context, Planned } from "../run/context.ts";
import type { FileToSend } from "../wire/params.ts";

function readName(typed: string, flag: string): string {
  const name = storedEmojiName(typed);
  if (/^[0-9a-z_-]*[0-9a-z]$/.test(name)) return name;
  throw new Usage(`${flag}: invalid emoji name "${typed}"`, {
    hint: "A name has lowercase letters a to z, digits, - and _, and ends with a letter or digit.",
  });
}

const pictureEnding = /\.(png|apng|jpe?g|gif|webp|avif)$/i;

const nameParameter: CommandParameter<string, string> = {
  ...text(
    "letters, digits, - and _; blanks become _, and capitals small letters; or a picture with such a name",
    "name",
  ),
  read: (typed: string, { flag }: ReadContext) => (pictureEnding.test(typed) ? typed : readName(typed, flag)),
};

const pictures: CommandParameter<FileToSend[], string[]> = {
  metavar: "file",
  doc: "a PNG, JPEG, GIF, WebP or AVIF picture of at most 5 MiB; several if all words are pictures",
  many: true,
  offers: { of: "file" },
  read: (typed: string[], { context, flag }: ReadContext) =>
    Promise.all(typed.map((each) => readPicture(context.world, flag, each))),
};

const addition = (name: string, file: FileToSend): Change =>
  change(
    addEmoji,
    { emoji_name: name, filename: file },
    {
      target: name,
      done: "Added emoji {target}.",
      already: "Emoji {target} exists already; its picture was not compared.",
      flags: { emoji_name: "<name>", filename: "<file>" },
      verifyWith: "zulipctl emoji list",
    },
  );

/** `zulipctl emoji add a.png b.png` names emoji like their files. */
async function add(
  context: Context,
  { name, file = [] }: { name: string; file?: FileToSend[] | undefined },
): Promise<Planned> {
  if (!pictureEnding.test(name)) {
    const [picture, another] = file;
    if (!picture)
      throw new Usage("missing required argument: <file>", { hint: 'Run "zulipctl emoji add --help" for usage.' });
    if (another) throw new Usage(`<name>: "${name}" is not a picture: only pictures can be several`);
    return [addition(name, picture)];
  }
  const all = [await readPicture(context.world, "<name>", name), ...file];
  const pathsByName = new Map<string, string>();
  const changes = all.map((picture) => {
    const { path } = picture;
    const own = readName(path.replace(/^.*[/\\]/, "").replace(pictureEnding, ""), "<file>");
    const earlier = pathsByName.get(own);
    if (earlier !== undefined) throw new Usage(`<file>: ${earlier} and ${path} have the same name: "${own}"`);
    pathsByName.set(own, path);
    return addition(own, picture);
  });
  return { changes, list: true };
}

export const emojiNoun = noun("Custom emoji", {
  add: changingVerb({
    operation: addEmoji,
    makes: true,
    doc: "Add custom emoji",
    operations: ["emoji.list"],
    operands: { name: nameParameter, file: optionalOperand(pictures) },
    binds: { name: "emoji_name", file: "filename" },
    note: "Only administrators can use the name of a built-in emoji. An emoji that exists already stays as it is.",
    examples: ["zulipctl emoji add party party.png", "zulipctl emoji add party.png"],
    run: async () => add,
  }),

  rm: changesEach(removeEmoji, {
    doc: "Deactivate custom emoji: nobody can use them any more",
    things: offered("emoji", names("names; @file or - reads them, one a line")),
    args: (emoji_name) => ({ emoji_name }),
    confirm: { verb: "Deactivate", one: "emoji", many: "emoji" },
    done: "Deactivated emoji {target}.",
    already: "Emoji {target} is deactivated already.",
    checkCommand: "emoji list --deactivated",
    examples: ["zulipctl emoji rm shipit --yes"],
  }),

  list: lists(getEmoji, {
    doc: "List custom emoji by name",
    operations: ["users.list"],
    emptyFields: ["name", "source_url", "deactivated", "author_id", "still_url", "id"],
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
