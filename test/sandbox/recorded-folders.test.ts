/** Calls about channel folders, in their order, with the answers of a server's own code of level 442. */
import { expect, test } from "vitest";
import type { WorldFile } from "../../src/sandbox/world-file.ts";
import { ask, sandboxOf, sorted } from "./asking.ts";
import { readRecorded } from "./recorded.ts";

const roles = { owner: 100, admin: 200, mod: 300, member: 400, guest: 600 } as const;
const world: WorldFile = {
  web_public: false,
  users: Object.entries(roles).map(([key, role]) => ({
    key,
    full_name: key,
    email: `${key}@folders.example`,
    role,
    bot: false,
    active: true,
  })),
  channels: [],
  groups: [],
  messages: [],
};
/** Whose ids stand as makers in the recording. */
const makers: { [id: number]: string } = { 66: "owner", 67: "admin" };

/** The second part was asked of an organization in which these two were made. */
const folders = [
  { name: "Projects", description: "What we are **making**", is_archived: false },
  { name: "Past", description: "Folders nobody needs", is_archived: true },
];
const secondPart = "folders: list";

/** The folders that are named between at signs. */
const ids: { [name: string]: number } = { projects: 1, past: 2, alpha: 3, beta: 4, gamma: 5, alpha2: 6, delta: 7 };
const withIds = (text: string) => text.replace(/@(\w+)@/g, (_, name: string) => String(ids[name]));

interface Folder {
  creator_id: number;
  date_created: number;
}

/** An answer without what is a server's own: times, ids of people, and the text of pages. */
function comparable(body: unknown, nameOf: (id: number) => string | undefined): unknown {
  if (typeof body === "string") return body === "" || body.endsWith(" 0 bytes>") ? "" : "<html>";
  const { channel_folders, allowed_methods, ...others } = body as {
    channel_folders?: Folder[];
    allowed_methods?: string[];
  };
  return {
    ...others,
    ...(allowed_methods && { allowed_methods: [...allowed_methods].sort() }),
    ...(channel_folders && {
      channel_folders: channel_folders.map(({ date_created: _, creator_id, ...folder }) => ({
        ...folder,
        creator: nameOf(creator_id),
      })),
    }),
  };
}

function fresh() {
  const sandbox = sandboxOf({ world, rateLimits: false, level: 442 });
  const names = new Map(sandbox.info().users.map(({ user_id, full_name }) => [user_id, full_name]));
  return { sandbox, nameOf: (id: number) => names.get(id) };
}

test("the sandbox answers calls about folders as a server of level 442 does", async () => {
  let { sandbox, nameOf } = fresh();
  const differences: unknown[] = [];
  for (const { case: about, as, method, path, form, sent, raw, status, body } of readRecorded("folders")) {
    if (about === secondPart) {
      ({ sandbox, nameOf } = fresh());
      for (const { is_archived, ...given } of folders) {
        const made = await ask(sandbox, "POST", "/channel_folders/create", { as: "owner", form: given });
        const change = { as: "owner", form: { is_archived: String(is_archived) } };
        await ask(sandbox, "PATCH", `/channel_folders/${made.body.channel_folder_id}`, change);
      }
    }
    const given = withIds(new URLSearchParams(form ?? {}).toString().replaceAll("%40", "@"));
    const search = method === "GET" && given ? `?${given}` : "";
    const headers = sent ?? { "content-type": "application/x-www-form-urlencoded" };
    const answer = await ask(sandbox, method, withIds(path) + search, {
      ...(as !== null && { as }),
      ...(method !== "GET" && { body: raw ?? given, headers }),
    });
    const real = { status, body: comparable(body, (id) => makers[id]) };
    const here = { status: answer.status, body: comparable(answer.body, nameOf) };
    if (sorted(real) !== sorted(here)) differences.push({ about, method, path, form, real, here });
  }
  expect(differences).toEqual([]);
});
