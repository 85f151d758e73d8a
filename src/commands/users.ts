import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { repeatableList } from "../shell/strict.ts";

export function users(program: Command, shell: Shell): void {
  program
    .command("users")
    .description("People and bots")
    .command("list")
    .description("People and bots, deactivated ones too")
    .addOption(repeatableList("--ids <user,...>", "these only: ids, e-mails, name:…, me"))
    .option("--client-gravatar", "leave the URLs of gravatars out")
    .option("--no-client-gravatar", "give the URLs of gravatars")
    .option("--include-custom-profile-fields", "add profile_data")
    .option("--role <role>", "those of this role: its name or number")
    .option("--active", "those who are not deactivated")
    .option("--deactivated", "those who are deactivated")
    .option("--bots", "bots alone")
    .option("--humans", "people alone")
    .option("--match <text>", "those with this text in name or e-mail")
    .addHelpText(
      "after",
      examples(
        "zulipctl users list --role guest --active -o ids",
        "zulipctl users list -o csv --fields user_id,full_name,delivery_email",
      ),
    )
    .action(shell.reads(async () => (await import("./users/list.ts")).list));
}
