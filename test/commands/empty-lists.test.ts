/** Every list has the same header with and without records: CSV is read by programs. */
import { expect, test } from "vitest";
import { fresh, zulipctl } from "../run.ts";
import { pictures } from "../sandbox/pictures.ts";
import { everyCommand } from "../tree.ts";

/** Lists with words that they need. */
const words: Readonly<Record<string, string>> = { "topic list": "design" };

const lists = [...everyCommand().keys()].filter((name) => / list$/.test(name));

const setup = [
  "emoji add shipit party.png",
  "domain add new.example",
  "playground add Go Play https://play.example.com/?code={code}",
  "drafts add --content x",
  "invite add kate@new.example",
  "export create",
];

async function fullSandbox() {
  const sandbox = fresh();
  const files = new Map([["party.png", pictures.png]]);
  for (const line of setup) expect(await zulipctl(line.split(" "), { sandbox, files })).toMatchObject({ code: 0 });
  return sandbox;
}

/** Removes what lists show, but people and the channel of the topics. */
function emptySandbox() {
  const sandbox = fresh();
  for (const [name, value] of Object.entries(sandbox.state)) {
    if (["users", "channels", "groups"].includes(name)) continue;
    if (value instanceof Map) value.clear();
    else if (Array.isArray(value)) value.length = 0;
  }
  return sandbox;
}

const [full, bare] = [await fullSandbox(), emptySandbox()];

const headOf = (csv: string) => csv.split(/\r?\n/)[0];

test.each(lists)("%s has the same header without records", async (list) => {
  const argv = [...list.split(" "), ...(words[list]?.split(" ") ?? [])];
  for (const form of ["csv", "tsv", "table"]) {
    const [some, none] = await Promise.all([full, bare].map((sandbox) => zulipctl([...argv, "-o", form], { sandbox })));
    expect(some).toMatchObject({ code: 0 });
    expect(none).toMatchObject({ code: 0 });
    expect(headOf(none!.out)).toBe(headOf(some!.out));
  }
});

test("the lists of the organization were full, and are empty", async () => {
  for (const list of ["folder", "profile-field", "invite", "emoji", "attachment", "export", "playground", "domain"]) {
    const ids = async (sandbox: typeof full) => (await zulipctl([list, "list", "-o", "csv"], { sandbox })).out;
    expect([list, (await ids(full)).trim().split("\n").length > 1]).toEqual([list, true]);
    expect([list, (await ids(bare)).trim().split("\n").length]).toEqual([list, 1]);
  }
});
