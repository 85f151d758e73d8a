import { expect, test } from "vitest";
import { type HelpShown, Program } from "../../src/cli/program.ts";
import { registry } from "../../src/commands/nouns.ts";
import { main } from "../../src/main.ts";
import { Shell } from "../../src/run/shell.ts";
import { zulipctl } from "../run.ts";
import { everyCommand } from "../tree.ts";
import { testWorld } from "../world.ts";

/** Returns the help for a terminal of this width. */
async function shown(words: string[], columns: number): Promise<string> {
  const program = new Program("1.0", registry(new Shell(testWorld(), main)), () => columns);
  const said = await program.run(words).catch((error: unknown) => error);
  return (said as HelpShown).text;
}

test("zulipctl without arguments shows the first steps on one screen", async () => {
  const { code, out, err } = await zulipctl([]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toBe(
    [
      "Administer a Zulip organization from a terminal, a script or a cron job.",
      "",
      "First steps:",
      "  zulipctl tour                    see what it does, on a server of its own",
      "  zulipctl fetch-key --site <url>  get an API key with a password, and keep it",
      "  zulipctl auth status             see which account that is",
      "  zulipctl channel list            and look around",
      "",
      "Nouns:",
      "  fetch-key, auth, profile, channel, messages, topic, folder, group, users,",
      "  bots, invite, linkifier, emoji, drafts, attachment, org, audit, watch,",
      "  permissions, export, settings, apns, api, each, batch, log, doctor, server,",
      "  sandbox, tour, completion",
      "",
      "Read on:",
      "  zulipctl help                  every command, and the flags of them all",
      "  zulipctl help <noun> [<verb>]  one of them, with examples",
      "",
    ].join("\n"),
  );
  expect(await zulipctl(["--quiet"])).toEqual({ code, out, err, sent: [] });
});

test.each([
  ["help", "--help"],
  ["help help", "--help"],
  ["help channel", "channel --help"],
  ["help channel update", "channel update --help"],
  ["help channel update general --private", "channel update --help"],
  ["-h users list", "users list --help"],
  ["users -h list", "users list --help"],
  ["users list --nope -h", "users list --help"],
  ["users list -o jsn -h", "users list --help"],
  ["--nope x users list -h", "users list --help"],
])("%s is %s", async (line, same) => {
  const told = await zulipctl(line.split(" "));
  expect(told).toEqual(await zulipctl(same.split(" ")));
  expect(told).toMatchObject({ code: 0, err: "" });
});

test.each([
  [["channel", "update", "x", "--description", "-h"]],
  [["channel", "update", "--", "-h"]],
  [["users", "list", "--nope", "--", "--help"]],
])("%j shows no help", async (words) => {
  expect((await zulipctl(words)).out).not.toContain("Usage:");
});

const commands = [[], ["channel"], ["help"], ...[...everyCommand().keys()].map((name) => name.split(" "))];

test.each([60, 80, 120])("no help line is wider than a terminal of %i columns", async (columns) => {
  // A word that is longer than the line stands whole.
  for (const words of [...commands.map((each) => [...each, "--help"]), []])
    for (const line of (await shown(words, columns)).split("\n"))
      if (line.trim().replace(/ \\$/, "").includes(" "))
        expect([words, line.length <= columns || line]).toEqual([words, true]);
});

test("wrapping changes no words, and wrapped examples stay one command line", async () => {
  const flat = (text: string) => text.replace(/ \\\n/g, " ").replace(/\s+/g, " ");
  for (const words of commands)
    expect(flat(await shown([...words, "--help"], 60))).toBe(flat(await shown([...words, "--help"], 400)));
  expect(await shown(["channel", "update", "-h"], 80)).toContain(`
  zulipctl channel update general --can-send-message-group role:moderators \\
      --expect can-send-message-group=role:everyone
`);
});

test("the help of a noun lists its verbs with their arguments", async () => {
  const { out } = await zulipctl(["attachment", "--help"]);
  expect(out).toBe(
    [
      "Your uploaded files",
      "",
      "Usage: zulipctl attachment <verb> [arguments] [flags]",
      "",
      "Commands:",
      "  rm <id...>     Delete your uploaded files permanently",
      "  list           List your uploads",
      "  download <id>  Download one of your uploaded files",
      "",
      "Flags:",
      "  -h, --help  show help",
      "",
      'Run "zulipctl help" for the global flags.',
      "",
    ].join("\n"),
  );
});
