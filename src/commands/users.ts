import { reads } from "../cli/conversation.ts";
import { onOff, text, toggle, users as usersWord } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";

export const users = noun("People and bots", {
  list: reads(
    {
      doc: "People and bots, deactivated ones too",
      flags: {
        ids: usersWord("these only: ids, e-mails, name:…, me"),
        clientGravatar: onOff("leave the URLs of gravatars out", "give the URLs of gravatars"),
        includeCustomProfileFields: toggle("add profile_data"),
        role: text("those of this role: its name or number", "role"),
        active: toggle("those who are not deactivated"),
        deactivated: toggle("those who are deactivated"),
        bots: toggle("bots alone"),
        humans: toggle("people alone"),
        match: text("those with this text in name or e-mail"),
      },
      examples: [
        "zulipctl users list --role guest --active -o ids",
        "zulipctl users list -o csv --fields user_id,full_name,delivery_email",
      ],
    },
    async () => (await import("./users/list.ts")).list,
  ),
});
