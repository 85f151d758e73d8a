import { describe, expect, test } from "vitest";
import { textOfWord } from "../../src/argv/text-input.ts";
import { BatchInput } from "../../src/batch/input.ts";
import { type Format, formatOf, RowReader } from "../../src/batch/reader.ts";
import { Usage } from "../../src/errors.ts";

async function* of(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

const reader = (format: Format, words: string[], ...chunks: (string | Uint8Array)[]) =>
  new RowReader(new BatchInput("rows", () => of(...chunks)), format, words);

/** Reads rows: number, line, and the command line or the error. */
async function read(format: Format, words: string[], ...chunks: (string | Uint8Array)[]) {
  const rows = [];
  for await (const { row, line, command } of reader(format, words, ...chunks).rows())
    rows.push([
      row,
      line,
      "message" in command ? command.message : command.map(({ word }) => textOfWord(word)).join("|"),
    ]);
  return rows;
}

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error) => {
      expect(error).toBeInstanceOf(Usage);
      return (error as Error).message;
    },
  );

describe("csv", () => {
  test("has a header, quotes, doubled quotes, and cells over several lines", async () => {
    const text = 'a,b\n1,"x, ""y"""\n2,"over\r\ntwo lines"\n3,z';
    expect(await read("csv", ["{a}", "<{b}>"], text)).toEqual([
      [1, 2, '1|<x, "y">'],
      [2, 3, "2|<over\r\ntwo lines>"],
      [3, 5, "3|<z>"],
    ]);
  });

  test("can have a byte order mark, CRLF and blank lines", async () => {
    expect(await read("csv", ["{a}"], "\uFEFFa,b\r\n\r\n1,x\r\n\r\n\r\n2,y\r\n")).toEqual([
      [1, 3, "1"],
      [2, 6, "2"],
    ]);
  });

  test("is read the same however it is split", async () => {
    const text = Buffer.from('name,n\r\n"größer\r\nals",1\r\nß,2\r\n');
    const bytes = Array.from({ length: text.length }, (_, at) => text.subarray(at, at + 1));
    const whole = await read("csv", ["{name}"], text);
    expect(whole).toEqual([
      [1, 2, "größer\r\nals"],
      [2, 4, "ß"],
    ]);
    expect(await read("csv", ["{name}"], ...bytes)).toEqual(whole);
  });

  test("can have semicolons", async () => {
    expect(await read("csv", ["{a}", "{b}"], 'a;b\n1,5;"x;y"\n')).toEqual([[1, 2, "1,5|x;y"]]);
  });

  test("has the separator that its header has most of", async () => {
    const row = [[1, 2, "1|x, y"]];
    expect(await read("csv", ["{a}", "{b (c, d)}"], "a;b (c, d);e\n1;x, y;\n")).toEqual(row);
    expect(await read("csv", ["{a}", "{b}"], 'a,"b",c;d\n1,"x, y",\n')).toEqual(row);
    expect(await failing(read("csv", ["{a}"], "a\tb (c, d)\te\n"))).toBe(
      "rows, line 1: the header has tabs between its columns: pass --format tsv",
    );
    expect(await read("tsv", ["{a}", "{b}"], "a\tb\n1\tx, y\n")).toEqual(row);
  });

  test("can begin with a line for the spreadsheet", async () => {
    for (const first of ["\uFEFFsep=;", '"sep=;"', "SEP=;\r", "version:v1.0", "Version: 1.0;;"]) {
      const input = reader("csv", ["{a}"], `${first}\n\na;b\n1;x\n`);
      const rows = [];
      for await (const { line, raw } of input.rows()) rows.push([line, raw]);
      expect(rows).toEqual([[4, "1;x"]]);
      expect(input.head).toBe(`${first}\na;b\n`);
    }
    expect(await read("csv", ["{a}", "{b}"], "sep=|\na|b\n1,5|x;y\n")).toEqual([[1, 3, "1,5|x;y"]]);
    expect(await read("csv", ["{a}", "{b}"], "sep=\t\na\tb\n1\tx\n")).toEqual([[1, 3, "1|x"]]);
    expect(await failing(read("csv", ["{a}"], "sep=;\n"))).toBe("rows is empty: missing header with the column names");
  });

  test("can have columns with blanks, brackets and a question mark", async () => {
    const text = "Email Address [Required],Active?\nada@x,yes\n";
    expect(await read("csv", ["{Email Address [Required]}", "{Active?}"], text)).toEqual([[1, 2, "ada@x|yes"]]);
  });

  test("can have rows of empty cells, which are skipped", async () => {
    expect(await read("csv", ["{a}"], 'a,b\n,\n1,x\n , \u00a0\n"",""\n,,,\n2,y\n')).toEqual([
      [1, 3, "1"],
      [2, 7, "2"],
    ]);
  });

  test("can have a column twice, but not one of the command", async () => {
    expect(await read("csv", ["{b}"], "a,b, a\n1,2,3\n")).toEqual([[1, 2, "2"]]);
    expect(await failing(read("csv", ["{a}"], "a,b, a\n1,2,3\n"))).toBe('rows: column "a" appears twice');
  });

  test("rejects headers without names", async () => {
    for (const text of ["", ",,\n", "\n;;\r\n"])
      expect(await failing(read("csv", ["{a}"], text))).toBe("rows is empty: missing header with the column names");
  });

  test("can have rows of empty cells above the header", async () => {
    expect(await read("csv", ["{a}"], ",,\n\n;;\n a;b\n1;2\n")).toEqual([[1, 5, "1"]]);
    expect(await read("tsv", ["{a}"], "\t\t\na\tb\n1\t2\n")).toEqual([[1, 3, "1"]]);
  });

  test.each([
    ["Course 2026;;\ngroup;email\n1;2\n", "Line 2 has the names of columns: remove the lines before it."],
    [
      "# exported\n# today\n\ngroup,e-mail,email\n1,2,3\n",
      "Line 4 has the names of columns: remove the lines before it.",
    ],
    ["Course\ngroup,mail\n1,2\n", "Its columns: Course. Write a literal brace twice: {{group}}."],
    [`Course\n${"x\n".repeat(20)}group,email\n`, "Its columns: Course. Write a literal brace twice: {{group}}."],
    [
      "group|email\n1|2\n",
      'Its columns: group|email. If they are divided at "|", begin the file with the line "sep=|". Write a literal brace twice: {{group}}.',
    ],
  ])("says what to do where a column is not in the header of %j", async (text, hint) => {
    await expect(read("csv", ["{group} {email}"], text)).rejects.toMatchObject({
      message: 'rows has no column "group"',
      details: { hint },
    });
  });

  test("is not a web page", async () => {
    for (const text of ["<!DOCTYPE html>\n<title>Sign in", "<html><body>\n", '<?xml version="1.0"?>\n'])
      expect(await failing(read("csv", ["{a}"], text))).toBe("rows is a web page (HTML), not CSV");
    expect(await read("csv", ["{<b>}"], "<b>\n1\n")).toEqual([[1, 2, "1"]]);
  });

  test("rejects a template with an unknown column, and suggests one", async () => {
    const work = read("csv", ["{emial}"], "group,email\n1,2\n");
    await expect(work).rejects.toMatchObject({
      message: 'rows has no column "emial"',
      details: {
        hint: "Did you mean: {email}? Write a literal brace twice: {{emial}}.",
      },
    });
  });

  test("reports rows with too few or too many cells", async () => {
    expect(await read("csv", ["{a}"], "a,b\n1\n2,x\n3,x,y\n4,x,, \n")).toEqual([
      [1, 2, "the row has 1 cell, and the header has 2"],
      [2, 3, "2"],
      [3, 4, "the row has 3 cells, and the header has 2"],
      [4, 5, "4"],
    ]);
  });

  test("reports the line with wrong quotes", async () => {
    expect(await failing(read("csv", ["{a}"], 'a,b\n1,2\n3,"4"x\n'))).toBe(
      'rows, line 3, cell 2: a closing quote is followed by something else than ","',
    );
    expect(await failing(read("csv", ["{a}"], 'a,b\n1,2\n3,4"x"\n'))).toBe(
      "rows, line 3, cell 2: a quote is inside a cell that does not begin with a quote",
    );
    expect(await failing(read("csv", ["{a}"], 'a,b\n1,2\n3,"4\n5,6\n'))).toBe("rows, line 3: the quote is not closed");
  });

  test("rejects text that is not UTF-8, and lines that end with CR", async () => {
    const latin = Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xe4, 0x0a]);
    expect(await failing(read("csv", ["{a}"], latin))).toBe("rows, line 3: not UTF-8 text");
    expect(await failing(read("csv", ["{a}"], "a,b\r1,2\r"))).toBe(
      "rows: lines must end with LF or CRLF, not with CR alone",
    );
  });
});

