import { getAttachmentFile, getAttachments } from "../../api/attachments.ts";
import { Refused } from "../../errors.ts";
import { fileName } from "../../notation/file-name.ts";
import type { Conclusion, Context } from "../../run/context.ts";
import { pathIn, placeOf, type SavingFlags, save, savedResult } from "../../run/saving.ts";
import { call } from "../../wire/call.ts";

export async function download(context: Context, flags: SavingFlags, id: number): Promise<Conclusion | undefined> {
  const place = await placeOf(context, flags);
  const server = await context.server();
  const { attachments } = await server.call(getAttachments, {});
  const found = attachments.find((attachment) => attachment.id === id);
  if (!found)
    throw new Refused(`attachment ${id} not found among your uploads`, {
      hint: "List them with: zulipctl attachment list",
    });
  const { name, path_id, size } = found;
  const path = await pathIn(context, place, fileName(name, `attachment-${id}`));
  await context.showInstead([call(getAttachmentFile, { path_id })]);
  const bytes = server.download(getAttachmentFile, { path_id }, { name, size });
  const saved = await save(context, bytes, { path, overwrite: place.overwrite });
  return saved && savedResult(`Attachment ${id}`, id, saved);
}
