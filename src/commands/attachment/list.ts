import { type Attachment, getAttachments } from "../../api/attachments.ts";
import type { Listing } from "../../output/form.ts";
import { size, when } from "../../output/when.ts";
import type { Context } from "../../shell/context.ts";

export async function list({ ask }: Context): Promise<Listing<Attachment>> {
  const { attachments } = await ask(getAttachments, {});
  return {
    kind: "listing",
    records: attachments,
    id: ({ id }) => id,
    columns: [
      { head: "ID", value: ({ id }) => id, align: "right" },
      { head: "NAME", value: ({ name }) => name },
      { head: "SIZE", value: (record) => size(record.size), align: "right" },
      { head: "UPLOADED", value: ({ create_time }) => when(create_time) },
    ],
  };
}
