import { getAttachments } from "../../api/attachments.ts";
import { questionAbout } from "../../cli/question.ts";
import { size } from "../../output/when.ts";

/** With names and sizes, of those that are the account's. */
export const question = questionAbout<number>({
  async read(server) {
    const { attachments } = await server.call(getAttachments, {});
    const known = new Map(attachments.map((attachment) => [attachment.id, attachment]));
    return (id) => {
      const { name, size: bytes } = known.get(id) ?? {};
      return name === undefined ? `${id} (none of this account's)` : `${id} (${name}, ${size(bytes)})`;
    };
  },
  one: (told) => `This deletes attachment ${told} for good`,
  several: (count, told) => `This deletes ${count} attachments for good: ${told}`,
});
