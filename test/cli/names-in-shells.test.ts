/** Completes names of the organization in real shells, and checks the words that zulipctl receives. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "@lydell/node-pty";
import { afterAll, describe, expect, test } from "vitest";
import { completionScripts } from "../../src/cli/completion/scripts.ts";
import { namesDirectory } from "../../src/resolve/names-directory.ts";
import { program } from "../binary/program.ts";

const place = mkdtempSync(join(tmpdir(), "zulipctl-names-"));
afterAll(() => rmSync(place, { recursive: true, maxRetries: 5 }));
const received = join(place, "received");
const inner = "some dir/inner file's.txt";
const other = "some dir/other $file.txt";
const env = {
  PATH: `${place}:${process.env.PATH}`,
  HOME: place,
  // A shell writes its history when it ends, perhaps after the directory is removed.
  HISTFILE: "/dev/null",
  LANG: "C.UTF-8",
  TERM: "xterm",
  ZULIPCTL_CACHE_DIR: join(place, "cache"),
  ZULIPCTL_CONFIG_DIR: join(place, "config"),
  ZULIP_SITE: "https://chat.example",
  ZULIP_EMAIL: "ada@chat.example",
  ZULIP_API_KEY: "none",
};
const names = namesDirectory(env.ZULIPCTL_CACHE_DIR, { site: env.ZULIP_SITE, email: env.ZULIP_EMAIL });

/** Names of channels with typed beginnings. No two names begin alike. */
const odd: Readonly<Record<string, readonly string[]>> = {
  "ab cd  ef": ["ab", "ab\\ c", "'ab c", '"ab c'],
  "bq \"x\" 'y'": ['"bq'],
  "c#d #e": [],
  "d:e:f": ["d", "d:"],
  "e$HOME `id`": ["e", "'e", '"e'],
  "f!x !!": ["f", "'f", '"f'],
  "g\\h\\": ["g\\\\"],
  "h*[x]?~": ["h"],
  "grün 日本語": [],
  "k=l;m&n|o": [],
  "~tilde (x)": ["'~t"],
  "=ls is it": ["'="],
  "'first' of all": ["\\'"],
  '"second" of all': ['\\"'],
  "$HOME first": ["'$", "\\$"],
  "!! first": ["'!", '"!'],
  "~user/x y": ["'~u"],
  "[class] x": ["'["],
  "{a,b} c": ["'{"],
  "name:-dash --it": ["name:-"],
  "<in> out": [],
  "^caret ^a^b": ["^"],
  "%job 1": [],
  "Ελλη νικά": [],
  "🎉 party": ["🎉"],
  ":files": ["':", ":"],
};
mkdirSync(names, { recursive: true });
const keep = (kind: string, lines: string[]) => writeFileSync(join(names, kind), `${[...lines].sort().join("\n")}\n`);
keep(
  "channel",
  Object.keys(odd).map((name) => `${name}\tabout: ${name}`),
);
keep("folder", ["Projects and plans\twhat we do"]);
keep("group", ["designers of all", "role:owners"]);
keep("user", ["cora@chat.example\tCora Member", "otis@chat.example\tOtis Member"]);
keep("person", ["name:Cora 'C' Member\tcora@chat.example"]);
keep("linkifier", ["1\t#(?P<id>[0-9]+)", "42\tRFC: (?P<n>[0-9]+)", "43\t$x \\d"]);
keep("invitation", ["email:7\tada@example.com", "link:8\tlink of 2026-01-15 12:00Z"]);
keep("profile-field", ["Favourite food\twhat you like"]);
const work = { site: "https://work.example", email: "ada@work.example", store: "command", key_command: ["pass"] };
mkdirSync(env.ZULIPCTL_CONFIG_DIR);
writeFileSync(join(env.ZULIPCTL_CONFIG_DIR, "config.json"), JSON.stringify({ profiles: { work } }));
mkdirSync(join(place, "some dir"));
for (const file of [inner, other]) writeFileSync(join(place, file), "");
writeFileSync(
  join(place, "zulipctl"),
  `#!/bin/sh\n[ "$1" = __complete ] && exec '${process.execPath}' '${program}' "$@"\nfor word; do printf '%s\\n' "$word"; done > '${received}.part'\nmv '${received}.part' '${received}'\n`,
  { mode: 0o755 },
);
writeFileSync(join(place, "stub.bash"), completionScripts.bash);
writeFileSync(join(place, "_zulipctl"), completionScripts.zsh);
writeFileSync(join(place, "stub.fish"), completionScripts.fish);

