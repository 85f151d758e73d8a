import { type Command, Option } from "commander";
import { readable } from "../shell/given.ts";
import { examples } from "../shell/help.ts";
import type { Shell } from "../shell/shell.ts";
import { repeatable } from "../shell/strict.ts";

// Named here too, so that registering flags loads no schemas; a test compares them with the operation's.
const permissions: Record<string, string> = {
  "can-add-subscribers-group": "subscribe others",
  "can-remove-subscribers-group": "unsubscribe others",
  "can-administer-channel-group": "administer the channel",
  "can-delete-any-message-group": "delete any message",
  "can-delete-own-message-group": "delete their own messages",
  "can-move-messages-out-of-channel-group": "move messages to other channels",
  "can-move-messages-within-channel-group": "move messages between topics",
  "can-send-message-group": "post",
  "can-subscribe-group": "subscribe themselves",
  "can-resolve-topics-group": "resolve topics",
};

const policies = ["inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"];

export function channel(program: Command, shell: Shell): void {
  const noun = program.command("channel").description("Channels and their settings");

  const update = noun
    .command("update")
    .description("Change a channel's name, description, privacy, policies and permissions")
    .argument("<channel>", "name or id")
    .option("--new-name <text>", "rename it")
    .addOption(readable("--description <text>", "Markdown; @file reads a file, - reads stdin"))
    .option("--private", "only for those let in")
    .option("--no-private", "open to everybody but guests")
    .option("--web-public", "readable without an account")
    .option("--no-web-public", "not readable without an account")
    .option("--history-public-to-subscribers", "new subscribers see older messages")
    .option("--no-history-public-to-subscribers", "new subscribers see no older messages")
    .option("--default", "subscribe new people to it")
    .option("--no-default", "do not subscribe new people to it")
    .option("--message-retention-days <days>", "delete messages after so many days; or realm_default, unlimited")
    .addOption(new Option("--archived").hideHelp())
    .option("--no-archived", "take it out of the archive")
    .option("--folder <folder>", "move it into this folder")
    .option("--no-folder", "take it out of its folder")
    .addOption(new Option("--topics-policy <policy>", "whether topics may be empty or named").choices(policies));
  for (const [flag, what] of Object.entries(permissions))
    update.addOption(new Option(`--${flag} <who>`, `who may ${what}`).helpGroup("Permissions:"));
  update
    .addOption(repeatable("--expect <setting=who>", "change the setting only if this is its value now"))
    .addHelpText(
      "after",
      `\n<who> is a group (writers, role:moderators, nobody), or people and groups: user:me,group:writers\n${examples(
        "zulipctl channel update design --new-name sketches --folder Projects",
        "zulipctl channel update general --can-send-message-group role:moderators --expect can-send-message-group=role:everyone",
        "echo 'Anything goes' | zulipctl channel update general --description -",
      )}`,
    )
    .action(shell.changes(async () => (await import("./channel/update.ts")).update));

  noun
    .command("list")
    .description("Channels whose settings the account may see")
    .option("--archived", "archived ones too")
    .addHelpText(
      "after",
      examples("zulipctl channel list --archived", "zulipctl channel list --jq '.[] | select(.is_web_public) | .name'"),
    )
    .action(shell.reads(async () => (await import("./channel/list.ts")).list));
}
