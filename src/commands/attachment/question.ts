import { type Attachment, getAttachments } from "../../api/attachments.ts";
import { Refused } from "../../errors.ts";
import { size } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";

/** As many are told by name; more would hide the question. */
const most = 5;

/** The question with names and sizes, of those that are the account's; with ids alone where these cannot be read. */
export async function question({ server }: Context, ids: readonly number[], otherwise: string): Promise<string> {
  let attachments: Attachment[];
  try {
    attachments = (await (await server()).call(getAttachments, {})).attachments;
  } catch (error) {
    if (error instanceof Refused) return otherwise;
    throw error;
  }
  const known = new Map(attachments.map((attachment) => [attachment.id, attachment]));
  const told = ids.slice(0, most).map((id) => {
    const { name, size: bytes } = known.get(id) ?? {};
    return name === undefined ? `${id} (none of this account's)` : `${id} (${name}, ${size(bytes)})`;
  });
  if (ids.length === 1) return `This deletes attachment ${told[0]} for good`;
  const more = ids.length > most ? ` and ${ids.length - most} more` : "";
  return `This deletes ${ids.length} attachments for good: ${told.join(", ")}${more}`;
}
