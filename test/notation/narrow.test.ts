import { describe, expect, test } from "vitest";
import { Usage } from "../../src/errors.ts";
import { readNarrow } from "../../src/notation/narrow.ts";
import { readNarrowJson } from "../../src/notation/narrow-json.ts";

const terms = (expression: string, me?: number) => readNarrow(expression).terms(me);
const one = (expression: string, me?: number) => {
  const all = terms(expression, me);
  expect(all).toHaveLength(1);
  return all[0];
};
const refusalOf = (read: () => unknown): { message: string; hint: string | undefined } => {
  try {
    read();
  } catch (error) {
    if (error instanceof Usage) return { message: error.message, hint: error.details.hint };
    throw error;
  }
  throw new Error("nothing was refused");
};

describe("an expression", () => {
  test("is read as in Zulip's search box", () => {
    expect(terms('channel:general topic:"release plan" -is:resolved has:link hello world')).toEqual([
      { operator: "channel", operand: "general" },
      { operator: "topic", operand: "release plan" },
      { operator: "is", operand: "resolved", negated: true },
      { operator: "has", operand: "link" },
      { operator: "search", operand: "hello world" },
    ]);
  });

  test("joins bare words into one search, with quoted phrases", () => {
    expect(terms('  hello is:starred "release plan" search:now ')).toEqual([
      { operator: "is", operand: "starred" },
      { operator: "search", operand: 'hello "release plan" now' },
    ]);
    expect(terms("“release plan”")).toEqual([{ operator: "search", operand: '"release plan"' }]);
    expect(terms("see https://x.example/a:b at 12:30 :tada: - ok")).toEqual([
      { operator: "search", operand: "see https://x.example/a:b at 12:30 :tada: - ok" },
    ]);
    expect(terms("")).toEqual([]);
  });

  test("reads a number after channel:, sender: and dm: as an id, unless it is quoted", () => {
    expect(one("channel:7")).toEqual({ operator: "channel", operand: 7 });
    expect(one('channel:"7"')).toEqual({ operator: "channel", operand: "7" });
    expect(one("sender:8")).toEqual({ operator: "sender", operand: 8 });
    expect(one("dm:8,9")).toEqual({ operator: "dm", operand: [8, 9] });
    expect(one("dm-including:8")).toEqual({ operator: "dm-including", operand: 8 });
    expect(one("topic:7")).toEqual({ operator: "topic", operand: "7" });
    expect(one("id:31")).toEqual({ operator: "id", operand: "31" });
    expect(one("near:31")).toEqual({ operator: "near", operand: "31" });
  });

  test("decodes nothing but escaped quotes", () => {
    expect(one("topic:C++%20")).toEqual({ operator: "topic", operand: "C++%20" });
    expect(one('topic: "say \\"hi\\": now"')).toEqual({ operator: "topic", operand: 'say "hi": now' });
    expect(one('topic:""')).toEqual({ operator: "topic", operand: "" });
    expect(one("channel:✔")).toEqual({ operator: "channel", operand: "✔" });
  });

  test("leaves me for the command to resolve", () => {
    expect(readNarrow("sender:me").me).toBe(true);
    expect(readNarrow("sender:8").me).toBe(false);
    expect(one("sender:me", 5)).toEqual({ operator: "sender", operand: 5 });
    expect(one("dm:me", 5)).toEqual({ operator: "dm", operand: [5] });
    expect(one("dm:8,me", 5)).toEqual({ operator: "dm", operand: [8, 5] });
    expect(one("dm:ada@x.example,me")).toEqual({ operator: "dm", operand: "ada@x.example" });
    expect(() => terms("sender:me")).toThrow(TypeError);
  });

  test("names the level that it requires", () => {
    expect(readNarrow("channel:a mentions:8").needs).toEqual([{ feature: "mentions:", level: 446 }]);
  });

  test.each([
    ["chanel:general", '--narrow, column 1: unknown operator "chanel"', "Did you mean: channel, channels?"],
    ["hi  Sender:8", '--narrow, column 5: unknown operator "Sender"', "Did you mean: sender?"],
    [
      "has:links",
      '--narrow, column 1: has: must be one of attachment, image, link, reaction, not "links"',
      "Did you mean: link?",
    ],
    ["channels:all", '--narrow, column 1: channels: must be one of public, web-public, archived, not "all"', undefined],
    ["is:constructor", expect.stringContaining('not "constructor"'), undefined],
    ["toString:x", '--narrow, column 1: unknown operator "toString"', undefined],
    [
      "with:5",
      "--narrow, column 1: with: works in the list of messages only: the server does not match by it",
      undefined,
    ],
    ["é topic:", "--narrow, column 3: missing value after topic:", undefined],
    ["-topic: channel:general", "--narrow, column 1: missing value after topic:", undefined],
    ["channel: -is:resolved", "--narrow, column 1: missing value after channel:", undefined],
    ["🎉 sender:Ada", '--narrow, column 3: sender: must be an id, an e-mail address or me, not "Ada"', undefined],
    [
      "dm:8,ada@x.example",
      expect.stringContaining("dm: must be ids or e-mail addresses with commas between"),
      undefined,
    ],
    ["pm_with:8", '--narrow, column 1: pm_with: must be an e-mail address, not "8"', undefined],
    ["id:x", '--narrow, column 1: id: must be the number of a message, not "x"', undefined],
    ["a -hello", "--narrow, column 3: the server cannot negate words that are searched for", undefined],
    ['-"a b"', "--narrow, column 1: the server cannot negate words that are searched for", undefined],
    ["-in:all", "--narrow, column 1: the server cannot negate in:all", undefined],
    ["-near:5", "--narrow, column 1: the server cannot negate near:5", undefined],
    ['topic:"release', "--narrow, column 7: the quote is not closed", undefined],
    ['topic:"a"b', "--narrow, column 10: white space must follow the closing quote", undefined],
  ])("%s is refused with its column", (expression, message, hint) => {
    expect(refusalOf(() => readNarrow(expression))).toEqual({ message, hint });
  });
});

