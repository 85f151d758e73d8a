import { getAttachments, removeAttachment } from "../api/attachments.ts";
import { ids } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { size, when } from "../output/when.ts";

export const attachment = noun("Uploaded files of one's own", {
  rm: changesEach(removeAttachment, {
    doc: "Delete uploaded files of one's own, for good",
    things: ids("ids of attachments; - reads them from stdin"),
    args: (attachment_id) => ({ attachment_id }),
    done: "Attachment {target} deleted.",
    see: "attachment list",
    confirm: (all) =>
      all.length === 1
        ? `This deletes attachment ${all[0]} for good`
        : `This deletes ${all.length} attachments for good`,
    question: async (...asked) => (await import("./attachment/question.ts")).question(...asked),
    examples: [
      "zulipctl attachment rm 2 --yes",
      "zulipctl attachment list --jq '.[] | select(.size > 5000) | .id' | zulipctl attachment rm - --yes",
    ],
  }),

  list: lists(getAttachments, {
    doc: "One's own uploads",
    records: "attachments",
    id: "id",
    columns: {
      ID: "id",
      NAME: "name",
      SIZE: { value: (record) => size(record.size), align: "right" },
      UPLOADED: { value: ({ create_time }) => when(create_time) },
    },
    examples: ["zulipctl attachment list"],
  }),
});
