import { describe, expect, test } from "vitest";
import type { SandboxState } from "../../src/sandbox/state.ts";
import {
  compareCall,
  createState,
  type Difference,
  organizations,
  type RecordedCall,
  readRecorded,
  type Setup,
} from "./recorded.ts";

/** Cases that are skipped, and why. */
const skipped: { readonly [file: string]: readonly [why: string, cases: RegExp][] } = {
  groups: [
    ["the server names one by an order that clients cannot know", /^subgroups: delete two not there: which is named$/],
  ],
  linkifiers: [["the index of the database is too small for it", /^linkifier: pattern 5000 random letters/]],
  messages: [
    ["a call that the sandbox does not have", /^summary/],
    ["counts messages that the recording omits", /^flags of a narrow: (?:all of|again|more than)/],
    ["Markdown that the sandbox does not render", /^render: (?:Markdown|list, quote|table|private channel|10001)/],
    ["events of queues from before the recording", /^(?:events|register)/],
    ["numbers set in the server by hand", /^activity/],
    ["takes the server too much time", /ran out of its 50 seconds/],
    ["the recording cut the text", /10001 characters \(only its last/],
    ["names people who are not in the recording", /^send direct: 11 recipients/],
  ],
  presence: [
    ["times set in the server by hand", /\[state:|present|^organization: (?:can_access|somebody)/],
    ["people who were present by calls that the recording omits", /^own: (?:guest|new_user|slim|last_update_id=)/],
    ["people who are not in the recording", /^one person: by |another organization|hides it/],
    ["register shows last messages of people without presence", /^register: presence, presence_history_limit_days=/],
    ["settings of the caller's account", /presence_enabled|switching presence|away switches/],
    ["events of queues from before the recording", /^events/],
    ["codes of built-in emoji", /wrong code/],
    ["texts that the recording omits", /^status of a person: (?:emoji taken away|by a (?:guest|bot)|of oneself)/],
    ["made minutes later", /^one person: unknown parameter/],
  ],
};

async function differences(
  file: string,
  compare: (recorded: RecordedCall) => Promise<Difference | undefined>,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const recorded of readRecorded(file)) {
    if (skipped[file]?.some(([, cases]) => cases.test(recorded.case))) continue;
    const difference = await compare(recorded);
    if (difference) found.push(difference);
  }
  return found;
}

/** The organization for cases about messages, with the changes of a case. */
function messagesSetup({ channels = {}, users = {}, ...setup }: Setup = {}): Setup {
  const { messages: common } = organizations;
  const merged = Object.entries({ ...common.channels, ...channels }).map(([id, channel]) => [
    id,
    { ...common.channels?.[id], ...channel },
  ]);
  return { ...common, ...setup, users: { ...common.users, ...users }, channels: Object.fromEntries(merged) };
}

describe("the sandbox answers like a server of level 371:", () => {
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
    expect(await differences(file, compareCall)).toEqual([]);
  });

  test("messages", async () => {
    const compare = (recorded: RecordedCall) => compareCall(recorded, createState(messagesSetup(recorded.given)));
    expect(await differences("messages", compare)).toEqual([]);
  });

  // Omits other languages, other organizations, the proxy, and calls that the sandbox does not have or that need others.
  test("calls that need no earlier ones", async () => {
    const compare = (recorded: RecordedCall) => compareCall(recorded, createState(organizations.common));
    expect(await differences("common", compare)).toEqual([]);
  });
});

test.each([
  ["presence", 371],
  ["folders", 442],
])("answers calls about %s in their order like a server of level %i", async (file, level) => {
  let state: SandboxState | undefined;
  let count = 0;
  const found = await differences(file, (recorded) => {
    count += 1;
    // A case with an organization starts a new one.
    if (recorded.given || !state) state = createState(recorded.given ?? {});
    return compareCall({ ...recorded, ...(file === "presence" && { only: true }) }, state, level);
  });
  expect(found).toEqual([]);
  expect(count).toBeGreaterThan(40);
});