describe("a narrow in JSON", () => {
  test("is sent unchanged, with old pairs as terms", () => {
    expect(
      readNarrowJson(
        '[{"operator":"dm","operand":[8,9],"negated":true},["is","starred"],{"operator":"id","operand":5},{"operator":"search","operand":"a","negated":true}]',
      ).terms(),
    ).toEqual([
      { operator: "dm", operand: [8, 9], negated: true },
      { operator: "is", operand: "starred" },
      { operator: "id", operand: 5 },
      { operator: "search", operand: "a", negated: true },
    ]);
    expect(readNarrowJson('[["dm","me"]]').terms(7)).toEqual([{ operator: "dm", operand: [7] }]);
    const newer = [
      { operator: "zz", operand: { me: [1] }, negated: true },
      { operator: "toString", operand: "me" },
    ];
    expect(readNarrowJson(JSON.stringify(newer)).terms(7)).toEqual(newer);
  });

  test.each([
    ["{}", "--narrow-json must be a list of terms"],
    ["[5]", "--narrow-json[0] must be an object or a list of two strings"],
    ['[["is"]]', "--narrow-json[0] must be an object or a list of two strings"],
    ['[{"operator":"is"}]', "--narrow-json[0].operand is missing"],
    ['[{"operator":"is","operand":null}]', "--narrow-json[0].operand is missing"],
    ['[{"operand":"x"}]', "--narrow-json[0].operator must be text"],
    ['[{"operator":"is","operand":"dm","negated":1}]', "--narrow-json[0].negated must be true or false"],
    ['[{"operator":"is","operand":"dm","negate":true}]', '--narrow-json[0]: unknown member "negate" of a term'],
    ['[{"operator":"dm","operand":8}]', "--narrow-json[0]: dm: must be e-mail addresses or a list of ids, not 8"],
    [
      '[{"operator":"dm","operand":["a@b"]}]',
      "--narrow-json[0]: dm: must be e-mail addresses or a list of ids, not this list or object",
    ],
    ['[{"operator":"channel","operand":true}]', "--narrow-json[0]: channel: must be a name or an id, not true"],
    ['[{"operator":"topic","operand":5}]', "--narrow-json[0]: topic: must be text, not 5"],
    ['[{"operator":"near","operand":5}]', "--narrow-json[0]: near: must be text, not 5"],
    ['[{"operator":"search","operand":""}]', '--narrow-json[0]: search: must be text, not ""'],
    [
      '[{"operator":"id","operand":[1]}]',
      "--narrow-json[0]: id: must be the number of a message, not this list or object",
    ],
    ['[{"operator":"sender","operand":1.5}]', "--narrow-json[0]: sender: must be an e-mail address or an id, not 1.5"],
    ["[", "--narrow-json, column 2: not valid JSON: Array item or end of array ']' expected but reached end of input"],
  ])("%s is refused", (text, message) => {
    expect(refusalOf(() => readNarrowJson(text)).message).toBe(message);
  });
});

