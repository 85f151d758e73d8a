/** Compares the predicted organization with what the server has after the plan. */
import { expect, test } from "vitest";
import { parse } from "yaml";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { Ids } from "../../src/organization/id-values.ts";
import { applyTo } from "../../src/organization/prediction.ts";
import { playgroundsSection } from "../../src/organization/sections/playgrounds.ts";
import { channelsOf, type Snapshot } from "../../src/organization/snapshot.ts";
import { joinSystemGroups, type SandboxState, updateFullMembers } from "../../src/sandbox/index.ts";
import { fresh } from "../run.ts";
import { type Case, checkCases } from "./cases.ts";
import { pairOf, reactivatedIn } from "./pairs.ts";
import { failureTexts, TestOrganization } from "./test-organization.ts";

/** Returns what kind of thing the ids in a member name. */
const kindOf = (name: string): string =>
  /_groups?$|^direct_subgroup/.test(name)
    ? "group"
    : /_stream_id$|^realm_default_streams$/.test(name)
      ? "channel"
      : name.replace("folder_id", "folder");

type Members = Readonly<Record<string, unknown>>;

/** Members that servers derive from others, or that no plan changes. */
const derived = new Set([
  ...["streams", "subscriptions", "unsubscribed", "never_subscribed", "taken", "jitsi_server_url", "order"],
  ...["rendered_description", "rendered_value", "subscriber_count", "stream_post_policy", "is_announcement_only"],
  ...["creator_id", "date_created", "first_message_id", "is_recently_active", "stream_weekly_traffic"],
  ...["audible_notifications", "color", "desktop_notifications", "email_notifications", "in_home_view", "is_muted"],
  ...["pin_to_top", "push_notifications", "wildcard_mentions_notify", "use_for_user_matching"],
  ...["realm_create_public_stream_policy", "realm_create_private_stream_policy", "realm_wildcard_mention_policy"],
]);

/** Members with several forms for no value. */
const spelled = new Set([
  "example_input",
  "reverse_template",
  "alternative_url_templates",
  "display_in_profile_summary",
]);
const isNone = (value: unknown): boolean => !value || (Array.isArray(value) && !value.length);

const keyed = (key: string, records: readonly object[]): Members =>
  Object.fromEntries(records.map((record) => [String((record as Members)[key]), record]));

/**
 * Returns a line for each member of a snapshot, without derived and absent ones and without ids that the server chooses.
 * Lists of people are sorted, without reactivated people: only servers know their old memberships.
 */
function linesOf(snapshot: Snapshot, reactivated: ReadonlySet<number>): string[] {
  const { organization, invites, channel_folders } = snapshot;
  const fields = new Map(organization.custom_profile_fields.map(({ id, name }) => [`${id}`, name]));
  const namesByKind = new Map<string, Map<unknown, string>>([
    ["group", new Map(organization.realm_user_groups.map(({ id, name }) => [id, name]))],
    ["channel", new Map(channelsOf(snapshot).map(({ stream_id, name }) => [stream_id, name]))],
    ["folder", new Map(channel_folders?.map(({ id, name }) => [id, name]))],
  ]);
  const found: string[] = [];
  const add = (path: string, one: unknown, name: string) => {
    if (one === undefined || derived.has(name) || (spelled.has(name) && isNone(one))) return;
    const names = namesByKind.get(kindOf(name));
    const word = (each: unknown) => names?.get(each) ?? JSON.stringify(each);
    if (typeof one !== "object" || one === null) found.push(`${path}: ${word(one)}`);
    else if (Array.isArray(one) && typeof one[0] !== "object") {
      const listed =
        names || path.startsWith("realm_user_groups.role:") ? one : one.filter((id) => !reactivated.has(id));
      found.push(`${path}: ${listed.map(word).sort().join(", ")}`);
    } else
      for (const [key, each] of Object.entries(one)) {
        if (name === "profile_data" && !fields.has(key)) continue;
        add(`${path}.${name === "profile_data" ? fields.get(key) : key}`, each, key);
      }
  };
  const withoutId = (records: readonly object[] | undefined | null) =>
    (records ?? []).map((record) => ({ ...record, id: undefined }));
  const sections = {
    read: { site: snapshot.site, email: snapshot.email, feature_level: snapshot.feature_level },
    ...Object.fromEntries(Object.entries(organization).filter(([name]) => !name.startsWith("can_"))),
    realm_users: keyed("user_id", organization.realm_users),
    realm_non_active_users: keyed("user_id", organization.realm_non_active_users),
    realm_user_groups: keyed("name", withoutId(organization.realm_user_groups)),
    realm_linkifiers: withoutId(organization.realm_linkifiers),
    realm_playgrounds: keyed("name", withoutId(playgroundsSection.records(snapshot))),
    custom_profile_fields: withoutId(organization.custom_profile_fields),
    channels: keyed(
      "name",
      channelsOf(snapshot).map((channel) => ({ ...channel, stream_id: undefined })),
    ),
    folders: withoutId(channel_folders),
    invites: keyed(
      "email",
      invites.map(({ email, invited_as, is_multiuse }) => ({ email, invited_as, is_multiuse })),
    ),
  };
  for (const [name, value] of Object.entries(sections)) add(name, value, name);
  return found.sort();
}

