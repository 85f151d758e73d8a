import { reads } from "../cli/conversation.ts";
import { choice, text } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";

const from = { from: text("what a snapshot in this file says, in place of asking the server", "file") };

export const permissions = noun("Who may do what, and why", {
  list: reads(
    {
      doc: "Every permission there is: whom it is granted to, and how many may",
      flags: {
        scope: choice(["organization", "channel", "group"], "those of this kind alone", "scope"),
        channel: text("those of this channel", "channel"),
        group: text("those of this group", "group"),
        permission: text("this one alone: its name, with or without _group, or an act", "permission"),
        grantedTo: text("those whose setting names this group, or one that it is in", "group"),
        ...from,
      },
      examples: [
        "zulipctl permissions list --channel design",
        "zulipctl permissions list --granted-to designers",
        "zulipctl permissions list -o csv > review.csv",
      ],
    },
    async () => (await import("./permissions/list.ts")).list,
  ),
});
