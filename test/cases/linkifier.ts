import { addLinkifier, removeLinkifier, reorderLinkifiers, updateLinkifier } from "../../src/api/linkifiers.ts";
import type { linkifierNoun } from "../../src/commands/linkifier.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { type CasesOf, change, read, usage } from "./case.ts";

const refusedHint = "The server would refuse this. Pass --skip-check to send it anyway.";
const matchHint =
  "A match counts after white space or one of '\"(,:<, where no letter or digit follows, and not in code or URLs.";

const linkTable = "TEXT\tMATCH\tLINKIFIER\tURL\tSTART\n#1\t#1\t1\thttps://tracker.example/issues/1\t0\n";

const addedCount = (state: SandboxState, before: SandboxState) => state.linkifiers.length - before.linkifiers.length;
const removedCount = (state: SandboxState, before: SandboxState) => before.linkifiers.length - state.linkifiers.length;

export const cases: CasesOf<typeof linkifierNoun> = {
  add: change(addLinkifier, {
    lines: [
      {
        typed: "'FAULT-(?P<id>[0-9]+)' 'https://example.com/{id}'",
        sends:
          "POST /realm/filters pattern=FAULT-%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fexample.com%2F%7Bid%7D",
        prints: "Added linkifier 3.\n",
        ids: "3\n",
        made: addedCount,
        ignoring: { params: ["pattern"], code: 1 },
      },
      {
        typed: "'I-(?P<id>[0-9]+)' 'https://i.example/{id}' --sample 'see I-1, I-22 and xI-3' --sample '(I-4)'",
        sends: [
          "GET /realm/linkifiers",
          "POST /realm/filters pattern=I-%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fi.example%2F%7Bid%7D",
        ],
        notes: "I-1 → https://i.example/1\nI-22 → https://i.example/22\nI-4 → https://i.example/4\n",
        made: addedCount,
      },
      {
        typed: "'[#I](?P<n>[0-9]+)' 'https://i.example/{n}' --sample 'see #1 and I2'",
        sends: [
          "GET /realm/linkifiers",
          "POST /realm/filters pattern=%5B%23I%5D%28%3FP%3Cn%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fi.example%2F%7Bn%7D",
        ],
        notes: "#1 → https://tracker.example/issues/1 (by linkifier 1, which comes first)\nI2 → https://i.example/2\n",
        made: addedCount,
      },
      {
        typed:
          "'I-(?P<id>[0-9]+)' 'https://i.example/{id}' --example I-1 --reverse 'I-{id}' --alternative 'https://j.example/{id}'",
        level: 478,
        sends:
          "POST /realm/filters pattern=I-%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fi.example%2F%7Bid%7D" +
          "&example_input=I-1&reverse_template=I-%7Bid%7D&alternative_url_templates=%5B%22https%3A%2F%2Fj.example%2F%7Bid%7D%22%5D",
        made: ({ linkifiers }) => linkifiers.at(-1)!.reverse_template === "I-{id}",
      },
    ],
    wire: [
      [
        "'P611-(?P<n>[0-9]+)' 'https://e.example/{n}'",
        "POST /realm/filters pattern=P611-%28%3FP%3Cn%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fe.example%2F%7Bn%7D",
      ],
    ],
    refused: [
      { typed: "'(' https://x.example/ --skip-check", says: "Bad regular expression: missing ): (" },
      {
        typed: "a https://x.example/ --example a",
        level: 470,
        says: "--example requires feature level 471; chat.example has level 470",
      },
      {
        typed: "a https://x.example/ --alternative https://y.example/",
        level: 477,
        says: "--alternative requires feature level 478; chat.example has level 477",
      },
      {
        typed: "a https://x.example/ --sample a --skip-check",
        code: 2,
        says: "--skip-check cannot be combined with --sample",
      },
    ],
  }),
  update: change(updateLinkifier, {
    lines: [
      {
        typed: "1 --pattern A --url-template https://a.example/",
        sends: "PATCH /realm/filters/1 pattern=A&url_template=https%3A%2F%2Fa.example%2F",
        prints: "Updated linkifier 1.\n",
        json: "{}\n",
        made: ({ linkifiers }) =>
          linkifiers[0]!.pattern === "A" && linkifiers[0]!.url_template === "https://a.example/",
        ignoring: { params: ["pattern"], code: 1 },
      },
      {
        typed: "1 --pattern 'T(?P<id>[0-9]+)'",
        sends: [
          "GET /realm/linkifiers",
          "PATCH /realm/filters/1 pattern=T%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Ftracker.example%2Fissues%2F%7Bid%7D",
        ],
        made: ({ linkifiers }) => linkifiers[0]!.pattern === "T(?P<id>[0-9]+)",
      },
      {
        typed: "1 --url-template 'https://x.example/{id}' --sample 'see #7'",
        sends: [
          "GET /realm/linkifiers",
          "PATCH /realm/filters/1 pattern=%23%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fx.example%2F%7Bid%7D",
        ],
        notes: "#7 → https://x.example/7\n",
        made: ({ linkifiers }) => linkifiers[0]!.url_template === "https://x.example/{id}",
      },
      {
        typed: "2 --pattern '#(?P<n>[0-9]+)' --url-template 'https://x.example/{n}' --sample 'see #7'",
        sends: [
          "GET /realm/linkifiers",
          "PATCH /realm/filters/2 pattern=%23%28%3FP%3Cn%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Fx.example%2F%7Bn%7D",
        ],
        notes: "#7 → https://tracker.example/issues/7 (by linkifier 1, which comes first)\n",
        made: ({ linkifiers }) => linkifiers[1]!.url_template === "https://x.example/{n}",
      },
      {
        typed: "1 --reverse '' --alternative ''",
        level: 478,
        given: ({ linkifiers }) => {
          Object.assign(linkifiers[0]!, {
            reverse_template: "#{id}",
            alternative_url_templates: ["https://y.example/"],
          });
        },
        sends: [
          "GET /realm/linkifiers",
          "PATCH /realm/filters/1 pattern=%23%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Ftracker.example%2Fissues%2F%7Bid%7D&reverse_template=&alternative_url_templates=%5B%5D",
        ],
        made: ({ linkifiers: [first] }) =>
          first!.reverse_template === null && first!.alternative_url_templates.length === 0,
      },
      {
        typed: `1 --alternative '["https://y.example/","https://z.example/"]'`,
        level: 478,
        sends: [
          "GET /realm/linkifiers",
          "PATCH /realm/filters/1 pattern=%23%28%3FP%3Cid%3E%5B0-9%5D%2B%29&url_template=https%3A%2F%2Ftracker.example%2Fissues%2F%7Bid%7D&alternative_url_templates=%5B%22https%3A%2F%2Fy.example%2F%22%2C%22https%3A%2F%2Fz.example%2F%22%5D",
        ],
        made: ({ linkifiers: [first] }) => first!.alternative_url_templates[1] === "https://z.example/",
      },
    ],
    refused: [
      ...["1", "1 --sample a"].map((typed) => ({
        typed,
        code: 2,
        says: 'linkifier update requires at least one flag that says what to change\nRun "zulipctl linkifier update --help" for usage.',
      })),
      ...usage({
        "9 --pattern a": "<id>: linkifier 9 not found\nList them with: zulipctl linkifier list",
        "1 --pattern '('": `Bad regular expression: missing ): (\n${refusedHint}`,
        "1 --pattern a": `Group 'id' in URL template is not present in linkifier pattern.\n${refusedHint}`,
        "1 --url-template 'https://a.example/{'": `--url-template: Invalid URL template.\n${refusedHint}`,
        "1 --pattern 'B(?P<id>b)' --sample a": `--sample: nothing in "a" matches; the linkifier was not changed\n${matchHint}`,
      }),
      { typed: "1 --pattern '(' --skip-check", says: "Bad regular expression: missing ): (" },
      { typed: "9 --pattern a --url-template https://a.example/", says: "Linkifier not found." },
      { typed: "1 --pattern 'B(?P<id>b)'", as: 300, says: "Must be an organization administrator" },
    ],
  }),

  rm: change(removeLinkifier, {
    several: true,
    lines: [
      { typed: "1 --yes", sends: "DELETE /realm/filters/1", prints: "Deleted linkifier 1.\n", made: removedCount },
      {
        typed: "- --yes",
        input: "1, 2\n",
        sends: ["DELETE /realm/filters/1", "DELETE /realm/filters/2"],
        of: 2,
        made: removedCount,
      },
    ],
    refused: [
      ...usage({
        "1": "confirmation required: stdin is not a terminal. Delete linkifier 1 on chat.example? Pass --yes to confirm.",
      }),
      { typed: "9 --yes", says: "Linkifier not found." },
    ],
  }),

  reorder: change(reorderLinkifiers, {
    lines: [
      {
        typed: "2",
        sends: ["GET /realm/linkifiers", "PATCH /realm/linkifiers ordered_linkifier_ids=%5B2%2C1%5D"],
        prints: "The order of the linkifiers is now 2, 1.\n",
        made: ({ linkifiers }) => linkifiers[0]!.id === 2,
        ignoring: { params: ["ordered_linkifier_ids"], code: 1 },
      },
      {
        typed: "-",
        input: "2\n1\n",
        sends: ["GET /realm/linkifiers", "PATCH /realm/linkifiers ordered_linkifier_ids=%5B2%2C1%5D"],
        made: ({ linkifiers }) => linkifiers[0]!.id === 2,
      },
    ],
    refused: [
      ...usage({
        "9 8": "<linkifier>: linkifier 9, 8 not found\nList them with: zulipctl linkifier list",
        x: '<id>: invalid id "x": must be a whole number',
      }),
    ],
  }),

  test: read({
    lines: [
      {
        typed: "'see #7' --expect match",
        sends: "GET /realm/linkifiers",
        prints: "TEXT\tMATCH\tLINKIFIER\tURL\tSTART\nsee #7\t#7\t1\thttps://tracker.example/issues/7\t4\n",
        ids: "1\n",
        json: '[{"text":"see #7","match":"#7","linkifier":1,"url":"https://tracker.example/issues/7","start":4}]\n',
      },
      {
        typed: "'see #7, #8' nothing '🎉 web@0123abc'",
        sends: "GET /realm/linkifiers",
        prints:
          "TEXT\tMATCH\tLINKIFIER\tURL\tSTART\n" +
          "see #7, #8\t#7\t1\thttps://tracker.example/issues/7\t4\n" +
          "see #7, #8\t#8\t1\thttps://tracker.example/issues/8\t8\n" +
          "🎉 web@0123abc\tweb@0123abc\t2\thttps://code.example/web/commit/0123abc\t2\n",
      },
      {
        typed: "a --expect none",
        sends: "GET /realm/linkifiers",
        prints: "TEXT\tMATCH\tLINKIFIER\tURL\tSTART\n",
        notes: "Nothing in these texts becomes a link.\n",
      },
      {
        typed: "- @more T3 --pattern 'T(?P<id>[0-9]+)' --url-template 'https://x.example/{id}'",
        input: "T1\n\nx T2\n",
        files: { more: "none here\n" },
        sends: [],
        prints:
          "TEXT\tMATCH\tLINKIFIER\tURL\tSTART\n" +
          "T1\tT1\t\thttps://x.example/1\t0\nx T2\tT2\t\thttps://x.example/2\t2\nT3\tT3\t\thttps://x.example/3\t0\n",
      },
    ],
    refused: [
      { typed: "'#1' a b --expect match", code: 8, prints: linkTable, says: 'nothing becomes a link in "a", "b"' },
      { typed: "'#1' a --expect none", code: 8, prints: linkTable, says: 'something becomes a link in "#1"' },
      ...usage({
        "": "linkifier test requires at least one text\nGive texts, @file with one a line, or - for stdin.",
        "a --pattern a": "--pattern requires --url-template",
        "a --url-template https://a.example/": "--url-template requires --pattern",
        "a --pattern '(' --url-template https://a.example/":
          "Bad regular expression: missing ): (\nThe server would refuse this.",
      }),
      { typed: ["x".repeat(10_001)], code: 2, says: "<text>: the message must have at most 10,000 characters" },
    ],
  }),

  list: read({ lines: [{ typed: "", sends: "GET /realm/linkifiers", ids: "1\n2\n" }] }),
};