describe("a link of the app", () => {
  const topic = [
    { operator: "channel", operand: 2 },
    { operator: "topic", operand: "release plan" },
  ];
  test.each([
    ["https://chat.example.com/#narrow/channel/2-general/topic/release.20plan", topic],
    ["#narrow/stream/2-general/subject/release.20plan/near/17", topic],
    ["chat.example.com/#narrow/channel/2/topic/release.20plan/with/17", topic],
    [
      "#narrow/stream/general/topic/",
      [
        { operator: "channel", operand: "general" },
        { operator: "topic", operand: "" },
      ],
    ],
    ["#narrow/dm/8,9-group", [{ operator: "dm", operand: [8, 9] }]],
    ["#narrow/pm-with/8-Iris-Owner/near/3", [{ operator: "dm", operand: [8] }]],
    ["#narrow/pm-with/iris.40a.2Eexample", [{ operator: "dm", operand: "iris@a.example" }]],
    [
      "#narrow/sender/8-Iris/is/starred/-is/resolved/search/say.20.22hi.22",
      [
        { operator: "sender", operand: 8 },
        { operator: "is", operand: "starred" },
        { operator: "is", operand: "resolved", negated: true },
        { operator: "search", operand: 'say "hi"' },
      ],
    ],
    ["#narrow/near/17", [{ operator: "near", operand: "17" }]],
  ])("is the search that it shows: %s", (link, expected) => {
    expect(terms(link)).toEqual(expected);
  });

  test.each([
    ["#**general**", 'write a mention as a search: channel:"general"'],
    ["#**general>release plan**", 'write a mention as a search: channel:"general" topic:"release plan"'],
    ["#**general>release plan@17**", 'write a mention as a search: channel:"general" topic:"release plan"'],
    [
      "https://chat.example.com/#narrow/channel/2-general is:starred",
      "a link must stand alone: put it in double quotes to search for its text",
    ],
    ["#narrow/topic/release plan", "a link must stand alone: put it in double quotes to search for its text"],
  ])("is refused in another form: %s", (text, says) => {
    expect(refusalOf(() => readNarrow(text)).message).toBe(`--narrow: ${says}`);
    expect(terms(`"${text}"`)).toHaveLength(1);
  });

  test("keeps the organization, and is refused where it shows no search", () => {
    expect(readNarrow("https://chat.example.com/#narrow/is/starred").site?.host).toBe("chat.example.com");
    for (const end of ["narrow", "settings/profile", "inbox"])
      expect(refusalOf(() => readNarrow(`https://chat.example.com/#${end}`)).message).toBe(
        "--narrow: the link has no search",
      );
    expect(terms("https://chat.example.com/#about")).toHaveLength(1);
    expect(refusalOf(() => readNarrow("#narrow/chanel/2")).message).toBe('--narrow: unknown operator "chanel"');
    expect(refusalOf(() => readNarrow("#narrow/topic/a.zz")).message).toBe(
      '--narrow: the link has an invalid part "a.zz"',
    );
  });
});

test("single quotes are refused, and apostrophes are not", () => {
  expect(refusalOf(() => readNarrow("channel:general topic:'release plan'")).message).toBe(
    '--narrow, column 23: use double quotes: topic:"release plan"',
  );
  expect(refusalOf(() => readNarrow("'release plan'")).message).toBe(
    '--narrow, column 1: use double quotes: "release plan"',
  );
  for (const quoted of ["“release plan”", "„release plan“", "»release plan«", "‘release plan’"])
    expect(refusalOf(() => readNarrow(`topic:${quoted}`)).message).toBe(
      '--narrow, column 7: use double quotes: topic:"release plan"',
    );
  expect(terms("don’t ’tis")).toEqual([{ operator: "search", operand: "don’t ’tis" }]);
  expect(terms("'tis o'clock")).toEqual([{ operator: "search", operand: "'tis o'clock" }]);
});

test("a word that begins or ends with an invisible character is refused", () => {
  expect(refusalOf(() => readNarrow("\u200bchannel:design")).message).toBe(
    '--narrow, column 1: "\u200bchannel:design" contains U+200B (zero width space) at the beginning',
  );
  expect(refusalOf(() => readNarrow("channel:design\u2060 topic:logo")).message).toBe(
    '--narrow, column 9: "design\u2060" contains U+2060 (word joiner) at the end',
  );
  expect(terms("topic:👩‍👩‍👧")).toEqual([{ operator: "topic", operand: "👩‍👩‍👧" }]);
});

test("JSON goes to the server with operators and words that zulipctl does not know", () => {
  const sent =
    '[{"operator":"with","operand":"1"},{"operator":"in","operand":"zz"},{"operator":"later","operand":[1]}]';
  expect(readNarrowJson(sent).terms()).toEqual(JSON.parse(sent));
});
