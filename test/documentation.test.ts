/** The sessions of the README and of `docs` print what the pages show. `--update=all` records them again. */
import { expect, test } from "vitest";
import { listProfiles } from "../src/credentials/profiles.ts";
import { faultKinds, readWorld } from "../src/sandbox/index.ts";
import { started } from "./examples.ts";
import { blocks, page, pages } from "./pages.ts";
import { fresh } from "./run.ts";
import { pictures } from "./sandbox/pictures.ts";
import { Session } from "./session.ts";
import { testWorld } from "./world.ts";

const site = "http://127.0.0.1:9991";
const secondSite = "http://127.0.0.1:9992";

/** Begins a session on the server of `sandbox start`. The owner is logged in, unless the chapter logs in itself. */
async function startSession(chapter: string): Promise<Session> {
  // Each request takes a second, so that exports get ready.
  let now = Date.UTC(2026, 0, 15, 12);
  const clock = { now: () => now };
  const sandbox = fresh({ site, clock });
  const second = fresh({ site: secondSite, clock });
  const handle: typeof sandbox.handle = (request) => {
    now += 1000;
    return (request.url.startsWith(`${secondSite}/`) ? second : sandbox).handle(request);
  };
  const session = new Session({ handle, info: sandbox.info }, { NO_COLOR: "1" });
  const { email, password } = session.sandbox.info().users[0]!;
  session.password = password;
  for (const name of ["party.png", "ship.png"]) session.files.set(name, pictures.png);
  session.files.set("lgtm.gif", pictures.gif);
  if (!/^\$ zulipctl fetch-key/m.test(chapter)) {
    const { code } = await session.type(`zulipctl fetch-key --site ${site} --username ${email}`);
    expect(code).toBe(0);
  }
  return session;
}

/** Returns a chapter with the output of its commands. In a guide no command may fail. */
async function replayed(chapter: string, { guide }: { guide: boolean }): Promise<string> {
  if (!chapter.includes("```console\n")) return chapter;
  const session = await startSession(chapter);
  const parts = chapter.split(/(?<=```console\n)([\s\S]*?)(?=```)/);
  for (let n = 1; n < parts.length; n += 2) {
    // A block such as ```yaml organization.yaml is a file.
    for (const [, path, text] of parts[n - 1]!.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm))
      session.files.set(path!, text!);
    const commands = parts[n]!.split("\n").filter((line) => line.startsWith("$ "));
    parts[n] = "";
    for (const command of commands) {
      const { code, shown } = await session.type(command.slice(2));
      if (guide) expect({ command, shown, code }).toMatchObject({ code: 0 });
      if (code !== 0) expect(shown).toMatch(/^(zulipctl: |\{"error":)/m);
      // Pages have no carriage returns.
      parts[n] += `${command}\n${shown.replaceAll("\r\n", "\n")}`;
    }
  }
  return parts.join("");
}

const withSessions = pages.filter((path) => blocks(page(path), "console").length);

test("the main pages have sessions", () => {
  expect(withSessions).toEqual(
    expect.arrayContaining(["README.md", "docs/batch.md", "docs/guide.md", "docs/scripting.md"]),
  );
});

test.each(withSessions)("the sessions of %s print what the page shows", async (path) => {
  const now = await Promise.all(
    page(path)
      .split(/^(?=## )/m)
      .map((chapter) => replayed(chapter, { guide: path === "docs/guide.md" })),
  );
  await expect(now.join("")).toMatchFileSnapshot(`../${path}`);
});

test("the commands of the cheat sheet run in order", async () => {
  const session = await started();
  session.files.set("people.csv", "group,email\ndesigners,mona@sandbox.example\n");
  const commands = [...page("docs/cheatsheet.md").matchAll(/\| `(zulipctl [^`]+)` \|$/gm)].map(([, line]) => line!);
  expect(commands).toHaveLength(29);
  const { email } = session.sandbox.info().users[0]!;
  for (const command of commands) {
    const { code, shown } = await session.type(command.replace("ada@example.com", email));
    expect({ command, shown, code }).toMatchObject({ code: 0 });
  }
});

const examples = pages.flatMap((path) => blocks(page(path), "json"));

test("the sandbox starts with the organization on its page", () => {
  const [described] = examples.filter((json) => json.includes('"users"'));
  const { users, channels, messages } = fresh({ world: readWorld(described!) }).info();
  expect(users.map(({ full_name }) => full_name)).toEqual(["Ada Lovelace", "Bob", "Beep"]);
  expect(channels.map(({ name, is_private }) => [name, is_private])).toEqual([
    ["general", false],
    ["staff", true],
  ]);
  expect(messages.map(({ content }) => content)).toEqual(["Good **morning**"]);
});

test("zulipctl reads the configuration on the page", async () => {
  const [shown] = examples.filter((json) => json.includes('"profiles"'));
  const profiles = await listProfiles(testWorld({ config: JSON.parse(shown!) }));
  expect(profiles.map(({ name, current, profile }) => [name, current, profile.store])).toEqual([
    ["work", true, "command"],
  ]);
});

test("the page of the sandbox names every fault", () => {
  const table = /^\| kind [\s\S]*?\n(?=\n)/m.exec(page("docs/sandbox.md"))![0];
  const named = table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1]?.matchAll(/`([\w-]+)`/g) ?? [])].map(([, kind]) => kind!));
  expect(named.sort()).toEqual(Object.keys(faultKinds).sort());
});
