import { expect, test } from "vitest";
import { nobodyIn, permissionValue } from "../../src/organization/id-values.ts";
import { activeGroupsOf, channelsOf, groupSettingOf } from "../../src/organization/snapshot.ts";
import { refusedWho } from "../../src/organization/unsupported.ts";
import { readRecording, recordings } from "../permissions/recordings.ts";

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
