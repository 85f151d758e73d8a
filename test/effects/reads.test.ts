/** Each read of a judgment is refused: people are told what could not be judged, and what could be grave is stopped. */
import { describe, expect, test } from "vitest";
import { commandLine } from "../../src/common/shell-words.ts";
import type { Http } from "../../src/world/world.ts";
import { credentials, fresh, zulipctl } from "../run.ts";
import { answer } from "../world.ts";

interface Refused {
  /** The read that is refused, by its path. */
  readonly read: RegExp;
  readonly argv: readonly string[];
  /** What cannot be read. */
  readonly what: string;
  /** The flag without which `--yes` does not send it. */
  readonly flag?: string;
}

const api = (...words: string[]) => ["api", ...words];
const move = api("PATCH", "messages/1", "-f", "topic=release plan", "-f", "propagate_mode=change_all");
const eleven = Array.from({ length: 11 }, (_, n) => 101 + n);

const reads: Readonly<Record<string, Refused>> = {
  "the own account": {
    read: /\/users\/me$/,
    argv: api("PATCH", "users/12", "-f", "role=600"),
    what: "which account this is",
  },
  "the owners": { read: /\/users$/, argv: api("DELETE", "users/12"), what: "who the owners are" },
  "the channel that becomes private": {
    read: /\/streams$/,
    argv: api("PATCH", "streams/1", "-f", "is_private=true"),
    what: "who is in the channel",
    flag: "--allow-empty",
  },
  "a channel that changes": {
    read: /\/streams$/,
    argv: api("PATCH", "streams/1", "-f", "is_web_public=true"),
    what: "the channel",
  },
  "the retention until now": {
    read: /\/register$/,
    argv: api("PATCH", "streams/1", "-f", "message_retention_days=5"),
    what: "how long messages are kept",
  },
  groups: { read: /\/user_groups$/, argv: api("POST", "user_groups/17/subgroups", "-f", "add=[19]"), what: "groups" },
  settings: {
    read: /\/register$/,
    argv: api("PATCH", "realm", "-f", "invite_required=false"),
    what: "the settings until now",
  },
  "members of a group": {
    read: /\/user_groups\/18\/members$/,
    argv: api("POST", "user_groups/18/members", "-f", `delete=[${eleven}]`),
    what: "who is in group",
    flag: "--max-removals 100%",
  },
  "options of a profile field": {
    read: /\/realm\/profile_fields$/,
    argv: api("PATCH", "realm/profile_fields/3", "-f", "field_data={}"),
    what: "which options the profile field has",
  },
  "who has a profile field": {
    read: /\/users$/,
    argv: ["profile-field", "rm", "3"],
    what: "what hangs on the profile field",
  },
  "settings that name a channel": {
    read: /\/register$/,
    argv: ["channel", "archive", "1"],
    what: "what hangs on the channel",
  },
  "the place of a message": { read: /\/messages\/1$/, argv: move, what: "where message 1 is" },
  topics: { read: /\/users\/me\/\d+\/topics$/, argv: move, what: "which topics the channel has" },
  "who reads a channel": {
    read: /\/users$/,
    argv: api("PATCH", "messages/1", "-f", "stream_id=5", "-f", "propagate_mode=change_all"),
    what: "who can read the messages then",
  },
  invitations: { read: /\/invites$/, argv: api("POST", "invites/1/resend"), what: "whom the invitation is for" },
};

function refusing({ read }: Refused) {
  const sandbox = fresh();
  const http: Http = async (request) =>
    (request.method === "GET" || request.url.endsWith("/register")) && read.test(new URL(request.url).pathname)
      ? answer(400, { result: "error", msg: "Not allowed", code: "BAD_REQUEST" })
      : sandbox.handle(request);
  return { sandbox, http, env: credentials(sandbox) };
}

describe.each(Object.entries(reads))("%s cannot be read", (_, refused) => {
  const { argv, what, flag } = refused;
  const row = { files: new Map([["rows.txt", `${commandLine(argv).replace(/^zulipctl /, "")}\n`]]) };
  const ways = [
    ["as a command", argv, {}],
    ["as a row", ["batch", "rows.txt", "--format", "lines"], row],
  ] as const;

  test.each(ways)("%s: says so", async (_, words, given) => {
    const { err } = await zulipctl(words, { ...refusing(refused), ...given });
    expect(err).toContain(`cannot read ${what}`);
    const shown = await zulipctl([...words.slice(0, 1), "--dry-run", ...words.slice(1)], {
      ...refusing(refused),
      ...given,
    });
    expect(shown.err).toContain(`cannot read ${what}`);
  });

  test.each(ways)("%s: only what could be grave is stopped by it", async (_, words, given) => {
    const { code, err, sent } = await zulipctl([...words, "--yes"], { ...refusing(refused), ...given });
    if (flag === undefined) return expect(sent.some(({ method }) => method !== "GET")).toBe(true);
    expect(code).toBe(2);
    expect(err).toContain("something that cannot be judged");
    expect(err).toContain(`To do that, add: ${flag}`);
  });
});
