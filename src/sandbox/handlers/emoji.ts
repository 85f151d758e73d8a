/** Custom emoji. One that is deleted stays in the list, for messages that show it. */

import { addEmoji, getEmoji, removeEmoji } from "../../api/emoji.ts";
import { strip } from "../../common/folding.ts";
import { MiB } from "../../common/unit-sizes.ts";
import { checkPermission } from "../access.ts";
import { ApiError, badRequest } from "../answers.ts";
import { builtInEmoji } from "../built-in-emoji.ts";
import { sendToAll } from "../events/queue.ts";
import { checkPicture } from "../pictures.ts";
import { type HandlerContext, on } from "../router.ts";
import { isAdministrator, nextId, type SandboxState, type StoredEmoji } from "../state.ts";
import { randomText } from "../text.ts";

export const emojiRecords = ({ emoji }: SandboxState): Record<string, object> =>
  Object.fromEntries([...emoji].map(([id, each]) => [id, { ...each, id: String(id) }]));

/** Sends the whole list, or only the change to clients with the capability for that. */
const sendEmoji = (context: HandlerContext, change: { op: string; [member: string]: unknown }): void =>
  sendToAll(context, (_, { capabilities }) =>
    context.level >= 491 && capabilities.has("individual_emoji_changes")
      ? { type: "realm_emoji", ...change }
      : { type: "realm_emoji", op: "update", realm_emoji: emojiRecords(context.state) },
  );

const activeEmoji = ({ emoji }: SandboxState, name: string): [id: number, StoredEmoji] | undefined =>
  [...emoji].find(([, each]) => each.name === name && !each.deactivated);

function checkName(name: string): void {
  if (name === "") throw badRequest("Emoji name is missing");
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw badRequest(
      "Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.",
    );
  }
  if (/[-_]$/.test(name)) throw badRequest("Emoji names must end with either a letter or digit.");
}

export const emojiRoutes = [
  on(getEmoji, { silent: true }, ({ state }) => ({ emoji: emojiRecords(state) })),

  on(addEmoji, {}, (call, { emoji_name }) => {
    const { state, caller, files, random } = call;
    const name = strip(emoji_name).replaceAll(" ", "_");
    checkName(name);
    checkPermission(call, "can_add_custom_emoji_group");
    if (activeEmoji(state, name)) throw badRequest("A custom emoji with this name already exists.");
    const [file, another] = files;
    if (!file || another) throw badRequest("You must upload exactly one file.");
    if (builtInEmoji.has(name) && !isAdministrator(caller)) {
      throw badRequest("Only administrators can override default emoji.");
    }
    if (file.bytes.length > 5 * MiB) throw badRequest("Uploaded file is larger than the allowed limit of 5 MiB");
    const { extension, animated } = checkPicture(file);
    const path = `/user_avatars/2/emoji/images/${randomText(random, 8, "0123456789abcdef")}`;
    const id = nextId(state, "emoji");
    state.emoji.set(id, {
      name,
      source_url: `${path}.${extension}`,
      deactivated: false,
      author_id: caller.user_id,
      still_url: animated ? `${path}-still.png` : null,
    });
    sendEmoji(call, { op: "add", emoji: emojiRecords(state)[id] });
  }),

  on(removeEmoji, { silent: true }, (call, { emoji_name }) => {
    const { state, caller } = call;
    const [id, found] = activeEmoji(state, emoji_name) ?? [];
    if (!found) throw new ApiError(404, "BAD_REQUEST", `Emoji '${emoji_name}' does not exist`);
    if (found.author_id !== caller.user_id && !isAdministrator(caller)) {
      throw badRequest("Must be an organization administrator or emoji author");
    }
    found.deactivated = true;
    sendEmoji(call, { op: "update_one", emoji_id: String(id), data: { deactivated: true } });
  }),
];
