/** What people take for granted: other names, sorted and cut lists, lists in files, words for what there is not. */
import { split } from "shellwords-ts";
import { describe, expect, test } from "vitest";
import { fresh, inProfile, zulipctl, zulipctlAsking } from "../run.ts";

describe("a command is found by another name:", () => {
  test.each([
    ["channels ls -o ids", "channel list -o ids"],
    ["stream get design -o json", "channel show design -o json"],
    ["user view 11 -o json", "users show 11 -o json"],
    ["folder edit Projects --new-name Work -n", "folder update Projects --new-name Work -n"],
    ["drafts remove 1 -n -y", "drafts rm 1 -n -y"],
    ["message find --limit 2 -o ids", "messages find --limit 2 -o ids"],
    ["batches list -o json", "batch list -o json"],
    ["logs --limit 1", "log --limit 1"],
    ["orgs export --only domains", "org export --only domains"],
    ["servers info -o json", "server info -o json"],
    ["whoami -o json", "auth status -o json"],
  ])("%s", async (other, usual) => {
    const [one, two] = [await zulipctl(other.split(" ")), await zulipctl(usual.split(" "))];
    expect({ code: one.code, out: one.out }).toEqual({ code: two.code, out: two.out });
    expect(one.code).toBe(0);
  });

  test("in a batch too", async () => {
    const input = "id,name\n1,sketches\n";
    const { code } = await zulipctl(
      ["batch", "-", "--format", "csv", "--", "stream", "edit", "{id}", "--new-name", "{name}"],
      { input },
    );
    expect(code).toBe(0);
  });

  test("a verb keeps its own name", async () => {
    expect((await zulipctl(["drafts", "edit", "--help"])).out).toContain("Usage: zulipctl drafts edit");
  });
});

const refuses = async (line: string, says: string) => {
  const { code, err, sent } = await zulipctl(split(line));
  expect({ code, sent }).toEqual({ code: 2, sent: [] });
  expect(err).toContain(says);
};

describe("a verb that could surprise is none, and the message says which command does what:", () => {
  test.each([
    ["channel delete design", "zulipctl channel archive"],
    ["users ban otis@sandbox.example", "zulipctl users deactivate"],
    ["channel kick design", "zulipctl channel subscribers <channel> --delete <user>"],
    ["group delete writers", "zulipctl group deactivate"],
    ["linkifier delete 1", '"zulipctl linkifier rm": Remove linkifiers.'],
    ["emoji delete x", '"zulipctl emoji rm": Deactivate custom emoji: nobody can use them any more.'],
    ["group rm writers", "zulipctl group deactivate"],
    ["folder remove Work", "zulipctl folder archive"],
    ["bots rm 16", "zulipctl bots deactivate"],
    ["users leave", "zulipctl users deactivate"],
    ["auth rm", '"zulipctl auth logout" forgets the key on this machine.'],
  ])("%s", refuses);
});

test.each([
  ["auth switch work", 0, "Now using profile work.\n"],
  ["profile switch work", 0, "Now using profile work.\n"],
  ["auth use work", 2, "Did you mean: zulipctl auth switch?"],
  ["auth list", 2, "Did you mean: zulipctl profile list?"],
  ["switch work", 2, "Did you mean: auth switch?"],
])("profiles are switched as in other programs: %s", async (line, exitCode, says) => {
  const { code, out, err } = await zulipctl(line.split(" "), inProfile(fresh(), "work"));
  expect({ code, said: out + err }).toEqual({ code: exitCode, said: expect.stringContaining(says) });
});

describe("a verb before its noun is no command, and the message has the right one:", () => {
  test.each([
    ["list users", "Did you mean: zulipctl users list"],
    ["add user ada@sandbox.example", "Did you mean: zulipctl users create …"],
    ["users invite ada@sandbox.example", "Did you mean: zulipctl invite add?"],
    ["add group writers", "Did you mean: zulipctl group create writers"],
    ["add group writers cora", "Did you mean: zulipctl group members <group> --add <user>?"],
    ["get users", "Did you mean: zulipctl users list"],
    ["get user 11", "Did you mean: zulipctl users show 11"],
    ["describe channel x", "Did you mean: zulipctl channel show x"],
    ["create channel 'x y' --private", "Did you mean: zulipctl channel create 'x y' …"],
    ["add folder x", "Did you mean: zulipctl folder create x"],
    ["create emoji x", "Did you mean: zulipctl emoji add x"],
    ["edit streams x", "Did you mean: zulipctl channel update x"],
    ["archive channel x", "Did you mean: zulipctl channel archive x"],
    ["delete linkifier 1", "Did you mean: zulipctl linkifier rm 1"],
    ["delete channel design", '"zulipctl channel archive" hides a channel'],
    ["remove user 11", '"zulipctl users deactivate" ends all sessions'],
    ["frobnicate folders", "The noun comes first: zulipctl folder <create|update|archive|unarchive|reorder|list>"],
    ["each -- list users", "Did you mean: zulipctl users list"],
  ])("%s", refuses);
});

