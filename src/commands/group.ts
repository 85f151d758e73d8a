import type { Command } from "commander";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { repeatableList } from "../shell/strict.ts";

export function group(program: Command, shell: Shell): void {
  const noun = program.command("group").description("User groups and their members");

  noun
    .command("members")
    .description("Add and remove members and subgroups, all of them or none; without flags list the members")
    .argument("<group>", "name or id")
    .addOption(repeatableList("--add <user,...>", "people to add: ids, e-mails, name:…, me; @file reads one a line"))
    .addOption(repeatableList("--delete <user,...>", "people to remove"))
    .addOption(
      repeatableList("--set <user,...>", "exactly these people: adds and removes what differs; @file reads one a line"),
    )
    .addOption(repeatableList("--add-subgroups <group,...>", "groups to add: names or ids; @file reads one a line"))
    .addOption(repeatableList("--delete-subgroups <group,...>", "groups to remove"))
    .addOption(repeatableList("--set-subgroups <group,...>", "exactly these groups: adds and removes what differs"))
    .option("--if-changed", "read first, and send only what is not so yet; nothing left to send is success")
    .addHelpText(
      "after",
      examples(
        "zulipctl group members designers",
        "zulipctl group members designers --add otis@sandbox.example --delete 'name:Cora Member'",
        "zulipctl group members designers --set cora@sandbox.example,otis@sandbox.example --yes",
        "zulipctl group members makers --delete-subgroups writers --if-changed",
      ),
    )
    .action(shell.changes(async () => (await import("./group/members.ts")).members));

  noun
    .command("list")
    .description("User groups")
    .option("--system", "system groups too")
    .option("--deactivated", "deactivated ones too")
    .addHelpText("after", examples("zulipctl group list --system -o json"))
    .action(shell.reads(async () => (await import("./group/list.ts")).list));
}
