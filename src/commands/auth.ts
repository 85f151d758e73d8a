import { acts } from "../cli/conversation.ts";
import { choice, path, text, toggle } from "../cli/kinds.ts";
import { noun } from "../cli/noun.ts";
import { maybe } from "../cli/word.ts";

/** Where zulipctl keeps a key of its own. */
const store = choice(["keychain", "file"], "where to keep the key (default: keychain)", "place");

/** What two of the global flags mean where a profile is made. */
const madeBy =
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

export const auth = noun("Credentials: which are used, and where they come from", {
  status: acts({
    doc: "Show the account in use, where its credentials come from, and whether the server accepts them",
    examples: ["zulipctl auth status"],
    run: async () => (await import("./auth/login.ts")).status,
  }),

  login: acts({
    doc: "Create a profile from an API key",
    flags: {
      withKey: toggle("read the key from the first line of stdin; prompts at a terminal"),
      username: text("the account's e-mail address", "e-mail"),
      store,
    },
    note: madeBy,
    examples: ["cat key | zulipctl auth login --with-key --site https://chat.example.com --username ada@example.com"],
    run: async () => (await import("./auth/login.ts")).login,
  }),

  import: acts({
    doc: "Create a profile from a zuliprc",
    operands: { zuliprc: maybe(path("the file (default: ~/.zuliprc)", "zuliprc")) },
    flags: { store },
    examples: ["zulipctl auth import ~/Downloads/zuliprc --profile work"],
    run: async () => (await import("./auth/login.ts")).importZuliprc,
  }),

  logout: acts({
    doc: "Remove the current profile and its key",
    examples: ["zulipctl auth logout"],
    run: async () => (await import("./profile/edit.ts")).logout,
  }),
});
