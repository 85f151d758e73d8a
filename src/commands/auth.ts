import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { madeBy, storeOption } from "./fetch-key.ts";

export function auth(program: Command, shell: Shell): void {
  const noun = program.command("auth").description("Credentials: which are used, and where they come from");

  noun
    .command("status")
    .description("Whose credentials are used, where they come from, and whether the server accepts them")
    .addHelpText("after", examples("zulipctl auth status"))
    .action(shell.acts(async () => (await import("./auth/status.ts")).status));

  noun
    .command("login")
    .description("Make a profile from an API key")
    .option("--with-key", "read the key from the first line of stdin; at a terminal it is asked for")
    .option("--username <e-mail>", "the account's e-mail address")
    .addOption(storeOption())
    .addHelpText(
      "after",
      `${madeBy}${examples(
        "cat key | zulipctl auth login --with-key --site https://chat.example.com --username ada@example.com",
      )}`,
    )
    .action(shell.acts(async () => (await import("./auth/login.ts")).login));

  noun
    .command("import")
    .description("Make a profile from a zuliprc")
    .argument("[zuliprc]", "the file; ~/.zuliprc where it is left out")
    .addOption(storeOption())
    .addHelpText("after", examples("zulipctl auth import ~/Downloads/zuliprc --profile work"))
    .action(shell.acts(async () => (await import("./auth/import.ts")).importZuliprc));

  noun
    .command("logout")
    .description("Forget the current profile and its key")
    .addHelpText("after", examples("zulipctl auth logout"))
    .action(shell.acts(async () => (await import("./auth/logout.ts")).logout));
}
