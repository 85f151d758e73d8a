import { addLinkifier } from "../../src/api/linkifiers.ts";
import type { linkifier } from "../../src/commands/linkifier.ts";
import { type CasesOf, change, read } from "./case.ts";

export const cases: CasesOf<typeof linkifier> = {
  add: change(addLinkifier, {
    takes: ["<pattern>", "<url-template>", "--sample <text>...", "--skip-check"],
    lines: [
      {
        typed: "'FAULT-(?P<id>[0-9]+)' 'https://example.com/{id}'",
        sends:
          "POST /realm/filters pattern=FAULT-%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fexample.com%2F%7Bid%7D",
        prints: "Linkifier 3 added.\n",
        ids: "3\n",
        made: ({ linkifiers }, before) => linkifiers.length - before.linkifiers.length,
        ignoring: { params: ["pattern"], code: 1 },
      },
    ],
    wire: [
      [
        "'P611-(?P<n>[0-9]+)' 'https://e.example/{n}'",
        "POST /realm/filters pattern=P611-%28%3FP%3Cn%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fe.example%2F%7Bn%7D",
      ],
    ],
  }),
  list: read({ takes: [], lines: [{ typed: "", sends: "GET /realm/linkifiers", ids: "1\n2\n" }] }),
};