describe("ndjson", () => {
  test("has text, numbers and booleans, and null is missing", async () => {
    const text = '{"a":"x y","n":7}\n\n{"a":true,"n":null}\r\n{"n":1}\n';
    expect(await read("ndjson", ["{a}", "--n", "{n?}"], text)).toEqual([
      [1, 1, "x y|--n|7"],
      [2, 3, "true"],
      [3, 4, '"a" is missing'],
    ]);
  });

  test("reports lines that are not an object, not JSON, or have other values", async () => {
    expect(await read("ndjson", ["{a}"], '[1]\n{"a":}\n{"a":["x"]}\n')).toEqual([
      [1, 1, "not a JSON object"],
      [2, 2, "not valid JSON: Object value expected after ':'"],
      [3, 3, "x"],
    ]);
    expect(await failing(read("ndjson", ["{a}"], '[\n{"a":1}\n]\n'))).toBe(
      "rows, line 1: a JSON list, not an object a line",
    );
  });

  test("reaches into objects, and has lists of texts and numbers", async () => {
    const cells = async (row: unknown, ...words: string[]) =>
      (await read("ndjson", words, `${JSON.stringify(row)}\n`))[0]?.[2];
    expect(await cells({ user: { "e.mail": "a@x", of: { x: 1 } } }, "{user.e.mail}", "{user.of.x}")).toBe("a@x|1");
    expect(await cells({ "user.id": 7, user: { id: 8 } }, "{user.id}")).toBe("7");
    expect(await cells({ all: [{ email: "a@x" }, { email: 7 }] }, "{all.email}")).toBe("a@x\n7");
    expect(await cells({ user: {} }, "x", "--to", "{user.email?}")).toBe("x");
    expect(await cells({ a: [] }, "<{a}>")).toBe("<>");
    const flaws: [unknown, string, string][] = [
      [{ a: { b: 1 } }, "{a}", '"a" is an object: write a member of it, such as {a.b}'],
      [{ a: [{ b: 1 }] }, "{a}", '"a" is a list of objects: write a member of them, such as {a.b}'],
      [{ a: [{ b: 1 }, {}] }, "{a.b}", '"a.b" must be a list of texts or numbers: item 2 is not'],
      [{ a: ["x", ["y"]] }, "{a}", '"a" must be a list of texts or numbers: item 2 is not'],
      [{ a: ["x", " "] }, "{a}", '"a" has an item that is empty (item 2)'],
      [{ a: "x\0" }, "{a}", '"a" contains U+0000'],
      [{ a: "x" }, "{a.b}", '"a.b" is missing'],
    ];
    for (const [row, word, flaw] of flaws) expect(await cells(row, word)).toBe(flaw);
    expect((await read("ndjson", ["{a}"], '{"a":12345678901234567890}'))[0]?.[2]).toBe(
      '"a" is a number with too many digits: write it as text',
    );
  });

  test("rejects text that is not valid Unicode", async () => {
    expect(await read("ndjson", ["{a}"], '{"a":"x\\ud800"}\n{"a":"\\ud83d\\ude00"}\n')).toEqual([
      [1, 1, '"a" is not valid Unicode'],
      [2, 2, "😀"],
    ]);
  });

  test("ignores inherited members", async () => {
    expect(await read("ndjson", ["{toString}"], "{}\n")).toEqual([[1, 1, '"toString" is missing']]);
  });
});