/** Returns the lines that differ. Undefined if the plan is not possible. */
async function wrongLines(org: TestOrganization, content: Content): Promise<string[] | undefined> {
  const snapshot = async () => ({ ...(await org.snapshot()), taken: new Date(moment).toISOString() });
  const now = await snapshot();
  const { differences, refused, problems } = compare(groupMembershipIn(now), content, { prune: true });
  expect(problems.map(({ message }) => message)).toEqual([]);
  expect(differences).not.toEqual([]);
  const steps = await org.steps(differences);
  if (refused.length) return undefined;
  const failed = failureTexts(await org.send(steps));
  if (failed.some((each) => each.includes("Insufficient permission"))) return undefined;
  expect(failed).toEqual([]);
  const reactivated = reactivatedIn(differences);
  const expected = linesOf(applyTo(now, differences), reactivated);
  const actual = linesOf(await snapshot(), reactivated);
  return [
    ...expected.filter((line) => !actual.includes(line)).map((line) => `planned: ${line}`),
    ...actual.filter((line) => !expected.includes(line)).map((line) => `there: ${line}`),
  ];
}

const moment = Date.UTC(2026, 0, 15, 12);

const groupOf = (state: SandboxState, name: string) => [...state.groups.values()].find((each) => each.name === name)!;

const personOf = (state: SandboxState, name: string) =>
  [...state.users.values()].find(({ delivery_email }) => delivery_email === `${name}@sandbox.example`)!;

/** Cora joined yesterday. People become full members after ten days. */
const newcomer = (state: SandboxState) => {
  personOf(state, "cora").date_joined = moment - 86_400_000;
  state.organization.settings.waiting_period_threshold = 10;
  updateFullMembers(state, moment);
};

/** Adam owns a bot. */
const botOfAdam = (state: SandboxState) => {
  for (const user of state.users.values())
    if (user.bot_type !== null) user.bot_owner_id = personOf(state, "adam").user_id;
};

const adamEverywhere = (state: SandboxState) => {
  botOfAdam(state);
  const adam = personOf(state, "adam").user_id;
  const [beep] = [...state.users.values()].filter(({ bot_type }) => bot_type !== null);
  groupOf(state, "writers").settings.can_manage_group = {
    direct_members: [adam, beep!.user_id],
    direct_subgroups: [17],
  };
  groupOf(state, "writers").settings.can_mention_group = { direct_members: [8], direct_subgroups: [] };
  state.organization.permissions.can_create_groups = { direct_members: [8, adam], direct_subgroups: [] };
};

/** Cora is a moderator, and no full member yet. */
const newModerator = (state: SandboxState) => {
  newcomer(state);
  const cora = personOf(state, "cora");
  cora.role = 300;
  joinSystemGroups(state, cora, moment);
};

const functions = {
  "a new member": newcomer,
  "a new moderator": newModerator,
  "Adam in permissions, with a bot": adamEverywhere,
};

test("predicts what the server has after each plan of predictions.txt", async () => {
  const resultOf = async ({ given, options, lines }: Case) => {
    const { level } = options as { level?: number };
    const sandbox = fresh({ level });
    given(sandbox.state);
    const found = await wrongLines(new TestOrganization({ level, sandbox }), parse(lines.join("\n")) as Content);
    return found?.length === 0 ? ["as predicted"] : (found ?? ["not applied"]);
  };
  await checkCases("predictions.txt", resultOf, functions);
});

test.each(Array.from({ length: 10 }, (_, seed) => seed))("predicts the result of random plan %i", async (seed) => {
  const { one, content } = await pairOf(seed, { people: 0, kinds: 3 });
  const found = await wrongLines(one, content);
  if (found) expect(found).toEqual([]);
});

test.each<[what: string, without: (snapshot: Snapshot) => object]>([
  [
    "when people joined",
    ({ organization }) => ({
      ...organization,
      realm_users: organization.realm_users.map((person) => ({ ...person, date_joined: undefined })),
    }),
  ],
  ["the waiting period", ({ organization }) => ({ ...organization, realm_waiting_period_threshold: undefined })],
])("predicts a full member if the server does not send %s", async (_, without) => {
  const sandbox = fresh();
  newcomer(sandbox.state);
  const snapshot = await new TestOrganization({ sandbox }).snapshot();
  const changed = { ...snapshot, organization: without(snapshot) } as Snapshot;
  const { differences } = compare(groupMembershipIn(changed), {
    people: [{ email: "gwen@sandbox.example", role: "member" }],
  } as Content);
  const full = applyTo(changed, differences).organization.realm_user_groups.find(
    ({ name }) => name === "role:fullmembers",
  );
  expect(full!.members).toContain(personOf(sandbox.state, "gwen").user_id);
});

test("writes nobody as role:nobody, if the server has that group", async () => {
  const { organization, ...snapshot } = await new TestOrganization().snapshot();
  const groups = organization.realm_user_groups.toReversed();
  const nobody = groups.find(({ name }) => name === "role:nobody")!;
  const whom = (realm_user_groups: typeof groups) =>
    new Ids({ ...snapshot, organization: { ...organization, realm_user_groups } }, []).who({ users: [], groups: [] });
  expect(whom(groups)).toBe(nobody.id);
  expect(whom(groups.filter((group) => group !== nobody))).toEqual({ direct_members: [], direct_subgroups: [] });
});
