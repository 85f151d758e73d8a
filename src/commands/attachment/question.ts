import { type Attachment, getAttachments } from "../../api/attachments.ts";
import { questionAbout } from "../../cli/question.ts";
import { firstOf } from "../../counted.ts";
import { size } from "../../output/when.ts";

/** As many messages are told. */
const most = 5;

function usedBy({ message_ids, messages }: Attachment): string {
  const ids = message_ids ?? messages?.map(({ id }) => id);
  if (!ids) return "";
  if (!ids.length) return ", used by no message";
  return `, used by message${ids.length > 1 ? "s" : ""} ${firstOf(ids.map(String), most)}`;
}

/** With names and sizes, and the messages that use them, of those that are the account's. */
export const question = questionAbout<number>({
  async read(server) {
    const { attachments } = await server.call(getAttachments, {});
    const known = new Map(attachments.map((attachment) => [attachment.id, attachment]));
    return (id) => {
      const found = known.get(id);
      return found ? `${id} (${found.name}, ${size(found.size)}${usedBy(found)})` : `${id} (none of this account's)`;
    };
  },
  one: (told) => `Delete attachment ${told}`,
});
