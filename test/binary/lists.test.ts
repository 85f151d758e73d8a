/** Lists that arrive in many pieces. Most records are printed without being parsed. */
import { expect, test } from "vitest";
import { answer, hostile } from "./hostile-server.ts";
import { environment, zulipctl } from "./program.ts";

const names = ["Ada", "Zoë Ωμέγα", "漢字", "😀", "Smith, J", 'Ada "A"', "=1", "\u202eadA", "a\u200bb", "line\nend"];
const people = Array.from({ length: 20_000 }, (_, at) => ({
  user_id: at + 8,
  email: `user${at + 8}@chat.example`,
  full_name: at % 100 < names.length ? names[at % 100] : `Person ${at}`,
  is_bot: at % 7 === 0,
  ...(at % 7 === 0 && { bot_owner_id: at % 3 === 0 ? null : 8 }),
  role: 400,
  more: at % 50 === 0 ? { 1: { value: at } } : null,
}));
const body = JSON.stringify({ result: "success", msg: "", members: people });

const escaped = (text: string) => text.replace("\u202e", "\\u202e").replace("\u200b", "\\u200b");
const shown = ["Ada", "Zoë Ωμέγα", "漢字", "😀", '"Smith, J"', '"Ada ""A"""', "'=1", "adA", "a\u200bb", '"line\nend"'];

test.each([
  ["ndjson", [], people.map((one) => `${escaped(JSON.stringify(one))}\n`)],
  ["ids", [], people.map(({ user_id }) => `${user_id}\n`)],
  [
    "csv",
    ["--fields", "full_name,user_id,bot_owner_id"],
    [
      "full_name,user_id,bot_owner_id\r\n",
      ...people.map(({ user_id, full_name, bot_owner_id }) => {
        const at = names.indexOf(full_name!);
        return `${at < 0 ? full_name : shown[at]},${user_id},${bot_owner_id ?? ""}\r\n`;
      }),
    ],
  ],
])("prints %s of twenty thousand people, some with unusual values", async (form, fields, lines) => {
  const { env } = await hostile((socket) => socket.end(answer(200, body)));
  const argv = ["users", "list", "-o", form, ...fields];
  const { code, out, err } = await zulipctl(argv, { env: { ...environment(), ...env } });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out === lines.join("")).toBe(true);
});
