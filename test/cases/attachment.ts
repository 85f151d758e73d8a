import { removeAttachment } from "../../src/api/attachments.ts";
import type { attachment } from "../../src/commands/attachment.ts";
import type { State } from "../../src/sandbox/state.ts";
import { type CasesOf, change, read } from "./case.ts";

const gone = (state: State, before: State) => before.attachments.size - state.attachments.size;

/** The owner has two files. */
const third = ({ attachments }: State) => void attachments.set(5, { ...attachments.get(1)!, id: 5 });

export const cases: CasesOf<typeof attachment> = {
  rm: change(removeAttachment, {
    takes: ["<id>..."],
    several: true,
    lines: [
      { typed: "1 --yes", sends: "DELETE /attachments/1", prints: "Attachment 1 deleted.\n", made: gone },
      {
        typed: "1 2 5 --yes",
        given: third,
        sends: ["DELETE /attachments/1", "DELETE /attachments/2", "DELETE /attachments/5"],
        of: 3,
        made: gone,
      },
    ],
    wire: [["8", "DELETE /attachments/8"]],
  }),
  list: read({ takes: [], lines: [{ typed: "", sends: "GET /attachments", ids: "1\n2\n" }] }),
};
