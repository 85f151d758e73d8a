/** The examples in the help of each command, and the organization that they need. */
import { expect } from "vitest";
import { fresh, sequence, zulipctl } from "./run.ts";
import { pictures } from "./sandbox/pictures.ts";
import { Session } from "./session.ts";

/** Returns the examples of a command. */
export const examplesOf = async (words: string[]): Promise<string[]> => {
  const { out: help } = await zulipctl([...words, "--help"]);
  // Joins lines that end with a backslash, like a shell.
  const out = help.replace(/ \\\n */g, " ");
  return (/\nExamples?:\n((?: {2}.*\n)+)/.exec(out)?.[1] ?? "").trim().split(/\n */).filter(Boolean);
};

async function makeSession() {
  let time = Date.UTC(2026, 0, 15, 12);
  const { next: random, at } = sequence();
  const sandbox = fresh({ clock: { now: () => (time += 100) }, random });
  for (const user of sandbox.state.users.values()) {
    user.can_create_users = user.role === 100;
    user.push_tokens.add("740f4707bebcf74f");
  }
  const session = new Session(sandbox, { NO_COLOR: "1" });
  const [owner] = session.sandbox.info().users;
  session.password = owner!.password;
  session.files.set("password", "a-new-password\n");
  session.files.set("key", `${owner!.api_key}\n`);
  session.files.set(
    "/home/test/Downloads/zuliprc",
    `[api]\nsite=https://chat.example.com\nemail=${owner!.email}\nkey=${owner!.api_key}\n`,
  );
  const accepted = "- { finding: web_public_channel, target: channel announcements, why: our blog }\n";
  session.files.set("accepted.yaml", accepted);
  session.files.set("party.png", pictures.png);
  session.files.set("organization.yaml", "folders:\n  - name: Projects\n");
  session.files.set("before.yaml", "folders:\n  - name: Projects\n");
  for (const profile of ["work", "chat.example.com"]) {
    const { code } = await session.type(
      `zulipctl fetch-key --site https://chat.example.com --username ${owner!.email} --profile ${profile}`,
    );
    expect(code).toBe(0);
  }
  await session.type("zulipctl emoji add shipit party.png");
  await session.type("zulipctl domain add example.com");
  await session.type("zulipctl playground add Go Play 'https://play.example.com/?code={code}'");
  await session.type("zulipctl bots create 'Old Bot' --short-name old --print");
  await session.type("zulipctl bots deactivate 'name:Old Bot' --yes");
  await session.type("zulipctl drafts add --content 'What about blue?' --quiet");
  await session.type("zulipctl invite add kate@example.com");
  await session.type("zulipctl export create");
  await session.type("zulipctl org snapshot --to before.json");
  await session.type("echo 'folder create Runs' | zulipctl batch - --format lines");
  return { session, state: sandbox.state, now: time + 10_000, at: at() };
}

let made: ReturnType<typeof makeSession> | undefined;

/**
 * Starts a session with all that the examples need: the owner's account, a second profile, files, a draft, an
 * invitation, an export, a run of `batch`, and a snapshot. It is a copy of one that is made once.
 */
export async function started(): Promise<Session> {
  made ??= makeSession();
  const { session, state, now, at } = await made;
  let time = now;
  // Each reading of the clock advances it.
  const clock = { now: () => (time += 100) };
  return session.copy(fresh({ clock, random: sequence(at).next, state: structuredClone(state) }));
}

/** Replaces the address of the examples by one of the sandbox. */
export const withAccount = (line: string, session: Session): string =>
  line.replaceAll("ada@example.com", session.sandbox.info().users[0]!.email);
