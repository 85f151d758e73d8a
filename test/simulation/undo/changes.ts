/** Random changes, as typed: of every verb that changes something. */
import type { SandboxState } from "../../../src/sandbox/state.ts";
import type { Chance } from "../chance.ts";

export type RunKind = "single" | "batch";

export interface Typed {
  readonly words: readonly string[];
  readonly input?: string;
  /** The kind of run that accepts it. Absent if both do. */
  readonly only?: RunKind;
  /** No run that has it can go back completely. */
  readonly stays?: true;
}

const addresses = ["cora", "otis", "mona", "adam", "gwen"].map((name) => `${name}@sandbox.example`);
const channels = ["design", "general", "announcements", "staff", "council", "moderation requests", "attic"];
const groups = ["designers", "writers", "makers"];
const who = ["role:members", "role:moderators", "role:administrators", "nobody", "role:everyone", "designers"];
const emoji = ["shipit", "lgtm", "party"];

/** The files that changes name. */
export const files = (picture: string): [string, string][] => [
  ["party.png", picture],
  ["notes.txt", "notes"],
];

/** Returns each change once, with random values. `n` makes its texts different. */
export function changesBy(chance: Chance, n: number): Typed[] {
  const [channel, group, person] = [chance.of(channels), chance.of(groups), chance.of(addresses)];
  const text = `text ${n}`;
  const id = String(chance.whole(1, 4));
  const made = [
    ["channel", "update", channel, "--description", text],
    ["channel", "update", channel, "--new-name", `${channel} ${n}`],
    ["channel", "update", channel, "--can-send-message-group", chance.of(who)],
    ["channel", "update", channel, "--can-administer-channel-group", chance.of([...who, person])],
    ["channel", "update", channel, "--topics-policy", chance.of(["allow_empty_topic", "disable_empty_topic"])],
    ["channel", "update", channel, "--message-retention-days", chance.of(["30", "unlimited", "default"])],
    ["channel", "update", channel, chance.of(["--private", "--no-private", "--web-public"])],
    ["channel", "update", channel, chance.of(["--default", "--no-default"])],
    ["channel", "update", channel, chance.of(["--folder=Projects", "--no-folder"])],
    ["channel", chance.of(["archive", "archive", "unarchive"]), chance.of([channel, "attic"])],
    ["channel", "create", `new ${n}`, ...chance.of([[], ["--private"], ["--subscribe", person]])],
    ["channel", "subscribers", channel, chance.of(["--add", "--delete"]), person],
    ["group", "update", group, "--description", text],
    ["group", "update", group, "--new-name", `${group} ${n}`],
    ["group", "update", group, "--can-mention-group", chance.of([...who, "writers", person])],
    ["group", "members", group, chance.of(["--add", "--delete"]), person],
    ["group", "members", group, chance.of(["--add-subgroups", "--delete-subgroups"]), chance.of(groups)],
    ["group", "create", `team ${n}`, "--description", "x", ...chance.of([[], ["--add", person]])],
    ["group", chance.of(["deactivate", "reactivate"]), chance.of([group, "resters"])],
    ["folder", "update", "Projects", chance.of(["--description", "--new-name"]), text],
    ["folder", "create", `folder ${n}`],
    ["folder", chance.of(["archive", "unarchive"]), chance.of(["Past", "Projects", "Empty"])],
    ["folder", "reorder", chance.of(["Past", "Projects"])],
    ["users", "update", person, "--full-name", `Name ${n}`],
    ["users", "update", person, "--role", chance.of(["member", "moderator", "guest", "administrator"])],
    ["users", "update", person, "--profile-field", `${chance.of(["Phone", "About me"])}=${n}`],
    ["users", chance.of(["deactivate", "deactivate", "reactivate"]), chance.of([person, "dora@sandbox.example"])],
    ["bots", "update", "beep-bot@sandbox.example", "--name", `Bot ${n}`],
    ["bots", "update", "beep-bot@sandbox.example", "--owner", person],
    ["bots", "deactivate", "beep-bot@sandbox.example"],
    ["bots", chance.of(["reactivate", "deactivate"]), "old-bot@chat.example"],
    ["settings", "update", `waiting_period_threshold=${chance.whole(0, 9)}`],
    ["settings", "update", `can_create_groups=${chance.of(["role:members", "role:administrators", "designers"])}`],
    ["settings", "update", `new_stream_announcements_stream_id=${chance.of(["general", "design", "announcements"])}`],
    ["settings", "update", `message_content_edit_limit_seconds=${chance.of(["60", "600", "unlimited"])}`],
    ["settings", "update", `default_code_block_language=${chance.of(["python", "rust"])}`],
    ["settings", "update", "--new-users", `twenty_four_hour_time=${chance.of(["true", "false"])}`],
    ["linkifier", "add", `N${n}-(?P<id>[0-9]+)`, "https://n.example/{id}"],
    ["linkifier", "update", id, "--url-template", `https://u${n}.example/{id}`, "--skip-check"],
    ["linkifier", "rm", id],
    ["linkifier", "reorder", id],
    ["domain", "add", `d${n}.example`, chance.of(["--allow-subdomains", "--no-allow-subdomains"])],
    ["domain", "update", "a.example", chance.of(["--allow-subdomains", "--no-allow-subdomains"])],
    ["domain", "rm", "a.example"],
    ["playground", "add", "python", `Play ${n}`, "https://p.example/{code}"],
    ["playground", "rm", id],
    ["profile-field", "create", `Field ${n}`, "--type", "short_text"],
    ["profile-field", "create", `Choice ${n}`, "--type", "options", "--option", "a", "--option", "b"],
    ["profile-field", "update", id, "--hint", text],
    ["profile-field", "reorder", id],
    ["drafts", "add", "--content", text],
    ["drafts", "add", "--channel", channel, "--topic", "t", "--content", text],
    ["drafts", "edit", id, "--content", text],
    ["drafts", "rm", id],
    ["emoji", "add", `new${n}`, "party.png"],
    ["invite", "add", `guest${n}@x.example`, "--channel", "general"],
    ["invite", "link", "--channel", "general"],
    ["topic", "rename", "general", "release plan", `plan ${n}`],
    ["topic", "move", "design", "logo", "--to-channel", "general"],
    ["topic", "resolve", "design", "logo"],
  ];
  const stays = [
    ["messages", "send", "--channel", "general", "--topic", "t", "--content", text],
    ["messages", "edit", String(chance.whole(1, 8)), "--content", text],
    ["topic", "delete", "council", "votes"],
    ["emoji", "rm", chance.of(emoji)],
    ["invite", "rm", "email:1"],
    ["invite", "resend", "email:1"],
    ["profile-field", "rm", id],
    ["attachment", "rm", id],
    ["attachment", "add", "notes.txt"],
    ["settings", "update", "--people", person, "twenty_four_hour_time=true"],
    ["export", "create"],
    ["api", "PATCH", "/realm", "--field", `description=${n}`],
  ];
  return [
    ...made.map((words) => ({ words })),
    ...stays.map((words): Typed => ({ words, stays: true })),
    { words: ["bots", "create", `Bot ${n}`, "--short-name", `bot${n}`, "--print"], only: "single" },
    { words: ["bots", "rotate-key", "beep-bot@sandbox.example", "--print"], only: "single", stays: true },
    {
      words: ["users", "create", "--email", `new${n}@x.example`, "--full-name", `New ${n}`, "--random-password"],
      only: "batch",
    },
    {
      words: ["users", "create", "--email", `other${n}@x.example`, "--full-name", `Other ${n}`, "--password-stdin"],
      input: "a long password of other people\n",
      only: "single",
    },
  ];
}

