/** Answers that exist once: a new key, a link. */
import { expect, test } from "vitest";
import { operations } from "../../src/api/registry.ts";
import { main } from "../../src/main.ts";
import type { Output } from "../../src/world/world.ts";
import { batch } from "../batch/rows.ts";
import { each, fleet } from "../fleet.ts";
import { credentials, fresh } from "../run.ts";
import { type Setup, testWorld } from "../world.ts";

const failing: Record<string, (stdout: Output) => Output> = {
  "nobody reads the pipe": (stdout) => ({ ...stdout, isClosed: true, write: async () => undefined }),
  "it is closed, or the null device": (stdout) => ({ ...stdout, isDiscarded: true }),
  "no space left": (stdout) => ({ ...stdout, write: () => Promise.reject(new Error("no space left")) }),
};

async function run(argv: string[], fault: string, setup: Setup = {}) {
  const sandbox = fresh();
  const world = testWorld({ http: sandbox.handle, env: credentials(sandbox), ...setup });
  const broken = failing[fault]!(world.stdout);
  const code = await main(argv, { ...world, stdout: broken });
  return { code, err: world.stderr.text, sandbox };
}

const key = (id: number) => `Get a new key with: zulipctl bots rotate-key ${id} --print`;

const lost: [argv: string, what: string, hint: string][] = [
  ["bots create X --short-name x --print", "Created bot 16. But its key", key(16)],
  ["bots rotate-key 14 --print --yes", "Replaced the API key of bot 14. But its key", key(14)],
  [
    "users api-key --regenerate --print --yes",
    "the server replaced the key of iris@sandbox.example, but the new key",
    "The old key no longer works. The app shows the new one in its settings, under Account & privacy. Or get it with: zulipctl fetch-key --site https://chat.example --username iris@sandbox.example",
  ],
  ["invite link", "the change was made, but its answer", "Check with: zulipctl invite list"],
  ["invite link --role guest -o json", "the change was made, but its answer", "Check with: zulipctl invite list"],
  [
    "api POST users/me/api_key/regenerate --yes",
    "the change was made, but its answer",
    "Do not repeat the command: the answer cannot be read again.",
  ],
];

test.each(lost.flatMap((each) => Object.keys(failing).map((fault) => [fault, ...each] as const)))(
  "%s: %s",
  async (fault, argv, what, hint) => {
    const { code, err, sandbox } = await run(argv.split(" "), fault);
    expect({ code, err }).toEqual({
      code: 5,
      err: argv.includes("json")
        ? expect.stringContaining(`"message":"${what} could not be written to stdout: ${fault}"`)
        : `zulipctl: ${what} could not be written to stdout: ${fault}\n${hint}\n`,
    });
    for (const { api_key } of sandbox.state.users.values()) expect(err).not.toContain(api_key);
    expect(err).not.toContain("/join/");
  },
);

test("fetch-key --print stores nothing, so a closed pipe is a failure", async () => {
  const argv = ["fetch-key", "--print", "--username", "iris@sandbox.example", "--password-stdin"];
  const { code, err } = await run([...argv, "--site", "https://chat.example"], "nobody reads the pipe", {
    env: {},
    input: "iris-sandbox-password\n",
  });
  expect({ code, err }).toEqual({
    code: 5,
    err: "zulipctl: the key could not be written to stdout: nobody reads the pipe\nNothing is stored. Run the command again.\n",
  });
});

test.each(["folder create x", "users list", "invite link -o none", "bots list -o json"])(
  "nothing is lost without a reader: %s",
  async (line) => {
    for (const fault of ["nobody reads the pipe", "it is closed, or the null device"])
      expect(await run(line.split(" "), fault)).toMatchObject({ code: 0, err: "" });
  },
);

const links = new Map([["roles.csv", "role\nguest\nmember\n"]]);

test("a batch prints links, and its journal, its log and the rest of its files do not have them", async () => {
  const files = new Map(links);
  const words = ["roles.csv", "--journal", "j.jsonl", "--failed", "f.csv", "--", "invite", "link", "--role", "{role}"];
  const first = await batch(words, { files });
  expect(first.out.match(/"invite_link":"https:[^"]*\/join\/[^"]+"/g)).toHaveLength(2);
  const written = [...files.values()].join("\n");
  expect(written).toContain('"answers":[{"invite_link":"[secret]"}]');
  expect(written).not.toContain("/join/");
  const resumed = await batch([...words.slice(0, 1), "--resume", "j.jsonl", ...words.slice(5)], { files });
  expect(resumed.outcomes).toEqual(["1 done", "2 done"]);
  expect(resumed.sent).toEqual([]);
});

test("a batch whose links nobody reads ends with 5", async () => {
  const argv = ["batch", "roles.csv", "--", "invite", "link", "--role", "{role}"];
  const { code, err } = await run(argv, "nobody reads the pipe", { files: new Map(links) });
  expect(code).toBe(5);
  expect(err).toContain("everything was done, but the answers could not be written to stdout: nobody reads the pipe");
  expect(err).toContain("Check with: zulipctl invite list");
});

test("each prints the links of all organizations", async () => {
  const { code, world } = await each(fleet(["acme", "lab"]), ["--yes", "-o", "json", "--", "invite", "link"]);
  expect(code).toBe(0);
  expect(world.stdout.text.match(/"invite_link":"https:[^"]*\/join\//g)).toHaveLength(2);
});

test("the link of an export is the result of waiting for it", async () => {
  let time = 0;
  const sandbox = fresh({ clock: { now: () => (time += 200) } });
  const setup = { http: sandbox.handle, env: credentials(sandbox) };
  for (const argv of ["export create --wait", "export wait 1"])
    expect(await run(argv.split(" "), "nobody reads the pipe", setup)).toMatchObject({
      code: 5,
      err: expect.stringContaining(
        "zulipctl: export 1 is ready, but its link could not be written to stdout: nobody reads the pipe\nSee it with: zulipctl export list\n",
      ),
    });
});

test("each operation whose answer has a secret names it", () => {
  const secret = /key$|password|token|invite_link|^url$/;
  const named = operations().flatMap(({ name, result, secretAnswer = [] }) => {
    const members = "entries" in result ? Object.keys(Object(result.entries)) : [];
    const missing = members.filter((member) => secret.test(member) && !secretAnswer.includes(member));
    return missing.map((member) => `${name} ${member}`);
  });
  // A login is needed for what this address leads to.
  expect(named).toEqual(["attachment.add url"]);
});
