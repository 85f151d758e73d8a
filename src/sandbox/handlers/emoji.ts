/** Custom emoji: pictures that are uploaded under a name. */

import { getEmoji, removeEmoji, uploadEmoji } from "../../api/emoji.ts";
import { strip } from "../../folding.ts";
import { insufficient, may } from "../access.ts";
import { ApiError, refused } from "../api-error.ts";
import * as tell from "../events/organization.ts";
import { insistOnPicture } from "../pictures.ts";
import { emojiRecord } from "../records/small.ts";
import { on } from "../router.ts";
import { isAdministrator, nextId, type State } from "../state.ts";

/** Throws where the name is none. */
function insistOnName(name: string): void {
  if (!/^[0-9a-z_-]+$/.test(name))
    throw refused("Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.");
  if (!/[0-9a-z]$/.test(name)) throw refused("Emoji names must end with either a letter or digit.");
}

const live = ({ emoji }: State, wanted: string) =>
  emoji.find(({ name, deactivated }) => name === wanted && !deactivated);

export const emojiRoutes = [
  // A name of the built-in ones is for administrators alone on real servers. The sandbox does not know those names: here
  // whoever may add emoji may take any.
  on(uploadEmoji, { who: "member" }, (call, { emoji_name }) => {
    const { state, caller, files } = call;
    const name = strip(emoji_name).replaceAll(" ", "_");
    insistOnName(name);
    if (!may(state, caller, "can_add_custom_emoji_group")) throw insufficient();
    if (live(state, name)) throw refused("A custom emoji with this name already exists.");
    insistOnPicture(files, "You must upload exactly one file.");
    state.emoji.push({ id: nextId(state, "emoji"), name, author_id: caller.user_id, deactivated: false });
    tell.emojiChanged(call);
    return {};
  }),

  on(getEmoji, { silent: true }, ({ state }) => ({
    emoji: Object.fromEntries(state.emoji.map((each) => [each.id, emojiRecord(each)])),
  })),

  on(removeEmoji, {}, (call, { emoji_name }) => {
    const { state, caller } = call;
    const found = live(state, emoji_name);
    if (!found) throw new ApiError(404, "BAD_REQUEST", `Emoji '${emoji_name}' does not exist`);
    if (!isAdministrator(caller) && found.author_id !== caller.user_id) {
      throw refused("Must be an organization administrator or emoji author");
    }
    found.deactivated = true;
    tell.emojiChanged(call);
    return {};
  }),
];