describe("flags and verbs of neighbors are suggested:", () => {
  test.each([
    ["group create x --members 11", "Did you mean: --add?"],
    ["channel create x --members 11", "Did you mean: --subscribe?"],
    ["channel create x --public", "Did you mean: --no-private?"],
    ["users list --name ada", "Did you mean: --match?"],
    ["users update 11 --name ada", "Did you mean: --full-name?"],
    ["users deactivate 11 --delete-profile", "Did you mean: --delete?"],
    ["channel subscribers design --remove 11", "Did you mean: --delete?"],
    ["channel update design --name x", "Did you mean: --new-name?"],
    ["channel create --name x", "It is an argument: zulipctl channel create <name>"],
    ["users show --email x@example.com", "It is an argument: zulipctl users show <user>"],
    ["channel archive design --force", "Did you mean: --yes?"],
    ["users list --format json", "Did you mean: --output?"],
    ["messages find --channel design", "Did you mean: --narrow?"],
    ["messages move --channel design", "Did you mean: --narrow, --to-channel?"],
    ["users list --filter x", "Did you mean: --match?"],
    ["users offboard otis --transfer-to cora", "Did you mean: --to?"],
    ["channel describe design", "Did you mean: show?"],
    ["folder add x", "Did you mean: create?"],
    ["group add writers", "Did you mean: create?"],
    ["group add writers cora", "Did you mean: zulipctl group members <group> --add <user>?"],
    ["group rm writers cora", "Did you mean: zulipctl group members <group> --delete <user>?"],
    ["group remove-member writers 11", "Did you mean: zulipctl group members <group> --delete <user>?"],
    ["channel add design cora", "Did you mean: zulipctl channel subscribers <channel> --add <user>?"],
    ["channel subscribe design 11", "Did you mean: zulipctl channel subscribers <channel> --add <user>?"],
    ["channel find x", "Did you mean: list?"],
    ["channel restore x", "Did you mean: unarchive?"],
    ["bots disable x", "Did you mean: deactivate?"],
    ["messages ls", "Did you mean: find?"],
    ["messages new hi", "Did you mean: zulipctl messages send?"],
    ["drafts send 1", "Available: add, edit, rm, list."],
    ["users revoke cora", "Available: list, show"],
    ["users logout cora", "Available: list, show"],
    ["users whoami", "Did you mean: zulipctl whoami?"],
    ["auth info", "Did you mean: zulipctl auth status?"],
    ["profile set work", "Did you mean: zulipctl profile use?"],
    ["profile add work", "Did you mean: zulipctl auth login?"],
    ["profile show work", "Did you mean: zulipctl auth status?"],
    ["emoji create x", "Did you mean: add?"],
  ])("%s", refuses);
});

describe("a list is sorted and cut:", () => {
  const names = async (...flags: string[]) =>
    (await zulipctl(["channel", "list", "--fields", "name", "-o", "csv", ...flags])).out.trim().split("\r\n").slice(1);

  test("by a member, up and down", async () => {
    const up = await names("--sort", "name");
    expect(up).toEqual([...up].sort((one, other) => one.localeCompare(other)));
    expect(await names("--sort", "-name")).toEqual(up.toReversed());
  });

  test("by numbers, and by a column that the table makes", async () => {
    expect(await names("--sort", "-stream_id", "--limit", "1")).toEqual(["moderation requests"]);
    const { out } = await zulipctl(["channel", "list", "--sort", "-subscribers", "--limit", "1", "-o", "ids"]);
    expect(out).toBe("2\n");
  });

  test("in every form", async () => {
    for (const form of ["json", "ndjson", "yaml", "ids", "table"]) {
      const { code, out } = await zulipctl(["users", "list", "--limit", "2", "--sort", "full_name", "-o", form]);
      expect({ form, code, out }).toMatchObject({ code: 0, out: expect.not.stringContaining("Otis") });
    }
  });

  test("not by what there is not", async () => {
    expect(await zulipctl(["channel", "list", "--sort", "nam"])).toMatchObject({
      code: 2,
      err: 'zulipctl: --sort: unknown field "nam"\nDid you mean: name?\n',
    });
  });
});

