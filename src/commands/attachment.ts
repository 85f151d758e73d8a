import {
  type Attachment,
  getAttachmentFile,
  getAttachments,
  removeAttachment,
  uploadFile,
} from "../api/attachments.ts";
import { readUpload } from "../argv/upload.ts";
import { deletion } from "../cli/destructive-question.ts";
import { noun } from "../cli/noun.ts";
import type { CommandParameter, ReadContext } from "../cli/parameter.ts";
import { ago, fileSize, id, ids, savingFlags, toggle } from "../cli/value-parameters.ts";
import { changesEach, lists } from "../cli/verb.ts";
import { rawCustomVerb } from "../cli/verbs-with-code.ts";
import { joinFirst } from "../common/counted.ts";
import { Refused } from "../errors.ts";
import { inMilliseconds, size, timeCell } from "../output/when.ts";
import type { Conclusion, Context } from "../run/context.ts";
import { destinationOf, type SavingFlags, saveDownload } from "../run/saving.ts";
import type { FileToSend } from "../wire/params.ts";

function usedBy({ message_ids, messages }: Attachment): string {
  const ids = message_ids ?? messages?.map(({ id }) => id);
  if (!ids) return "";
  if (!ids.length) return ", used by no message";
  return `, used by message${ids.length > 1 ? "s" : ""} ${joinFirst(ids.map(String))}`;
}

/** Returns whether no message links the file. False if the server sends no messages. */
const isUnused = ({ message_ids, messages }: Attachment): boolean => (message_ids ?? messages)?.length === 0;

async function download(context: Context, flags: SavingFlags, id: number): Promise<Conclusion | undefined> {
  const place = await destinationOf(context, flags);
  const { attachments } = await (await context.server()).call(getAttachments, {});
  const file = attachments.find((attachment) => attachment.id === id);
  if (!file)
    throw new Refused(`attachment ${id} not found among your uploads`, {
      hint: "List them with: zulipctl attachment list",
    });
  const { name, path_id, size } = file;
  return saveDownload(context, place, {
    operation: getAttachmentFile,
    args: { path_id },
    what: "Attachment",
    id,
    name,
    size,
  });
}

const filesToSend: CommandParameter<{ typed: string; file: FileToSend }[], string[]> = {
  metavar: "file",
  doc: "files",
  many: true,
  offers: { of: "file" },
  read: (paths: string[], { context, flag }: ReadContext) =>
    Promise.all(paths.map(async (typed) => ({ typed, file: await readUpload(context.world, flag, typed) }))),
};

export const attachmentNoun = noun("Your uploaded files", {
  add: changesEach(uploadFile, {
    doc: "Upload files, and print for each the link to paste into a message",
    things: filesToSend,
    args: ({ file }) => ({ file }),
    done: "[{filename}]({url})",
    checkCommand: "attachment list",
    note: "Who can read a message with the link can read the file. Until then only you can.",
    examples: ["zulipctl attachment add party.png"],
  }),

  rm: changesEach(removeAttachment, {
    doc: "Delete your uploaded files permanently",
    operations: ["attachment.list"],
    things: ids("attachment", "ids of attachments; - reads them from stdin"),
    args: (attachment_id) => ({ attachment_id }),
    done: "Deleted attachment {target}.",
    checkCommand: "attachment list",
    confirm: deletion("attachment", async (server) =>
      (await server.call(getAttachments, {})).attachments.map((file) => [
        file.id,
        `${file.id} (${file.name}, ${size(file.size)}${usedBy(file)})`,
      ]),
    ),
    examples: [
      "zulipctl attachment rm 2 --yes",
      "zulipctl attachment list --jq '.[] | select(.size > 5000) | .id' | zulipctl attachment rm - --yes",
    ],
  }),

  list: lists(getAttachments, {
    doc: "List your uploads",
    note: "Servers list only your own uploads, for owners too. An export has those of everybody: zulipctl audit uploads",
    flags: {
      largerThan: fileSize("only larger ones"),
      olderThan: ago("only uploads older than this: 90d, 12h"),
      unused: toggle("only those that no message uses"),
    },
    records: ({ attachments }) => attachments,
    emptyFields: ["id", "name", "path_id", "size", "create_time", "message_ids"],
    only:
      ({ largerThan, olderThan, unused }) =>
      (attachment) =>
        (largerThan === undefined || attachment.size > largerThan) &&
        (olderThan === undefined || inMilliseconds(attachment.create_time) < olderThan) &&
        (!unused || isUnused(attachment)),
    id: "id",
    columns: {
      ID: "id",
      NAME: "name",
      SIZE: { value: (record) => size(record.size), align: "right" },
      UPLOADED: { value: ({ create_time }) => timeCell(create_time), whole: true },
    },
    tableNote: ({ upload_space_used: used }) =>
      [
        "Only your own uploads; see those of others with: zulipctl audit uploads.",
        ...(used === undefined ? [] : [`All uploads of the organization together take ${size(used)}.`]),
      ].join(" "),
    examples: [
      "zulipctl attachment list",
      "zulipctl attachment list --larger-than 1kB --older-than 90d --unused -o ids",
    ],
  }),

  download: rawCustomVerb({
    doc: "Download one of your uploaded files",
    operations: ["attachment.file", "attachment.list"],
    operands: { id: id("attachment", "id of the attachment") },
    flags: savingFlags,
    examples: ["zulipctl attachment download 2", "zulipctl attachment download 2 --to old-budget.csv --overwrite"],
    run: async () => download,
  }),
});