const installed = (shell: string): boolean => {
  try {
    execFileSync(shell, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const shells = {
  bash: { argv: ["--norc", "--noprofile", "-i"], setup: `PS1='> '; source '${place}/stub.bash'` },
  zsh: { argv: ["-f", "-i"], setup: `PS1='> '; fpath=('${place}' $fpath); autoload -U compinit; compinit -u -D` },
  fish: { argv: ["--no-config", "-i"], setup: `source '${place}/stub.fish'` },
};

/** An interactive shell. */
class Session {
  readonly #terminal;
  #screen = "";

  constructor(shell: keyof typeof shells) {
    this.#terminal = spawn(shell, shells[shell].argv, { cwd: place, env, cols: 200, rows: 50 });
    this.#terminal.onData((data) => {
      this.#screen += data;
    });
  }

  async #until(done: () => boolean): Promise<void> {
    for (const end = Date.now() + 15_000; !done(); await sleep(10))
      if (Date.now() > end) throw new Error(`timed out: ${JSON.stringify(this.#screen.slice(-2000))}`);
  }

  async begin(setup: string): Promise<void> {
    this.#terminal.write(`${setup}; echo READY'!'\r`);
    await this.#until(() => this.#screen.includes("READY!"));
  }

  /** Types a line, Tab and Enter. Returns the words that zulipctl receives. */
  async completed(line: string): Promise<string[]> {
    rmSync(received, { force: true });
    this.#screen = "";
    this.#terminal.write(`${line}\t`);
    await sleep(50);
    this.#terminal.write("\r");
    try {
      await this.#until(() => existsSync(received));
    } catch (error) {
      // Discard the line.
      this.#terminal.write("\x03");
      throw error;
    }
    return readFileSync(received, "utf8").split("\n").slice(0, -1);
  }

  /** Resolves when these are on the screen after Tab. */
  async shows(line: string, expected: readonly string[]): Promise<void> {
    this.#screen = "";
    this.#terminal.write(`${line}\t`);
    await this.#until(() => {
      const screen = this.#screen.replace(/\x1b(\[[0-9;?]*[A-Za-z]|\(B)/g, "");
      return expected.every((text) => screen.includes(text));
    });
  }

  end(): void {
    this.#terminal.kill();
  }
}

/** Typed lines with the words that zulipctl receives. */
const lines: [typed: string, words: string[]][] = [
  ...Object.entries(odd).flatMap(([name, beginnings]) =>
    beginnings.map((typed): [string, string[]] => [`zulipctl channel show ${typed}`, ["channel", "show", name]]),
  ),
  ["zulipctl cha", ["channel"]],
  ["zulipctl channel update x --topics-policy=in", ["channel", "update", "x", "--topics-policy=inherit"]],
  [
    "zulipctl channel update x --topics-policy dis",
    ["channel", "update", "x", "--topics-policy", "disable_empty_topic"],
  ],
  ["zulipctl channel update x --expect can_su", ["channel", "update", "x", "--expect", "can_subscribe_group="]],
  ["zulipctl linkifier rm 43,1", ["linkifier", "rm", "43,1"]],
  ["zulipctl invite rm em", ["invite", "rm", "email:7"]],
  ["zulipctl invite rm email:7,li", ["invite", "rm", "email:7,link:8"]],
  ["zulipctl users update me --profile-field Fav", ["users", "update", "me", "--profile-field", "Favourite food="]],
  ["zulipctl messages find --fields first", ["messages", "find", "--fields", "first line"]],
  ["zulipctl profile use w", ["profile", "use", "work"]],
  ["zulipctl -pw", ["-pwork"]],
  ["zulipctl --site https://w", ["--site", "https://work.example"]],
  ["zulipctl settings update can_create_groups=role:own", ["settings", "update", "can_create_groups=role:owners"]],
  ["zulipctl drafts add --content @some\\ dir/inn", ["drafts", "add", "--content", `@${inner}`]],
  ["zulipctl drafts add --content=@some\\ dir/inn", ["drafts", "add", `--content=@${inner}`]],
  ["zulipctl drafts add --content '@some dir/oth", ["drafts", "add", "--content", `@${other}`]],
  ['zulipctl drafts add --content "@some dir/oth', ["drafts", "add", "--content", `@${other}`]],
  ["zulipctl api POST /x -f content=@some\\ dir/inn", ["api", "POST", "/x", "-f", `content=@${inner}`]],
  ["zulipctl --zuliprc some\\ dir/inn", ["--zuliprc", inner]],
  ["zulipctl --zuliprc=some\\ dir/inn", [`--zuliprc=${inner}`]],
  ["zulipctl --zuliprc 'some dir/oth", ["--zuliprc", other]],
  ["zulipctl org plan a some\\ dir/inn", ["org", "plan", "a", inner]],
  ["zulipctl batch ~/some\\ dir/inn", ["batch", join(place, inner)]],
  ["zulipctl channel list --folder=Pr", ["channel", "list", "--folder=Projects and plans"]],
  ["zulipctl group members des", ["group", "members", "designers of all"]],
  ["zulipctl users show cora@ch", ["users", "show", "cora@chat.example"]],
  ["zulipctl users show name:C", ["users", "show", "name:Cora 'C' Member"]],
  [
    "zulipctl group members x --add cora@chat.example,ot",
    ["group", "members", "x", "--add", "cora@chat.example,otis@chat.example"],
  ],
  [
    "zulipctl group update x --can-manage-group group:designers\\ of\\ all,user:ot",
    ["group", "update", "x", "--can-manage-group", "group:designers of all,user:otis@chat.example"],
  ],
];

describe.each(Object.keys(shells) as (keyof typeof shells)[])("%s", (shell) => {
  test.skipIf(!installed(shell))(
    "completes names to words that zulipctl receives unchanged",
    { timeout: 120_000 },
    async () => {
      const session = new Session(shell);
      try {
        await session.begin(shells[shell].setup);
        const read = [];
        for (const [line] of lines) read.push([line, await session.completed(line).catch((error) => error.message)]);
        expect(read).toEqual(lines);
        if (shell !== "bash") await session.shows("zulipctl linkifier update 4", ["RFC: (?P<n>[0-9]+)", "$x \\d"]);
      } finally {
        session.end();
      }
    },
  );
});
