/** Each text that `settings update` accepts means the same in an organization file. */
import { expect, test } from "vitest";
import { readValue } from "../../src/commands/settings/setting-values.ts";
import { organizationSettings } from "../../src/model/organization.ts";
import { personalSettings } from "../../src/model/personal.ts";
import type { Setting } from "../../src/model/setting.ts";
import { compare } from "../../src/organization/compare.ts";
import type { Content } from "../../src/organization/content.ts";
import { groupMembershipIn } from "../../src/organization/group-members.ts";
import { fileShape, sections } from "../../src/organization/section-registry.ts";
import { validate } from "../../src/organization/validate.ts";
import { Resolver } from "../../src/resolve/resolver.ts";
import { fresh } from "../run.ts";
import { snapshotIn } from "./snapshots.ts";

const texts = [
  ..."true yes on ON True false no off 0 1 4 10 007 600 -1 10m 1h 2w 90d 1y 0s 36h unlimited Unlimited none Friday".split(
    " ",
  ),
  ..."sunday always Never all moves automatic disabled jitsi_meet R pg-13 open_source text google inbox recent".split(
    " ",
  ),
  ..."Gravatar jdenticon medium recent disable_empty_topic except_followed Email email 10.5 1e3 ten x".split(" "),
  "",
  " 10m ",
  '{"Email":true}',
];

const noLookUps = new Resolver(() => Promise.reject(new Error("a name was looked up")));
const snapshot = await snapshotIn(fresh({ level: 512 }));

/** What the command sends. Undefined if it refuses the text. */
async function sent(
  name: string,
  setting: Setting,
  text: string,
  now: unknown,
): Promise<{ value: unknown } | undefined> {
  try {
    return { value: await readValue(name, setting, text)(noLookUps, now, snapshot.organization) };
  } catch {
    return undefined;
  }
}

const all = [
  ...Object.entries<Setting>(organizationSettings).map(([name, setting]) => ["settings", name, setting] as const),
  ...Object.entries<Setting>(personalSettings).map(([name, setting]) => ["new_users", name, setting] as const),
].filter(([, name, { kind, until }]) => kind !== "group" && kind !== "text" && !until && name !== "string_id");

test.each(all)("reads texts of %s %s as settings update does", async (section, name, setting) => {
  const now = sections[section].read(snapshot, name);
  let accepted = 0;
  for (const text of texts) {
    const command = await sent(name, setting, text, now);
    // A channel of this name is looked up.
    if (!command || (setting.kind === "channel" && command.value !== -1)) continue;
    accepted++;
    const content: Content = { [section]: { [name]: text } };
    expect({ text, errors: validate(fileShape, content) }).toEqual({ text, errors: [] });
    const { problems, differences } = compare(groupMembershipIn(snapshot), content);
    expect({ text, problems }).toEqual({ text, problems: [] });
    const [change] = differences.flatMap((one) => ("fields" in one ? one.fields : []));
    const wanted = setting.kind === "channel" && command.value === -1 ? null : command.value;
    // A setting of a later level has no value here.
    if (now === undefined) continue;
    const result =
      name === "authentication_methods" ? { ...Object(now), ...Object(change?.to) } : change ? change.to : now;
    const expected = name === "authentication_methods" ? { ...Object(now), ...Object(wanted) } : wanted;
    expect({ text, value: result }).toEqual({ text, value: setting.kind === "channel" && !change ? now : expected });
  }
  expect(accepted).toBeGreaterThan(0);
});

test.each([
  ["2w", 14],
  ["90d", 90],
  ["unlimited", "unlimited"],
  ["Realm_Default", "realm_default"],
])("reads the retention %s of a channel", (text, days) => {
  const content: Content = { channels: [{ name: "design", message_retention_days: text }] };
  expect(validate(fileShape, content)).toEqual([]);
  const fields = compare(groupMembershipIn(snapshot), content).differences.flatMap((one) =>
    "fields" in one ? one.fields : [],
  );
  expect(fields.map(({ to }) => to)).toEqual(days === "realm_default" ? [] : [days]);
});

test.each([
  ["settings", { waiting_period_threshold: "10m" }, "must be a whole number or a span such as 2w"],
  ["settings", { enable_read_receipts: "maybe" }, "must be true or false"],
])("refuses %s %j", (section, entry, says) => {
  const [error] = validate(fileShape, { [section]: entry });
  expect(error?.message).toContain(says);
});
