import { expect, test } from "vitest";
import { compareSection } from "./level-468.ts";

/** The sections, with the people who have event queues. */
const sections: readonly (readonly [name: string, queues: string])[] = [
  ["realm-valid", "owner member"],
  ["realm-invalid", "owner"],
  ["realm-roles", "owner"],
  ["realm-groups", "owner"],
  ["defaults", "owner member"],
  ["own-settings", "owner member"],
  ["bulk-settings", "owner member other third guest admin"],
  ["delete-actions", "owner mod guest"],
  ["bots", "owner admin member"],
  ["bot-questions", "owner"],
  ["exports", "owner admin"],
  ["fields", "owner member"],
  ["folders", "owner member"],
  ["linkifiers", "owner member"],
  ["main-operations", "owner member"],
  ["messages", "owner member"],
  ["registers", ""],
  ["devices", "owner member"],
  ["avatars", "owner member"],
];

const notHere = "the sandbox does not have the call";

/** Rows that differ, and why. */
const reasons: { readonly [section: string]: readonly (readonly [why: string, ...rows: number[]])[] } = {
  bots: [["the server sends the events of a refused call only with those of its next one", 51, 55]],
  messages: [
    [notHere, 85, 133],
    ["no previews of pictures", 77],
  ],
  registers: [[notHere, 62, 107, 108, 109, 132, 153, 154, 155, 176, 177, 178]],
  devices: [
    [notHere, 0, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 19, 20, 24, 40, 41, 42, 45],
    ["no devices, since the sandbox does not have the call that makes them", 9],
  ],
  avatars: [
    [notHere, 10, 12, 14],
    ["a picture of the account that the call would have set", 11, 15, 16],
  ],
};

test.each(sections)(
  "answers the calls of %s like a server of level 468, with the same events",
  async (name, queues) => {
    const { asked, differences } = await compareSection(name, queues.split(" ").filter(Boolean));
    const explained = (reasons[name] ?? []).flatMap(([, ...rows]) => rows).sort((a, b) => a - b);
    expect(differences.filter(({ n }) => !explained.includes(n))).toEqual([]);
    expect(differences.map(({ n }) => n)).toEqual(explained);
    expect(asked).toBeGreaterThan(10);
  },
);
