import { removeAttachment, uploadFile } from "../../src/api/attachments.ts";
import type { attachmentNoun } from "../../src/commands/attachment.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, local, read, upload } from "./case.ts";

const removedCount = (state: SandboxState, before: SandboxState) => before.attachments.size - state.attachments.size;

/** Adds a third file of the owner. */
const addAttachment = ({ attachments }: SandboxState) => void attachments.set(5, { ...attachments.get(1)!, id: 5 });

export const cases: CasesOf<typeof attachmentNoun> = {
  add: change(uploadFile, {
    several: true,
    lines: [
      {
        typed: "plan.txt",
        files: { "plan.txt": "a plan" },
        sends: `POST /user_uploads ${upload("file", "plan.txt", "text/plain", "a plan")}`,
        made: (state, before) => state.attachments.size - before.attachments.size,
      },
    ],
    refused: [{ typed: "plan.txt", code: 2, says: "<file>: file not found: plan.txt" }],
  }),
  rm: change(removeAttachment, {
    several: true,
    lines: [
      { typed: "1 --yes", sends: "DELETE /attachments/1", prints: "Deleted attachment 1.\n", made: removedCount },
      {
        typed: "1 2 5 --yes",
        given: addAttachment,
        sends: ["DELETE /attachments/1", "DELETE /attachments/2", "DELETE /attachments/5"],
        of: 3,
        made: removedCount,
      },
    ],
    wire: [["8 9 8", ["DELETE /attachments/8", "DELETE /attachments/9"]]],
  }),
  list: read({
    lines: [
      {
        typed: "",
        sends: "GET /attachments",
        notes:
          "Only your own uploads; see those of others with: zulipctl audit uploads. All uploads of the organization together take 53.8 KiB.\n",
        ids: "1\n2\n",
      },
      {
        typed: "--larger-than 5kB --older-than 0d --unused",
        sends: "GET /attachments",
        notes:
          "Only your own uploads; see those of others with: zulipctl audit uploads. All uploads of the organization together take 53.8 KiB.\n",
        ids: "",
      },
    ],
  }),
  download: local({
    lines: [
      {
        typed: "2",
        sends: ["GET /attachments", "GET https://chat.example/user_uploads/2/02/sandbox2/budget.csv"],
        prints: "Attachment 2 saved as budget.csv (5.2 KiB).\n",
        ids: "2\n",
        json: '{"id":2,"file":"budget.csv","size":5321}\n',
      },
    ],
    refused: [
      {
        typed: "99",
        says: "attachment 99 not found among your uploads\nList them with: zulipctl attachment list",
      },
      {
        typed: "2 --to old",
        files: { old: "" },
        code: 2,
        says: "old already exists\nPass --overwrite to replace it, or choose another name with --to.",
      },
    ],
  }),
};
