/** From the texts of files to one checked value. */
import { describe, expect, test } from "vitest";
import { yamlText } from "../../src/output/yaml.ts";
import { documentOf, locationTextOf, problemsIn, problemsOf } from "./documents.ts";
import { right, wrong } from "./files.ts";

const organization = "organization: https://chat.example.com\n";

describe("several files", () => {
  test("are merged: lists are joined, and so are settings", async () => {
    const { value, count, at } = await documentOf({
      "a.yaml":
        "settings: { name: Ada's }\ncomplete: [folders]\nfolders:\n  - name: Projects\ngroups: [{ name: crew }]\n",
      "b.json": '{"settings":{"description":"x"},"complete":["groups"],"folders":[{"name":"Past","archived":true}]}',
      "c.yaml": "# nothing\n",
      "d.yaml": `${organization}groups:\n  - name: "7"\n    description: |\n      Who\n      draws\n`,
    });
    expect({ value, count }).toEqual({
      count: 0,
      value: {
        organization: "https://chat.example.com",
        complete: ["folders", "groups"],
        settings: { name: "Ada's", description: "x" },
        groups: [{ name: "crew" }, { name: "7", description: "Who\ndraws\n" }],
        folders: [{ name: "Projects" }, { name: "Past", archived: true }],
      },
    });
    const places = [
      ["settings", "description"],
      ["folders", 0, "name"],
      ["folders", 1, "archived"],
      ["groups", 1, "description"],
      ["groups", 1, "members"],
      ["complete", 1],
      ["organization"],
    ];
    expect(places.map((path) => `${locationTextOf(at(path))} ${locationTextOf(at(path, "key"))}`)).toEqual([
      "b.json:1:28 b.json:1:14",
      "a.yaml:4:11 a.yaml:4:5",
      "b.json:1:92 b.json:1:81",
      "d.yaml:4:18 d.yaml:4:5",
      "d.yaml:3:5 d.yaml:3:5",
      "b.json:1:45 b.json:1:45",
      "d.yaml:1:15 d.yaml:1:1",
    ]);
  });

  test("must not repeat a thing or a key", async () => {
    const document = await documentOf({
      "a.yaml": `${organization}settings: { name: x }\nchannels: [{ name: design }]\nplaygrounds:\n  - { name: Try, pygments_language: Rust }\n`,
      "b.yaml": `${organization}settings:\n  name: y\nchannels:\n  - name: " Design"\n  - name: other\nplaygrounds:\n  - { name: Try, pygments_language: C }\n  - { name: "Try ", pygments_language: Rust }\n`,
    });
    expect(problemsIn(document)).toEqual([
      'b.yaml:3:3: "name" appears twice; first in a.yaml, line 2, column 13',
      'b.yaml:5:11: " Design" appears twice; first in a.yaml, line 3, column 20',
      'b.yaml:9:13: "Try " appears twice; first in a.yaml, line 5, column 13',
    ]);
    expect(document.value).toEqual({});
  });

  test("must all be for the same organization", async () => {
    const files = { "a.yaml": organization, "b.yaml": "organization: HTTPS://Chat.example.com/\n" };
    expect((await documentOf(files)).value).toEqual({ organization: "https://chat.example.com" });
    expect(problemsIn(await documentOf({ ...files, "c.yaml": "organization: https://chat.example.org\n" }))).toEqual([
      "c.yaml:1:15: different organization than in a.yaml, line 1, column 15",
    ]);
  });

  test("can be for several organizations, without ids", async () => {
    const list = "organization: [https://chat.example.com, https://chat.example.org]\n";
    const value = { organization: ["https://chat.example.com", "https://chat.example.org"] };
    expect((await documentOf({ "a.yaml": list })).value).toEqual(value);
    expect(problemsIn(await documentOf({ "a.yaml": list, "b.yaml": organization }))).toEqual([
      "b.yaml:1:15: different organization than in a.yaml, line 1, column 15",
    ]);
    expect(problemsIn(await documentOf({ "a.yaml": `${list}folders: [{id: 1, name: Work}]\n` }))).toEqual([
      'a.yaml:2:12: "id" requires "organization": the URL of the one organization that the file is for',
    ]);
  });

  test("name their organization by its URL", async () => {
    const files = { "a.yaml": "organization:\n  name: x\nfolders: [{ name: Past }]\n", "b.yaml": organization };
    expect(problemsIn(await documentOf(files))).toEqual(["a.yaml:2:3: organization: must be text or a list"]);
  });

  test("have all their problems reported at once, with their places", async () => {
    const document = await documentOf({
      "a.yaml": `settings: { waiting_period_threshold: "three", descripton: x }
channels:
  - subscribers: { add: [a@b.example, 7.5] }
  - { nam: a, can_subscribe_group: { user: [] } }
  - { name: b, can_subscribe_group: 7, message_retention_days: 0, can_send_message_group: {} }
people: [{ role: boss }]
complete: [channels, channels]
`,
      "b.yaml": "groups: [\n",
      "c.yaml": "settings:\n  name: 7\n",
    });
    expect(problemsIn(document)).toEqual([
      "a.yaml:1:39: waiting_period_threshold: must be a whole number or a span such as 2w",
      'a.yaml:1:48: unknown key "descripton"; did you mean "description"?',
      'a.yaml:3:5: "name" is missing',
      "a.yaml:3:39: add: must be a person: use an e-mail address, name:… or id:…",
      'a.yaml:4:7: unknown key "nam"; did you mean "name"?',
      'a.yaml:4:38: unknown key "user"; did you mean "users"?',
      "a.yaml:5:37: can_subscribe_group: must be the name of a group or a mapping with users or groups",
      "a.yaml:5:64: message_retention_days: must be a whole number from 1 on",
      'a.yaml:5:91: "users" or "groups" is missing',
      'a.yaml:6:10: "email" or "id" is missing',
      'a.yaml:6:18: role: must be "owner", "administrator", "moderator", "member" or "guest"',
      'a.yaml:7:22: "channels" appears twice in this list',
      "b.yaml:2:1: Flow sequence in block collection must be sufficiently indented and end with a ]",
      "c.yaml:2:9: name: must be text; put it in quotes",
    ]);
  });
});

