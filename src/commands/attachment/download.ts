import { getAttachmentFile, getAttachments } from "../../api/attachments.ts";
import { Refused } from "../../errors.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { fetchFile, placeOf, type SavingFlags } from "../../run/saving.ts";

export async function download(context: Context, flags: SavingFlags, id: number): Promise<Conclusion | undefined> {
  const place = await placeOf(context, flags);
  const { attachments } = await (await context.server()).call(getAttachments, {});
  const found = attachments.find((attachment) => attachment.id === id);
  if (!found)
    throw new Refused(`attachment ${id} not found among your uploads`, {
      hint: "List them with: zulipctl attachment list",
    });
  const { name, path_id, size } = found;
  return fetchFile(context, place, {
    operation: getAttachmentFile,
    args: { path_id },
    what: "Attachment",
    id,
    name,
    size,
  });
}