describe("json", () => {
  const list = `\uFEFF [
    {"a": "x, \\"]", "b": {"c": [1]}},

    {
      "a": "y"
    }, {"a": 3}
  ]
`;

  test("is a list of objects, on one line or several", async () => {
    expect(await read("json", ["{a}"], list)).toEqual([
      [1, 2, 'x, "]'],
      [2, 4, "y"],
      [3, 6, "3"],
    ]);
    expect(await read("json", ["{a}"], '[{"a":1},{"a":2}]')).toEqual([
      [1, 1, "1"],
      [2, 1, "2"],
    ]);
    expect(await read("json", ["{a}"], '[1, "]", true,[{}], null\n,{"a":"z"}]')).toEqual([
      ...[1, 2, 3, 4, 5].map((row) => [row, 1, "not a JSON object"]),
      [6, 2, "z"],
    ]);
    expect(await read("json", ["{a}"], "[ ]")).toEqual([]);
  });

  test("is read the same however it is split", async () => {
    const bytes = [...Buffer.from(list)].map((byte) => Uint8Array.of(byte));
    expect(await read("json", ["{a}"], ...bytes)).toEqual(await read("json", ["{a}"], list));
  });

  test("reports what is not a list with its place, and reads nothing of it", async () => {
    const errors: [string, string][] = [
      ["", "rows is empty: missing JSON list"],
      ['{"users": []}', "rows, line 1, column 1: not a JSON list"],
      ['[\n{"a":1}\n{"a":2}]', "rows, line 3, column 1: not valid JSON: expected a comma or ]"],
      ['[{"a":1},]', "rows, line 1, column 10: not valid JSON: expected an item"],
      ['[{"a":1},\n {"a":\n }]', "rows, line 3, column 2: not valid JSON: Object value expected after ':'"],
      ['[{"a":1},\n {"a":"x', "rows, line 2, column 7: not valid JSON: the quote is not closed"],
      ['[{"a":1},\n {"a":1', "rows, line 2, column 2: not valid JSON: the item is not closed"],
      ['[{"a":1}\n', "rows: not valid JSON: missing ] at the end"],
      ["[1] 2", "rows, line 1, column 5: not valid JSON: the list has ended"],
      ["[1,x]", "rows, line 1, column 4: not valid JSON: JSON value expected but got 'x'"],
    ];
    for (const [text, message] of errors) expect(await failing(read("json", ["{a}"], text))).toBe(message);
  });
});

