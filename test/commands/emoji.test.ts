/** Uploads of pictures: by `emoji add`, in a batch, by `api` and by an organization file. */
import { expect, test } from "vitest";
import { batch } from "../batch/rows.ts";
import { fresh, zulipctl } from "../run.ts";
import { pictures } from "../sandbox/pictures.ts";

const files = () =>
  new Map([
    ["party.png", pictures.png],
    ["dance.gif", pictures.gif],
    ["notes.txt", "no picture"],
  ]);

test("uploads the pictures of rows one after the other, and none if a row is invalid", async () => {
  const sandbox = fresh();
  const input = "name,file\nparty,party.png\ndance,dance.gif\n";
  const csv = ["-", "--format", "csv", "--", "emoji", "add", "{name}", "{file}"];
  const bad = await batch(csv, { sandbox, input: `${input}notes,notes.txt\n`, files: files() });
  expect(bad.code).toBe(2);
  expect(bad.err).toContain("notes.txt is not a PNG, JPEG, GIF, WebP or AVIF picture");
  expect(sandbox.state.emoji.size).toBe(0);
  const run = await batch(csv, { sandbox, input, files: files() });
  expect(run.outcomes).toEqual(["1 done", "2 done"]);
  expect([...sandbox.state.emoji.values()].map(({ name }) => name)).toEqual(["party", "dance"]);
});

test("adds an emoji again that an earlier row removes", async () => {
  const sandbox = fresh();
  await zulipctl(["emoji", "add", "party", "party.png"], { sandbox, files: files() });
  const input = "emoji rm party\nemoji add party party.png\n";
  const { outcomes } = await batch(["-", "--format", "lines", "--yes"], { sandbox, input, files: files() });
  expect(outcomes).toEqual(["1 done", "2 done"]);
  expect([...sandbox.state.emoji.values()].map(({ deactivated }) => deactivated)).toEqual([true, false]);
});

const api = (...words: string[]) => zulipctl(["api", ...words], { files: files() });

test("api sends a file beside fields", async () => {
  const { code, sent } = await api("POST", "/realm/emoji/party", "-f", "a=b", "--file", "picture=party.png");
  expect(code).toBe(5);
  expect(sent[0]!.body).toContain('name="a"\r\n\r\nb\r\n--');
  expect(sent[0]!.body).toContain('name="picture"; filename="party.png"\r\nContent-Type: image/png\r\n\r\n\x89PNG');
});

test("api sends a file with the type of its name", async () => {
  const { sent } = await api("POST", "/user_uploads", "--file", "file=notes.txt");
  expect(sent[0]!.body).toContain("Content-Type: text/plain\r\n\r\nno picture\r\n");
});

test("api --curl names the file, and masks secrets", async () => {
  const { out, sent } = await api("POST", "/x", "-f", "password=p", "--file", "f=party.png", "--curl");
  expect({ out, sent }).toEqual({
    out: `curl --request POST --user iris@sandbox.example:"$ZULIP_API_KEY" --form 'password=[secret]' --form 'f=@party.png;type=image/png' https://chat.example/api/v1/x\n`,
    sent: [],
  });
});

test.each([
  [["GET", "/x", "--file", "f=party.png"], "--file is for changes: a GET has no body"],
  [["POST", "/x", "--file", "party.png"], '--file must be name=path: "party.png"'],
  [["POST", "/x", "--file", "f=none"], "--file f: file not found: none"],
  [["POST", "/x", "--file", "f=party.png", "--body", "notes.txt"], "--body cannot be combined with --file"],
  [["POST", "/x", "--file", "f=party.png", "-f", "f=1"], 'the parameter "f" is given twice'],
])("api %j sends nothing", async (words, says) => {
  const { code, err, sent } = await api(...words);
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(err).toContain(says);
});

const organization = (yaml: string) => new Map([...files(), ["organization.yaml", yaml]]);

test("org apply adds missing emoji, and reads no file for the others", async () => {
  const sandbox = fresh();
  const yaml = "emoji:\n  - name: party\n    file: party.png\n  - name: dance\n    file: dance.gif\n";
  const apply = ["org", "apply", "organization.yaml", "--yes"];
  const { code, out } = await zulipctl(apply, { sandbox, files: organization(yaml) });
  expect({ code, out }).toEqual({
    code: 0,
    out: "ROW\tTARGET\tOUTCOME\tRESULT\n1\temoji party\tdone\tadded.\n2\temoji dance\tdone\tadded.\n",
  });
  expect([...sandbox.state.emoji.values()].map(({ name }) => name)).toEqual(["party", "dance"]);
  const again = await zulipctl(apply, { sandbox, files: organization(yaml) });
  expect({ code: again.code, posts: again.sent.filter(({ url }) => url.includes("emoji")) }).toEqual({
    code: 0,
    posts: [],
  });
  const { out: exported } = await zulipctl(["org", "export", "--only", "emoji"], { sandbox });
  expect(exported).toContain("emoji:\n  - name: dance\n  - name: party\n");
});

test.each([
  ["none.png", "file: file not found: none.png"],
  ["notes.txt", "file: notes.txt is not a PNG, JPEG, GIF, WebP or AVIF picture"],
  ["/party.png", "file: must be in the folder of this file"],
])("org plan names the line of the invalid picture %s", async (file, says) => {
  const yaml = `emoji:\n  - name: party\n    file: ${file}\n`;
  const { code, err, sent } = await zulipctl(["org", "plan", "organization.yaml"], { files: organization(yaml) });
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(err).toContain(`organization.yaml, line 3, column 11: ${says}`);
});

test("org plan refuses a new emoji without a file", async () => {
  const yaml = "emoji:\n  - name: party\n";
  const { code, err } = await zulipctl(["org", "plan", "organization.yaml"], { files: organization(yaml) });
  expect(code).toBe(2);
  expect(err).toContain('missing "file": required for a new emoji');
});
