import { addEmoji, removeEmoji } from "../../api/emoji.ts";
import { storedEmojiName } from "../../model/emoji.ts";
import { nonEmptyShape } from "../attribute-shapes.ts";
import type { Snapshot } from "../snapshot.ts";
import { addBase, nameIsFree, removeBase } from "./requests.ts";
import { ofKind, type ThingsSection } from "./section.ts";

/** Servers check the content only if the type of the file is a picture type. */
const typeOf = (path: string): string => {
  const ending = /\.(gif|webp|avif|jpe?g)$/i.exec(path)?.[1]?.toLowerCase() ?? "png";
  return `image/${ending === "jpg" ? "jpeg" : ending}`;
};

type EmojiRecord = NonNullable<Snapshot["organization"]["realm_emoji"]>[string];

const allIn = ({ organization }: Snapshot): readonly EmojiRecord[] => Object.values(organization.realm_emoji ?? {});

export const emojiSection: ThingsSection<EmojiRecord> = {
  ...ofKind<EmojiRecord>("emoji"),
  doc: "Custom emoji, by name. Servers do not tell what a picture is, so the file is used for new ones alone.",
  requiredToCreate: "file",
  members: {
    name: { shape: nonEmptyShape, doc: "The name.", needed: true, stored: storedEmojiName },
    file: {
      shape: nonEmptyShape,
      doc: "The picture of a new one: a file in the folder of this file.",
      createOnly: true,
    },
  },
  records: (snapshot) => allIn(snapshot).filter(({ deactivated }) => !deactivated),
  withRecords: (snapshot, records) => ({
    ...snapshot,
    organization: { ...snapshot.organization, realm_emoji: Object.fromEntries(records.map((each, n) => [n, each])) },
  }),
  requests: {
    create: (_, { name, to }) => {
      const path = String(to.file);
      const args = { emoji_name: name, filename: { path, type: typeOf(path) } };
      return [{ ...addBase, operation: addEmoji, args, needs: [nameIsFree("emoji", name)] }];
    },
    // Servers can neither rename an emoji nor replace its picture.
    update: () => [],
    remove: (_, { name }) => [
      { ...removeBase, operation: removeEmoji, args: { emoji_name: name }, provides: [nameIsFree("emoji", name)] },
    ],
  },
};
