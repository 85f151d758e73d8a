import { addEmoji, removeEmoji } from "../../src/api/emoji.ts";
import type { emojiNoun } from "../../src/commands/emoji.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { pictures } from "../sandbox/pictures.ts";
import { type CasesOf, change, read, upload, usage } from "./case.ts";

const files = { "party.png": pictures.png, "party.gif": pictures["animated-gif"] };

const picture = (name: string, author_id: number, deactivated = false) => ({
  name,
  source_url: `/user_avatars/2/emoji/images/${name}.png`,
  deactivated,
  author_id,
  still_url: null,
});

/** Adds two active emoji and a deactivated one. */
const addEmojis = ({ emoji }: SandboxState) => {
  emoji
    .set(1, picture("shipit", 8))
    .set(2, picture("lgtm", 9))
    .set(3, picture("old", 8, true));
};

const activeCount = ({ emoji }: SandboxState) => [...emoji.values()].filter(({ deactivated }) => !deactivated).length;

const badName = (typed: string) =>
  `<name>: invalid emoji name "${typed}"\nA name has lowercase letters a to z, digits, - and _, and ends with a letter or digit.`;

export const cases: CasesOf<typeof emojiNoun> = {
  add: change(addEmoji, {
    lines: [
      {
        typed: "party party.png",
        files,
        sends: [
          "GET /realm/emoji",
          `POST /realm/emoji/party ${upload("filename", "party.png", "image/png", pictures.png)}`,
        ],
        prints: 'Added emoji "party".\n',
        shows:
          "POST https://chat.example/api/v1/realm/emoji/party  emoji.add\n" +
          `  filename = {"path":"party.png","size":${pictures.png.length},"type":"image/png"}\n`,
        made: activeCount,
      },
      {
        typed: ["party cat", "party.gif"],
        files,
        sends: [
          "GET /realm/emoji",
          `POST /realm/emoji/party_cat ${upload("filename", "party.gif", "image/gif", pictures["animated-gif"])}`,
        ],
        made: ({ emoji }) =>
          [...emoji.values()].some(({ name, still_url }) => name === "party_cat" && still_url !== null),
      },
      {
        typed: ["Uni Logo.PNG", "party.gif"],
        files: { "Uni Logo.PNG": pictures.png, "party.gif": pictures["animated-gif"] },
        sends: [
          "GET /realm/emoji",
          `POST /realm/emoji/uni_logo ${upload("filename", "Uni Logo.PNG", "image/png", pictures.png)}`,
          `POST /realm/emoji/party ${upload("filename", "party.gif", "image/gif", pictures["animated-gif"])}`,
        ],
        of: 2,
        made: (state, before) => activeCount(state) - activeCount(before),
      },
    ],
    refused: [
      ...usage({
        "Pärty party.png": badName("Pärty"),
        "party_ party.png": badName("party_"),
        "party nothing.png": "<file>: file not found: nothing.png",
      }),
      {
        typed: "party party.txt",
        files: { "party.txt": "a party" },
        code: 2,
        says: "<file>: party.txt is not a PNG, JPEG, GIF, WebP or AVIF picture",
      },
      {
        typed: "party party.png",
        files: { "party.png": pictures.png.padEnd(5 * 1024 * 1024 + 1) },
        code: 2,
        says: "<file>: party.png is larger than 5 MiB",
      },
      {
        typed: "shipit party.png --or-update",
        files,
        given: addEmojis,
        code: 2,
        says: "--or-update is not supported for emoji: pictures cannot be compared\nTo replace it, first run: zulipctl emoji rm <name>",
      },
      { typed: "tada party.png", files, as: 400, says: "Only administrators can override default emoji." },
      { typed: "party party.png", files, as: 600, says: "Not allowed for guest users" },
    ],
  }),

  rm: change(removeEmoji, {
    several: true,
    lines: [
      {
        typed: "shipit --yes",
        given: addEmojis,
        sends: "DELETE /realm/emoji/shipit",
        prints: 'Deactivated emoji "shipit".\n',
        made: (state, before) => activeCount(before) - activeCount(state),
      },
      {
        typed: "- --yes",
        input: "shipit\nlgtm\n",
        given: addEmojis,
        sends: ["DELETE /realm/emoji/shipit", "DELETE /realm/emoji/lgtm"],
        of: 2,
        made: (state, before) => activeCount(before) - activeCount(state),
      },
    ],
    refused: [
      {
        typed: "shipit",
        given: addEmojis,
        code: 2,
        says: 'confirmation required: stdin is not a terminal. Deactivate emoji "shipit" on chat.example? Nobody can use deactivated emoji. Messages keep the picture. Pass --yes to confirm.',
      },
      { typed: "never --yes", given: addEmojis, says: "Emoji 'never' does not exist" },
      {
        typed: "lgtm --yes",
        given: addEmojis,
        as: 400,
        says: "Must be an organization administrator or emoji author",
      },
    ],
  }),

  list: read({
    lines: [
      {
        typed: "",
        given: addEmojis,
        sends: ["GET /realm/emoji", "GET /users?user_ids=%5B9%2C8%5D"],
        prints:
          "NAME\tAUTHOR\tPICTURE\nlgtm\tAdam Admin\t/user_avatars/2/emoji/images/lgtm.png\nshipit\tIris Owner\t/user_avatars/2/emoji/images/shipit.png\n",
        ids: "lgtm\nshipit\n",
      },
      {
        typed: "--deactivated",
        given: addEmojis,
        sends: ["GET /realm/emoji", "GET /users?user_ids=%5B9%2C8%5D"],
        ids: "lgtm\nold\nshipit\n",
      },
    ],
  }),
};
