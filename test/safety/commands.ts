/** A command line for every command there is, as the owner of a fresh sandbox would type it. */
export interface Line {
  argv: string[];
  input?: string;
  /** Credentials play no part, or are made by the command: none are in the environment. */
  anonymous?: boolean;
  /** Profiles that are there already. */
  profiles?: boolean;
}

export const token = "fedcba9876543210fedcba9876543210";
export const site = "https://chat.example";

/** `key` and `password` are the owner's. */
export const lines = ({ email, key, password }: { email: string; key: string; password: string }): Line[] => {
  const login = (...more: string[]): Line => ({
    argv: ["fetch-key", "--site", site, "--username", email, "--password-stdin", ...more],
    input: `${password}\n`,
    anonymous: true,
  });
  const profiled = (...argv: string[]): Line => ({ argv, anonymous: true, profiles: true });
  const plain = (...argv: string[]): Line => ({ argv });
  return [
    login(),
    login("--store", "file"),
    { argv: ["auth", "login", "--with-key", "--site", site, "--username", email], input: `${key}\n`, anonymous: true },
    { argv: ["auth", "import", "/home/test/zuliprc", "--profile", "imported"], anonymous: true },
    plain("auth", "status"),
    profiled("auth", "status"),
    profiled("auth", "logout"),
    profiled("profile", "list"),
    profiled("profile", "use", "work"),
    profiled("profile", "rename", "work", "play"),
    profiled("profile", "rm", "work"),
    plain("channel", "list"),
    plain("channel", "update", "general", "--description", "x"),
    plain("messages", "match", "--ids", "1,2", "--narrow", "is:starred"),
    plain("folder", "list"),
    plain("folder", "create", "x"),
    plain("folder", "update", "1", "--description", "x"),
    plain("group", "list"),
    plain("group", "members", "designers"),
    plain("users", "list", "-o", "ndjson"),
    plain("users", "list"),
    plain("linkifier", "list"),
    plain("linkifier", "add", "SAFE-(?P<id>[0-9]+)", "https://example.com/{id}"),
    plain("drafts", "list"),
    plain("drafts", "add", "--content", "x"),
    plain("attachment", "list"),
    plain("attachment", "rm", "1", "--yes"),
    plain("export", "list"),
    plain("export", "create"),
    plain("apns", "register", "--token", token, "--appid", "org.zulip.Zulip"),
    { argv: ["apns", "register", "--token-stdin", "--appid", "org.zulip.Zulip"], input: `${token}\n` },
    {
      argv: ["batch", "-", "--format", "lines"],
      input: `folder create one\napns register --token ${token} --appid org.zulip.Zulip\n`,
    },
    {
      argv: ["batch", "-", "--format", "csv", "--", "apns", "register", "--token", "{token}", "--appid", "{app}"],
      input: `token,app\n${token},org.zulip.Zulip\n`,
    },
    { ...plain("server", "info"), anonymous: false },
    plain("completion", "bash"),
    plain("__complete", "zulipctl", "channel", "update", ""),
  ];
};
