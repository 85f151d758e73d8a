import type { completionNoun } from "../../src/commands/completion.ts";
import { type CasesOf, local } from "./case.ts";

const script = local({ lines: [{ typed: "", sends: [] }] });

export const cases: CasesOf<typeof completionNoun> = {
  bash: script,
  zsh: script,
  fish: script,
  refresh: local({
    lines: [
      {
        typed: "",
        sends: [
          "GET /realm/profile_fields",
          "GET /users",
          "GET /user_groups?include_deactivated_groups=true",
          "GET /channel_folders?include_archived=true",
          "GET /streams?exclude_archived=false&include_all=true",
          "GET /realm/linkifiers",
          "GET /realm/domains",
          "POST /register event_types=%5B%22realm_playgrounds%22%5D&fetch_event_types=%5B%22realm_playgrounds%22%5D",
          "DELETE /events queue_id=bb3ddc32-1357-715a-e204-c7a91c6a9519",
          "GET /realm/emoji",
          "GET /invites",
          "GET /drafts",
          "GET /attachments",
          "GET /export/realm",
        ],
      },
    ],
  }),
};
