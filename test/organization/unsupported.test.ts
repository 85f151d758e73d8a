import { describe, expect, test } from "vitest";
import { nobodyIn, permissionValue } from "../../src/organization/id-values.ts";
import { activeGroupsOf, channelsOf, groupSettingOf } from "../../src/organization/snapshot.ts";
import { refusedWho } from "../../src/organization/unsupported.ts";
import type { SandboxState } from "../../src/sandbox/index.ts";
import { readRecording, recordings } from "../permissions/recordings.ts";
import { fresh } from "../run.ts";
import { type Options, planOf } from "./planned.ts";

test.each(recordings)("accepts every permission that recorded server %s has", (name) => {
  const { snapshot } = readRecording(name);
  let count = 0;
  const check = (section: "settings" | "channels" | "groups", record: Readonly<Record<string, unknown>>) => {
    for (const member of Object.keys(record)) {
      const value = groupSettingOf(record, member);
      if (value === undefined || !/_groups?$/.test(member)) continue;
      count++;
      const field = member.replace(/^realm_/, "");
      expect([member, refusedWho(snapshot, section, field, permissionValue(value, nobodyIn(snapshot)))]).toEqual([
        member,
        undefined,
      ]);
    }
  };
  check("settings", snapshot.organization);
  for (const channel of channelsOf(snapshot)) check("channels", channel);
  for (const group of activeGroupsOf(snapshot)) check("groups", group);
  expect(count).toBeGreaterThan(60);
});

const refusedIn = async (text: string, options?: Options): Promise<string[]> =>
  (await planOf(text, options)).comparison.refused.map(({ section, name, says }) => `${section} ${name}: ${says}`);

describe("a name that something else has", () => {
  const withBots = ({ users }: SandboxState) => {
    const [anyone] = users.values();
    for (const [user_id, full_name] of [
      [901, "Helper"],
      [902, "Other"],
    ] as const)
      users.set(user_id, {
        ...{ ...anyone!, user_id, full_name, delivery_email: `${full_name.toLowerCase()}-bot@chat.example` },
        ...{ role: 400, is_active: true, bot_type: 1, bot_owner_id: anyone!.user_id },
      });
  };

  test("stops a plan that gives it to a thing that is named by its id", async () => {
    const { groups, channels } = fresh().state;
    const makers = [...groups.values()].find(({ name }) => name === "makers")!;
    const design = [...channels.values()].find(({ name }) => name === "design")!;
    const here = "organization: https://chat.example\n";
    const others = [...groups.values()].find(({ name, is_system_group }) => !is_system_group && name !== "makers")!;
    expect(await refusedIn(`${here}groups: [{ id: ${makers.id}, name: ${others.name} }]`)).toEqual([
      `groups ${others.name}: cannot have this name: another group is called "${others.name}" now`,
    ]);
    expect(await refusedIn(`${here}channels: [{ id: ${design.stream_id}, name: General }]`)).toEqual([
      'channels General: cannot have this name: another channel is called "General" now',
    ]);
  });

  test("is free if the plan gives the other thing a new one", async () => {
    const { groups } = fresh().state;
    const [one, other] = [...groups.values()].filter(({ is_system_group: isSystem }) => !isSystem);
    const swap = `groups: [{ id: ${one!.id}, name: ${other!.name} }, { id: ${other!.id}, name: ${one!.name} }]`;
    const { comparison, steps } = await planOf(`organization: https://chat.example\n${swap}`);
    expect([comparison.refused, comparison.problems, steps.length]).toEqual([[], [], 3]);
  });

  test("stops a plan that renames or makes a bot", async () => {
    const taken = 'cannot have this name: another active account is called "Helper" now';
    expect(await refusedIn("bots: [{ email: other-bot@chat.example, name: Helper }]", { given: withBots })).toEqual([
      `bots other-bot@chat.example: ${taken}`,
    ]);
    expect(await refusedIn("bots: [{ email: new-bot@chat.example, name: Helper }]", { given: withBots })).toEqual([
      `bots new-bot@chat.example: ${taken}`,
    ]);
  });
});
