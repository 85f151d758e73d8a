import { acts } from "../cli/conversation.ts";

export const doctor = acts(
  {
    doc: "Look for what may be wrong between here and the server, and tell how to mend it",
    note: "It changes nothing. The exit code is 0, or that of the first check that fails: 2, 3 or 4.",
    examples: ["zulipctl doctor", "zulipctl doctor --jq '.[] | select(.status != \"ok\")'"],
  },
  async () => (await import("./doctor/examine.ts")).doctor,
);