describe("other files", () => {
  test("are named by what they are", async () => {
    const utf16 = Buffer.from("email\nä@x\n", "utf16le");
    const files: [Uint8Array, string][] = [
      [utf16, "rows is UTF-16 text without a byte order mark, not UTF-8"],
      [Buffer.from(utf16).swap16(), "rows is UTF-16 text without a byte order mark, not UTF-8"],
      [Buffer.concat([Uint8Array.of(0xff, 0xfe), utf16]), "rows is UTF-16 text, not UTF-8"],
      [Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), "rows is UTF-32 text, not UTF-8"],
      [Uint8Array.of(0x1f, 0x8b, 8, 0), "rows is compressed (gzip), not text"],
      [Buffer.from("%PDF-1.7\n"), "rows is a PDF file, not text"],
      [Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0), "rows is a zip archive or a spreadsheet (xlsx, ods), not text"],
      [Buffer.from("a\nx\ny\0z\n"), "rows, line 3, column 2: contains U+0000"],
    ];
    for (const [bytes, message] of files) {
      expect(await failing(read("csv", ["{a}"], bytes))).toBe(message);
      expect(await failing(read("csv", ["{a}"], ...[...bytes].map((byte) => Uint8Array.of(byte))))).toBe(message);
    }
  });
});

describe("lines", () => {
  test("are quoted like in a shell, with comments and blank lines", async () => {
    const text = `# people
group members devs --add "name:Ada Lovelace" # not 'closed

folder create 'Q4 #1' --description=it\\'s
folder create a#b --description ''
linkifier add "a\\"b" 'x''y'z ""
`;
    expect(await read("lines", [], text)).toEqual([
      [1, 2, "group|members|devs|--add|name:Ada Lovelace"],
      [2, 4, "folder|create|Q4 #1|--description=it's"],
      [3, 5, "folder|create|a#b|--description|"],
      [4, 6, 'linkifier|add|a"b|xyz|'],
    ]);
  });

  test("expand nothing", async () => {
    expect(await read("lines", [], 'a $HOME `x` ~ * "$(id)" {a,b} >x\n')).toEqual([
      [1, 1, "a|$HOME|`x`|~|*|$(id)|{a,b}|>x"],
    ]);
  });
});

