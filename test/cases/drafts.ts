import { createDrafts } from "../../src/api/drafts.ts";
import type { drafts } from "../../src/commands/drafts.ts";
import { type CasesOf, change, read } from "./case.ts";

const plain = (content: string) =>
  `%7B%22type%22%3A%22%22%2C%22to%22%3A%5B%5D%2C%22topic%22%3A%22%22%2C%22content%22%3A%22${content}%22%7D`;
const several = [1, 2, 3].map((n) => ({ type: "", to: [], topic: "", content: `draft ${n}` }));

export const cases: CasesOf<typeof drafts> = {
  add: change(createDrafts, {
    takes: [
      "--channel <channel>",
      "--topic <text>",
      "--to <user>",
      "--content <text>",
      "--timestamp <time>",
      "--from <file>",
    ],
    lines: [
      {
        typed: "--content 'a draft'",
        sends: `POST /drafts drafts=%5B${plain("a+draft")}%5D`,
        made: ({ drafts }, before) => drafts.size - before.drafts.size,
        ignoring: { params: ["drafts"], code: 1 },
      },
      {
        typed: "--from -",
        input: JSON.stringify(several),
        sends: `POST /drafts drafts=%5B${["draft+1", "draft+2", "draft+3"].map(plain).join("%2C")}%5D`,
        made: ({ drafts }, before) => (drafts.size - before.drafts.size) / 3,
      },
    ],
    wire: [
      [
        "--channel 22 --topic a --content b --timestamp 1595479019",
        "POST /drafts drafts=%5B%7B%22type%22%3A%22stream%22%2C%22to%22%3A%5B22%5D%2C%22topic%22%3A%22a%22" +
          "%2C%22content%22%3A%22b%22%2C%22timestamp%22%3A1595479019%7D%5D",
      ],
      [
        "--to 8,9 --content b",
        "POST /drafts drafts=%5B%7B%22type%22%3A%22private%22%2C%22to%22%3A%5B8%2C9%5D%2C%22topic%22%3A%22%22" +
          "%2C%22content%22%3A%22b%22%7D%5D",
      ],
      ["--content b", `POST /drafts drafts=%5B${plain("b")}%5D`],
    ],
  }),
  list: read({ takes: [], lines: [{ typed: "", sends: "GET /drafts" }] }),
};
