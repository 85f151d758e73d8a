import { acts } from "../cli/conversation.ts";
import { choice, text, toggle } from "../cli/kinds.ts";

/** Where zulipctl keeps a key of its own. */
export const store = choice(["keychain", "file"], "where to keep the key (default: keychain)", "place");

/** What two of the global flags mean where a profile is made. */
export const madeBy =
  "--site names the organization, --profile the profile (default: the host of the site, with a number if another account has that name). At a terminal, zulipctl prompts for anything missing.";

export const fetchKey = acts({
  doc: "Get an API key with a password, and save it as a profile",
  flags: {
    username: text("usually an e-mail address", "name"),
    passwordStdin: toggle("read the password from the first line of stdin"),
    store,
    print: toggle("write the key to stdout and store nothing"),
  },
  note: madeBy,
  examples: ["zulipctl fetch-key --site https://chat.example.com --username ada@example.com"],
  run: async () => (await import("./auth/login.ts")).fetch,
});