describe("templates", () => {
  const words = (template: string[], row: string) =>
    read("csv", template, `a,b,c\n${row}\n`).then(([first]) => first![2]);

  test("insert columns anywhere in a word", async () => {
    expect(await words(["--x={a}-{b}", "{c}{c}"], "1,2,3")).toBe("--x=1-2|33");
  });

  test("leave out a word with an empty optional value, and the flag before it", async () => {
    expect(await words(["u", "--x", "{a?}", "--y", "{b}", "--z={c?}"], "1,2,3")).toBe("u|--x|1|--y|2|--z=3");
    expect(await words(["u", "--x", "{a?}", "--y", "{b}", "--z={c?}"], ",2,")).toBe("u|--y|2");
    expect(await words(["--y", "--z", "{a?}", "w{b?}"], ",,3")).toBe("--y");
  });

  test("read doubled braces as braces", async () => {
    expect(await words(["https://x/{{id}}", '{{"direct_members":[{a}]}}'], "7,2,3")).toBe(
      'https://x/{id}|{"direct_members":[7]}',
    );
  });

  test("reject a brace without a column", async () => {
    for (const word of ["{", "{}", "a{b", "{?}", '{"x":{a}}'])
      await expect(async () => reader("csv", [word], "a\n")).rejects.toMatchObject({
        details: { hint: "Write a literal brace twice: {{ or }}." },
      });
  });
});

test.each([
  [["{Full", "Name}"], "Quote a column with blanks: '{Full Name}'. "],
  [["name:{Full", "Name", "(new)}"], "Quote a column with blanks: 'name:{Full Name (new)}'. "],
  [["{Full", "{Name}"], ""],
  [["{Full", "Name"], ""],
])("a template of the words %j says how to quote a column", (typed, quote) => {
  expect(() => reader("csv", ["x", ...typed], "a\n")).toThrow(
    expect.objectContaining({ details: { hint: `${quote}Write a literal brace twice: {{ or }}.` } }),
  );
});

test("the file extension determines the format", () => {
  expect(["a.csv", "b.TSV", "c.ndjson", "d.jsonl", "e.lines", "f.txt", "csv", "/dev/fd/63"].map(formatOf)).toEqual([
    "csv",
    "tsv",
    "ndjson",
    "ndjson",
    "lines",
    undefined,
    undefined,
    undefined,
  ]);
});

describe("an input", () => {
  const all = async (input: BatchInput) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of input.bytes()) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test("that cannot be read is a usage error", async () => {
    const input = new BatchInput("rows.csv", () => {
      throw Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" });
    });
    expect(await failing(all(input))).toBe("file not found: rows.csv");
  });
});
