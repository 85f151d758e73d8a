import { acts } from "../cli/conversation.ts";
import { ago, choice, number, text } from "../cli/kinds.ts";

export const log = acts({
  doc: "What was changed from this machine, the newest first: when, by which command, and what became of it",
  flags: {
    since: ago("changes of the last so many days (2d) or hours (12h) only"),
    target: text("changes of what has this in its name or id only"),
    outcome: choice(["done", "refused", "unknown"], "changes that came to this only", "outcome"),
    limit: number("so many at most", "n", 1),
  },
  examples: [
    "zulipctl log --since 2d",
    "zulipctl log --limit 10",
    "zulipctl log --target design --outcome refused -o ndjson",
  ],
  note: 'The log lies in the state directory, for the owner alone. "log": false in the configuration turns it off.',
  run: async () => (await import("./log/list.ts")).list,
});
