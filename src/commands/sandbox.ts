import { InvalidArgumentError } from "commander";
import { wholeNumber } from "../argv/flags.ts";
import { acts } from "../cli/conversation.ts";
import { not, number, offered, path, texts, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import type { Word } from "../cli/word.ts";

/** What the server is to be, for `sandbox` and `tour` alike; `--feature-level` is a global flag. */
export const setup = {
  world: path("start with the organization described in this JSON file"),
  users: number("add n generated people"),
  exportSize: number("make the files of exports this large", "MiB", 1),
  rateLimits: not("lift the rate limits"),
  fault: texts("inject faults, such as 502:op=drafts.add,p=0.5", "spec"),
};

const served = {
  ...setup,
  fixedPasswords: toggle("give the seeded people the passwords of the documentation, such as iris-sandbox-password"),
};

const port: Word<number, number> = {
  ...number("listen on this port (default: a free one)"),
  parse: (typed) => {
    const read = wholeNumber(1)(typed);
    if (read > 65535) throw new InvalidArgumentError("It must be at most 65535.");
    return read;
  },
};

export const sandbox = noun("An embedded server with a small organization, to try things on", {
  start: acts({
    doc: "Run it on loopback until Ctrl-C; --json prints one line when it is ready",
    flags: { ...served, port },
    examples: ["zulipctl sandbox start --json", "zulipctl sandbox start --users 1000 --no-rate-limits"],
    run: async () => (await import("./sandbox/start.ts")).start,
  }),

  exec: acts({
    doc: "Run a program against a fresh one with the environment set; exits with its code",
    operands: { command: offered(["zulipctl"], texts("after --", "command")) },
    flags: served,
    examples: [
      "zulipctl sandbox exec -- zulipctl users list",
      "zulipctl sandbox exec --fault 502:op=users.list,times=1 -- zulipctl users list",
    ],
    run: async (shell) => {
      const { exec } = await import("./sandbox/start.ts");
      return async (context, options, words: string[]) => {
        shell.exitCode = await exec(context, options, words);
        return undefined;
      };
    },
  }),
});
