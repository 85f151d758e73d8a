import { type Attachment, getAttachments, removeAttachment } from "../api/attachments.ts";
import { acts } from "../cli/conversation.ts";
import { irreversible } from "../cli/deletion.ts";
import { ago, fileSize, ids, number, offered, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { size, when } from "../output/when.ts";
import { savingFlags } from "./saving-flags.ts";

/** Milliseconds since the epoch; up to level 442 servers count so, later ones in seconds. */
const created = ({ create_time }: Attachment): number => (create_time > 1e11 ? create_time : create_time * 1000);

/** No message refers to it; a server that tells nothing of messages does not say so. */
const unreferenced = ({ message_ids, messages }: Attachment): boolean => (message_ids ?? messages)?.length === 0;

export const attachment = noun("Uploaded files of one's own", {
  rm: changesEach(removeAttachment, {
    doc: "Delete uploaded files of one's own, for good",
    things: ids("attachment", "ids of attachments; - reads them from stdin"),
    args: (attachment_id) => ({ attachment_id }),
    done: "Attachment {target} deleted.",
    see: "attachment list",
    confirm: (all) => ({
      question: all.length === 1 ? `Delete attachment ${all[0]}` : `Delete ${all.length} attachments`,
      consequence: irreversible,
    }),
    question: async (...asked) => (await import("./attachment/question.ts")).question(...asked),
    examples: [
      "zulipctl attachment rm 2 --yes",
      "zulipctl attachment list --jq '.[] | select(.size > 5000) | .id' | zulipctl attachment rm - --yes",
    ],
  }),

  list: lists(getAttachments, {
    doc: "One's own uploads",
    flags: {
      largerThan: fileSize("larger ones only"),
      olderThan: ago("those of more than so many days (90d) or hours (12h) ago only"),
      unused: toggle("those only to which no message refers"),
    },
    records: "attachments",
    only:
      ({ largerThan, olderThan, unused }) =>
      (attachment) =>
        (largerThan === undefined || attachment.size > largerThan) &&
        (olderThan === undefined || created(attachment) < olderThan) &&
        (!unused || unreferenced(attachment)),
    id: "id",
    columns: {
      ID: "id",
      NAME: "name",
      SIZE: { value: (record) => size(record.size), align: "right" },
      UPLOADED: { value: ({ create_time }) => when(create_time), whole: true },
    },
    below: ({ upload_space_used: used }) =>
      used === undefined ? undefined : `All uploads of the organization together take ${size(used)}.`,
    examples: [
      "zulipctl attachment list",
      "zulipctl attachment list --larger-than 1kB --older-than 90d --unused -o ids",
    ],
  }),

  download: acts(
    {
      doc: "Fetch an uploaded file of one's own",
      operands: { id: offered("attachment", number("id of the attachment", "id")) },
      flags: savingFlags,
      examples: ["zulipctl attachment download 2", "zulipctl attachment download 2 --to old-budget.csv --overwrite"],
    },
    async () => (await import("./attachment/download.ts")).download,
  ),
});
