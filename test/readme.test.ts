/** What was typed in the README's sessions prints what stands there. `vitest -u` writes down what it prints now. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listProfiles } from "../src/credentials/profiles.ts";
import { kinds } from "../src/sandbox/faults.ts";
import { readWorld } from "../src/sandbox/world-file.ts";
import { fresh } from "./run.ts";
import { Session } from "./session.ts";
import { testWorld } from "./world.ts";

const readme = readFileSync("README.md", "utf8");
const site = "http://127.0.0.1:9991";

/** A session at the server that `sandbox start` serves, with an account of its owner's where the chapter makes none. */
async function begun(chapter: string): Promise<Session> {
  const session = new Session(fresh({ site }), { NO_COLOR: "1" });
  const { email, password } = session.sandbox.line().users[0]!;
  session.password = password;
  if (!/^\$ zulipctl fetch-key/m.test(chapter)) {
    const { code } = await session.type(`zulipctl fetch-key --site ${site} --username ${email}`);
    expect(code).toBe(0);
  }
  return session;
}

/** A chapter with what its commands print. They are typed one after the other, so that what one changes the next sees. */
async function typed(chapter: string): Promise<string> {
  if (!chapter.includes("```console\n")) return chapter;
  const session = await begun(chapter);
  const parts = chapter.split(/(?<=```console\n)([\s\S]*?)(?=```)/);
  for (let n = 1; n < parts.length; n += 2) {
    const commands = parts[n]!.split("\n").filter((line) => line.startsWith("$ "));
    parts[n] = "";
    for (const command of commands) {
      const { code, shown } = await session.type(command.slice(2));
      if (code !== 0) expect(shown).toMatch(/^(zulipctl: |\{"error":)/m);
      // CSV ends its lines with two characters, which no page shows.
      parts[n] += `${command}\n${shown.replaceAll("\r\n", "\n")}`;
    }
  }
  return parts.join("");
}

test("the sessions of the README run, and print what stands there", async () => {
  expect(readme.match(/^```console$/gm)?.length).toBeGreaterThan(3);
  const chapters = readme.split(/^(?=## )/m);
  const now = await Promise.all(chapters.map(typed));
  await expect(now.join("")).toMatchFileSnapshot("../README.md");
});

const examples = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json!);

test("the organization that the README describes is one that a sandbox starts with", () => {
  const [described] = examples.filter((json) => json.includes('"users"'));
  const { users, channels, messages } = fresh({ world: readWorld(described!) }).line();
  expect(users.map(({ full_name }) => full_name)).toEqual(["Ada Lovelace", "Bob", "Beep"]);
  expect(channels.map(({ name, is_private }) => [name, is_private])).toEqual([
    ["general", false],
    ["staff", true],
  ]);
  expect(messages.map(({ content }) => content)).toEqual(["Good **morning**"]);
});

test("the configuration that the README shows is one that zulipctl reads", async () => {
  const [shown] = examples.filter((json) => json.includes('"profiles"'));
  const profiles = await listProfiles(testWorld({ config: JSON.parse(shown!) }));
  expect(profiles.map(({ name, current, profile }) => [name, current, profile.store])).toEqual([
    ["work", true, "command"],
  ]);
});

test("every fault of the sandbox is in the README", () => {
  const table = /^\| kind [\s\S]*?\n(?=\n)/m.exec(readme)![0];
  const named = table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1]?.matchAll(/`([\w-]+)`/g) ?? [])].map(([, kind]) => kind!));
  expect(named.sort()).toEqual(Object.keys(kinds).sort());
});
