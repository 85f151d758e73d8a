import { removeAttachment } from "../../api/attachments.ts";
import { change } from "../../engine/change.ts";
import type { Context, Planned } from "../../shell/context.ts";
import type { Given } from "../../shell/given.ts";
import { idsOf } from "../../shell/text.ts";

export async function rm({ world }: Context, _options: object, words: Given[]): Promise<Planned> {
  const ids = [...new Set(await idsOf(world, "<id>", words))];
  const confirm =
    ids.length === 1 ? `This deletes attachment ${ids[0]} for good` : `This deletes ${ids.length} attachments for good`;
  return {
    several: ids.map((attachment_id) =>
      change(
        removeAttachment,
        { attachment_id },
        {
          target: String(attachment_id),
          done: "Attachment {target} deleted.",
          verifyWith: "zulipctl attachment list",
          confirm,
        },
      ),
    ),
  };
}