test("the organization needs a name", async () => {
  const document = await documentOf({ "a.yaml": "settings: { name: ' ', description: '' }\n" });
  expect(problemsIn(document)).toEqual(["a.yaml:1:19: name: must not be empty"]);
});

test("a pasted link to a topic is no channel, and has a place", async () => {
  const files = {
    "a.yaml": "channels: [{ name: staff }]\n",
    "b.yaml": 'channels:\n  - name: "#**general**"\n  - name: "#**general>x**"\n    was: "#**design>y**"\n',
  };
  expect(problemsIn(await documentOf(files))).toEqual([
    'b.yaml:3:11: name: "#**general>x**" names a topic, not a channel. Write the channel: #general',
    'b.yaml:4:10: was: "#**design>y**" names a topic, not a channel. Write the channel: #design',
  ]);
});

test("a value of a profile field that is a number belongs in quotes", async () => {
  const document = await documentOf({ "a.yaml": "people: [{ email: a@b.example, profile: { Phone: 12 } }]\n" });
  expect(problemsIn(document)).toEqual(["a.yaml:1:50: Phone: must be text, a list or null; put it in quotes"]);
});

describe("list files", () => {
  const file =
    "groups:\n  - name: crew\n    members: [ada@a.example, '@lists/crew.txt', '@lists/crew.txt', bo@a.example]\n";

  test("are read in place of their names, with the place of each line", async () => {
    const text =
      "groups:\n  - name: crew\n    members:\n      - ada@a.example\n      - '@lists/crew.txt'\n      - bo@a.example\n";
    const lists = { "org/lists/crew.txt": "cy@a.example\r\n\r\n  name:Di Day \r\n" };
    const { value, at } = await documentOf({ "org/a.yaml": text }, lists);
    expect(value.groups).toEqual([
      { name: "crew", members: ["ada@a.example", "cy@a.example", "name:Di Day", "bo@a.example"] },
    ]);
    expect([0, 1, 2, 3].map((n) => locationTextOf(at(["groups", 0, "members", n])))).toEqual([
      "org/a.yaml:4:9",
      "org/lists/crew.txt:1:1",
      "org/lists/crew.txt:3:3",
      "org/a.yaml:6:9",
    ]);
  });

  test("are checked line by line", async () => {
    expect(await problemsOf(file, { "lists/crew.txt": "ada@a.example\nAnn\n@more\n" })).toEqual([
      "a.yaml:3:49: @lists/crew.txt appears twice in this list",
      'lists/crew.txt:1:1: "ada@a.example" appears twice in this list',
      "lists/crew.txt:2:1: invalid line: must be a person: use an e-mail address, name:… or id:…",
      "lists/crew.txt:3:1: a list file cannot name another file; write a name that begins with @ as name:@…",
    ]);
  });

  test("are reported at the place of their name if they are missing", async () => {
    expect(await problemsOf(file)).toEqual([
      "a.yaml:3:30: file not found: lists/crew.txt",
      "a.yaml:3:49: @lists/crew.txt appears twice in this list",
    ]);
  });
});

describe("right and wrong files", () => {
  const lists = { "designers.txt": "bo@example.com\n" };

  test.each(Object.entries(right))("are read, as YAML and as JSON: %s", async (_, value) => {
    const resolved = JSON.parse(JSON.stringify(value).replace('"@designers.txt"', '"bo@example.com"'));
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, "\t"), yamlText(value)]) {
      const read = await documentOf({ "a.yaml": text }, lists);
      expect(problemsIn(read), text).toEqual([]);
      expect(read.value).toEqual(resolved);
    }
  });

  test.each(Object.entries(wrong))("are refused, the places being there: %s", async (_, value) => {
    for (const text of [JSON.stringify(value, null, 2), yamlText(value)]) {
      const { problems } = await documentOf({ "a.yaml": text }, lists);
      const lines = text.split("\n");
      const there = problems.map(({ location: { line, column } }) => lines[line - 1]?.slice(column - 1, column) ?? "");
      expect(there.length, text).toBeGreaterThan(0);
      expect(there.filter((sign) => !/\S/.test(sign))).toEqual([]);
    }
  });
});
