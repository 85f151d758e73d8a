import { type Command, Option } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";

/** Where zulipctl keeps a key of its own. */
export const storeOption = () =>
  new Option("--store <place>", "where to keep the key (default: keychain)").choices(["keychain", "file"]);

/** What two of the global flags mean where a profile is made. */
export const madeBy =
  "\n--site names the organization, --profile gives the profile its name (default: the site's host, with a number where another account has that name). What lacks is asked for at a terminal.\n";

export function fetchKey(program: Command, shell: Shell): void {
  program
    .command("fetch-key")
    .description("Get the API key of an account from its password, and keep it as a profile")
    .option("--username <name>", "usually the e-mail address")
    .option("--password-stdin", "read the password from the first line of stdin")
    .addOption(storeOption())
    .option("--print", "write the key to stdout and store nothing")
    .addHelpText(
      "after",
      `${madeBy}${examples("zulipctl fetch-key --site https://chat.example.com --username ada@example.com")}`,
    )
    .action(shell.acts(async () => (await import("./fetch-key/fetch.ts")).fetch));
}
