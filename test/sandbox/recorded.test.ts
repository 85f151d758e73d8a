import { describe, expect, test } from "vitest";
import type { State } from "../../src/sandbox/state.ts";
import { type Difference, differs, type Given, organizations, type Recorded, readRecorded, setUp } from "./recorded.ts";

/** Cases that are skipped, and why. */
const skipped: { readonly [file: string]: readonly [why: string, cases: RegExp][] } = {
  groups: [["a server names one by an order that does not show", /^subgroups: delete two not there: which is named$/]],
  linkifiers: [["the index of the database is too small for it", /^linkifier: pattern 5000 random letters/]],
  messages: [
    ["a call that the sandbox does not have", /^summary/],
    ["counts messages that the recording does not hold", /^flags of a narrow: (?:all of|again|more than)/],
    ["Markdown that is not rendered here", /^render: (?:Markdown|list, quote|table|private channel|10001)/],
    ["events of queues that were made before, and what they are about", /^(?:events|register)/],
    ["numbers that were put into the server by hand", /^activity/],
    ["takes the server more time than there is", /ran out of its 50 seconds/],
    ["the recording cut the text", /10001 characters \(only its last/],
    ["names people of whom the recording tells nothing", /^send direct: 11 recipients/],
  ],
  presence: [
    ["times that were put into the server by hand", /\[state:|present|^organization: (?:can_access|somebody)/],
    ["people who were present by calls that the recording leaves out", /^own: (?:guest|new_user|slim|last_update_id=)/],
    ["people of whom the recording tells nothing", /^one person: by |another organization|hides it/],
    ["register tells of last messages where nobody was present", /^register: presence, presence_history_limit_days=/],
    ["settings of one's own account", /presence_enabled|switching presence|away switches/],
    ["events of queues that were made before", /^events/],
    ["codes of built-in emoji", /wrong code/],
    [
      "texts that the recording does not hold",
      /^status of a person: (?:emoji taken away|by a (?:guest|bot)|of oneself)/,
    ],
    ["minutes passed before it", /^one person: unknown parameter/],
  ],
};

async function differences(
  file: string,
  compare: (recorded: Recorded) => Promise<Difference | undefined>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const recorded of readRecorded(file)) {
    if (skipped[file]?.some(([, cases]) => cases.test(recorded.case))) continue;
    const difference = await compare(recorded);
    if (difference) found.push(difference);
  }
  return found;
}

/** The organization of cases about messages, with the changes of a case. */
function messagesGiven({ channels = {}, users = {}, ...given }: Given = {}): Given {
  const { messages: common } = organizations;
  const merged = Object.entries({ ...common.channels, ...channels }).map(([id, channel]) => [
    id,
    { ...common.channels?.[id], ...channel },
  ]);
  return { ...common, ...given, users: { ...common.users, ...users }, channels: Object.fromEntries(merged) };
}

describe("the sandbox answers as a server of level 371 did when asked about", () => {
  test.each([
    "attachments",
    "bots",
    "channels",
    "drafts",
    "emoji",
    "exports",
    "groups",
    "invitations",
    "keys",
    "linkifiers",
    "other",
    "push",
    "users",
  ])("%s", async (file) => {
    expect(await differences(file, differs)).toEqual([]);
  });

  test("messages", async () => {
    const compare = (recorded: Recorded) => differs(recorded, setUp(messagesGiven(recorded.given)));
    expect(await differences("messages", compare)).toEqual([]);
  });

  // Omitted are answers in other languages, of other organizations, of the proxy, of calls that the sandbox does not
  // have, and of calls that need earlier ones. Histories have those.
  test("anything that needs no earlier calls", async () => {
    const compare = (recorded: Recorded) => differs(recorded, setUp(organizations.common));
    expect(await differences("common", compare)).toEqual([]);
  });
});

test.each([
  ["presence", 371],
  ["folders", 442],
])("the sandbox answers calls about %s, one after the other, as a server of level %i did", async (file, level) => {
  let state: State | undefined;
  let asked = 0;
  const found = await differences(file, (recorded) => {
    asked += 1;
    // A case with an organization begins another one.
    if (recorded.given || !state) state = setUp(recorded.given ?? {});
    return differs({ ...recorded, ...(file === "presence" && { only: true }) }, state, level);
  });
  expect(found).toEqual([]);
  expect(asked).toBeGreaterThan(40);
});