test("a terminal says that a list is empty", async () => {
  const { out, err } = await zulipctl(["channel", "list", "--match", "nothing"], { terminal: true });
  expect({ out, err: err.replace(/\r|\u001b\[[\d;?]*[a-zA-Z]/g, "") }).toEqual({
    out: "",
    err: "No channels match.\n",
  });
  expect((await zulipctl(["channel", "list", "--match", "nothing"])).err).toBe("");
});

describe("a list in a file", () => {
  const added = async (text: string) =>
    zulipctl(["group", "members", "writers", "--add", "@people.txt", "--dry-run", "-o", "json"], {
      files: new Map([["people.txt", text]]),
    });

  test("may have comments", async () => {
    const { code, out } = await added("# who writes\ncora@sandbox.example  # since May\n\n11\n");
    expect(code).toBe(0);
    expect(JSON.parse(out)[0].parameters).toMatchObject({ add: [11] });
  });

  test("is told from a table", async () => {
    const { code, err } = await added("email,full name\ncora@sandbox.example,Cora\n");
    expect(code).toBe(2);
    expect(err).toContain("--add @people.txt: this is a table with the columns email, full name, not a list");
    expect(err).toContain("zulipctl batch <file> -- <command> '{email}'");
  });

  test.each([
    [
      "delivery_email\ncora@sandbox.example\n",
      "--add @people.txt: this is a table with the column delivery_email, not",
    ],
    ['"Email"\n"cora@sandbox.example"\n', "--add @people.txt: this is a table with the column Email, not a list"],
    ["ID\tNAME\n11\tCora Member\n", "--add @people.txt: this is a table with the columns ID, NAME, not a list"],
    ['["cora@sandbox.example"]\n', "--add @people.txt: this is JSON, not a list\nPass one item a line, such as what"],
    ["[\n  11,\n  12\n]", "--add @people.txt: this is JSON, not a list"],
    ["[draft]\n", '--add @people.txt, line 1: "[draft]" is not an id'],
    ["# who\n\n11\nno@sandbox.example\n", '--add @people.txt, line 4: user "no@sandbox.example" not found'],
    ["11,12\n", '--add @people.txt, line 1: "11,12" is more than one person\nWrite one a line.'],
    ["11\ngroup:nobody else\n", '--add @people.txt, line 2: group "nobody else" not found'],
  ])("%j is refused with its line", async (text, expected) => {
    const { code, err } = await added(text);
    const { message, hint } = JSON.parse(err).error;
    expect({ code, said: `${message}\n${hint}` }).toEqual({ code: 2, said: expect.stringContaining(expected) });
  });

  test("may have comments in a list of names too", async () => {
    const files = new Map([["names.txt", "# unused\nshipit # since May\n"]]);
    const { err } = await zulipctl(["emoji", "rm", "@names.txt", "--yes"], { files });
    expect(err).toContain("Emoji 'shipit' does not exist");
  });
});

test.each([
  ["users deactivate 11;12", "<user>", "Write blanks between them, outside quotes."],
  ["users list --ids 11;12", "--ids", "Write commas between them."],
])("%s: names a way to write several people", async (line, flag, hint) => {
  const { code, err } = await zulipctl(line.split(" "));
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringContaining(`${flag}: "${line.split(" ").at(-1)}" is more than one person\n${hint}`),
  });
});

test.each([
  ["channel subscribers design --add people.txt", "people.txt"],
  ["users deactivate people.txt", "people.txt"],
  ["users list --group groups.csv", "groups.csv"],
  ["channel archive channels.list", "channels.list"],
  ["invite add people.txt", "people.txt"],
])("%s: the name of a file without @ is told as such", async (line, file) => {
  const { code, err } = await zulipctl(line.split(" "));
  expect(code).toBe(2);
  expect(err).toContain(`To read a list from the file, write @${file}.`);
});

test("an address that begins with @ is not taken for a file without @", async () => {
  const { code, err } = await zulipctl(["users", "show", "@people.txt"]);
  expect({ code, suggests: err.includes("To read a list") }).toEqual({ code: 2, suggests: false });
});

describe("auth login at a terminal", () => {
  const site = "https://chat.example";
  const login = (answers: string[], password: string) =>
    zulipctlAsking(["auth", "login", "--site", site, "--username", "cora@sandbox.example"], {
      terminal: true,
      env: {},
      text: answers,
      password,
    });

  test("takes a password", async () => {
    const { code, asked } = await login(["password"], "cora-sandbox-password");
    expect(asked[0]).toBe("Log in with your password, or with an API key? (password/key)");
    expect({ code, asked: asked.at(-1) }).toEqual({ code: 0, asked: `Password of cora@sandbox.example on ${site}` });
  });

  test("takes a key", async () => {
    const { asked } = await login(["k"], "x".repeat(32));
    expect(asked.at(-1)).toBe(`API key of cora@sandbox.example on ${site}`);
  });

  test("asks again for another answer", async () => {
    const { code, err } = await login(["what", "password"], "cora-sandbox-password");
    expect(code).toBe(0);
    expect(err).toContain('invalid answer "what": must be password or key');
  });

  test("needs a flag where nobody can be asked, or takes either from stdin", async () => {
    const argv = ["auth", "login", "--site", site, "--username", "cora@sandbox.example"];
    expect((await zulipctl(argv, { env: {} })).err).toContain("missing required flag: --with-key or --password-stdin");
    const run = await zulipctl([...argv, "--password-stdin"], { env: {}, input: "cora-sandbox-password\n" });
    expect(run.code).toBe(0);
  });
});