/** Returns two changes of a run that remove something, and put something else in its place. Or the other way round. */
export function replacement({ linkifiers, playgrounds, domains }: SandboxState, chance: Chance, n: number): Typed[] {
  const [channel, group, person] = [chance.of(channels), chance.of(groups), chance.of(addresses)];
  const pairs: (readonly string[])[][] = [
    [
      ["channel", "archive", "attic"],
      ["channel", "unarchive", "attic"],
    ],
    [
      ["channel", "subscribers", channel, "--delete", person],
      ["channel", "subscribers", channel, "--add", person],
    ],
    [
      ["group", "members", group, "--delete", person],
      ["group", "members", group, "--add", person],
    ],
    [
      ["emoji", "rm", "party"],
      ["emoji", "add", "party", "party.png"],
    ],
  ];
  for (const linkifier of linkifiers)
    pairs.push([
      ["linkifier", "rm", String(linkifier.id)],
      ["linkifier", "add", linkifier.pattern, `https://again${n}.example/{id}`, "--skip-check"],
    ]);
  for (const playground of playgrounds)
    pairs.push([
      ["playground", "rm", String(playground.id)],
      ["playground", "add", playground.pygments_language, playground.name, `https://again${n}.example/{code}`],
    ]);
  for (const { domain } of domains)
    pairs.push([
      ["domain", "rm", domain],
      ["domain", "add", domain, chance.of(["--allow-subdomains", "--no-allow-subdomains"])],
    ]);
  const pair = chance.of(pairs);
  const isUpload = pair[0]?.[0] === "emoji";
  return (chance.hits(0.8) ? pair : pair.toReversed()).map((words) => ({ words, ...(isUpload && { stays: true }) }));
}

const permissions = "permissions";
const members = "members";

/** What the lines of a story can all be about. */
const nouns = [
  ...["channel", "group", "folder", "users", "bots", "linkifier", "playground", "drafts", "profile-field"],
  ...[permissions, members],
];

function isAbout(noun: string, words: readonly string[]): boolean {
  if (noun === permissions) return words.some((word) => /^(--)?can[-_]/.test(word));
  return noun === members ? /^(members|subscribers)$/.test(words[1] ?? "") : words[0] === noun;
}

/** Returns what the lines of a run are about. Undefined in every other story: anything. */
export const nounBy = (chance: Chance): string | undefined => (chance.hits(0.5) ? chance.of(nouns) : undefined);

/** Returns one random change. */
export function changeBy(chance: Chance, n: number, kind: RunKind, noun?: string): Typed {
  const wanted = noun === undefined && chance.hits(0.1);
  const isWanted = ({ words, stays, only = kind }: Typed) =>
    (stays ?? false) === wanted && only === kind && (noun === undefined || isAbout(noun, words));
  return chance.of(changesBy(chance, n).filter(isWanted));
}
