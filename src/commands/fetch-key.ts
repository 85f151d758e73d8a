import { acts } from "../cli/conversation.ts";
import { choice, text, toggle } from "../cli/kinds.ts";

/** Where zulipctl keeps a key of its own. */
export const store = choice(["keychain", "file"], "where to keep the key (default: keychain)", "place");

/** What two of the global flags mean where a profile is made. */
export const madeBy =
  "--site names the organization, --profile gives the profile its name (default: the site's host, with a number where another account has that name). What lacks is asked for at a terminal.";

export const fetchKey = acts(
  {
    doc: "Get the API key of an account from its password, and keep it as a profile",
    flags: {
      username: text("usually the e-mail address", "name"),
      passwordStdin: toggle("read the password from the first line of stdin"),
      store,
      print: toggle("write the key to stdout and store nothing"),
    },
    note: madeBy,
    examples: ["zulipctl fetch-key --site https://chat.example.com --username ada@example.com"],
  },
  async () => (await import("./fetch-key/fetch.ts")).fetch,
);
