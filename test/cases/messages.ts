import type { messages } from "../../src/commands/messages.ts";
import { type CasesOf, read, usage } from "./case.ts";

const everyKind =
  '[["is","starred"],{"operator":"sender","operand":8,"negated":true},{"operator":"dm","operand":[8,9]}]';

export const cases: CasesOf<typeof messages> = {
  match: read({
    lines: [
      {
        typed: "--ids 1,2 --narrow is:starred",
        sends:
          "GET /messages/matches_narrow?msg_ids=%5B1%2C2%5D" +
          "&narrow=%5B%7B%22operator%22%3A%22is%22%2C%22operand%22%3A%22starred%22%7D%5D",
        notes: '"no": it does not match, or this account cannot see it.\n',
      },
    ],
    wire: [
      [
        "--ids 1342,1343 --narrow wonderful",
        "GET /messages/matches_narrow?msg_ids=%5B1342%2C1343%5D" +
          "&narrow=%5B%7B%22operator%22%3A%22search%22%2C%22operand%22%3A%22wonderful%22%7D%5D",
      ],
      [
        ["--ids", "1", "--narrow-json", everyKind],
        "GET /messages/matches_narrow?msg_ids=%5B1%5D" +
          "&narrow=%5B%7B%22operator%22%3A%22is%22%2C%22operand%22%3A%22starred%22%7D" +
          "%2C%7B%22operator%22%3A%22sender%22%2C%22operand%22%3A8%2C%22negated%22%3Atrue%7D" +
          "%2C%7B%22operator%22%3A%22dm%22%2C%22operand%22%3A%5B8%2C9%5D%7D%5D",
      ],
    ],
  }),
  find: read({
    lines: [
      {
        typed: "--narrow channel:design --limit 2 -o ids",
        sends:
          "GET /messages?anchor=newest&num_before=2&num_after=0" +
          "&narrow=%5B%7B%22operator%22%3A%22channel%22%2C%22operand%22%3A%22design%22%7D%5D&apply_markdown=false",
      },
      {
        typed: "--before 3 --after 1 -o ids",
        sends: "GET /messages?anchor=2&num_before=100&num_after=0&apply_markdown=false",
        prints: "2\n",
      },
    ],
    refused: [
      ...usage({
        "--before 3 --after 2": "no message is between --after and --before",
        "--narrow x --narrow-json []": "--narrow cannot be combined with --narrow-json",
      }),
    ],
  }),
};
