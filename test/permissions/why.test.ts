import { expect, test } from "vitest";
import { evaluate } from "../../src/permissions/evaluation.ts";
import { whyCount } from "../../src/permissions/why.ts";
import { everyone, members, small } from "./organizations.ts";
import { readRecording, recordings } from "./recordings.ts";

const people = [{ id: 50 }, { id: 51, role: 100 }, { id: 52, role: 600 }, { id: 53 }];

function why(channel: Record<string, unknown>, permission: string): string[] {
  const snapshot = small({ people, channels: [{ id: 5, name: "plans", ...channel }] });
  const evaluation = evaluate(snapshot);
  return whyCount(evaluation.cell("channel", 5, permission));
}

test("names what gives a permission to more accounts than its setting", () => {
  expect(why({}, "subscribe")).toEqual(["more: everybody but guests, because the channel is public"]);
  expect(why({ private: true, subscribers: [50] }, "subscribe")).toEqual(["more: subscribers"]);
  expect(why({}, "administer")).toEqual(["more: administrators"]);
  expect(why({ can_administer_channel_group: members }, "can_remove_subscribers_group")).toEqual([
    "more: can_administer_channel_group",
  ]);
});

test("names what a permission requires besides its setting", () => {
  expect(why({ private: true, subscribers: [50], can_send_message_group: everyone }, "post")).toEqual([
    "fewer: not subscribed",
  ]);
  expect(why({ is_archived: true, can_send_message_group: everyone }, "post")).toEqual([
    "fewer: the channel is archived",
  ]);
});

test("says nothing if the setting alone decides", () => {
  expect(why({ can_send_message_group: members }, "post")).toEqual([]);
});

test("explains every count that differs from the setting", () => {
  for (const number of recordings) {
    const evaluation = evaluate(readRecording(number).snapshot);
    for (const cell of evaluation.cells()) {
      const { sure, possible } = evaluation.holderSets(cell);
      const { facts } = evaluation;
      const listed =
        cell.granted_to === null ? facts.nobody : facts.accountsIn(cell.granted_to, true).and(facts.active);
      const says = whyCount(cell);
      const name = `${number} ${cell.scope} ${cell.target_id} ${cell.permission}`;
      expect([name, says.some((each) => each.startsWith("more: "))]).toEqual([name, sure.without(listed).count > 0]);
      expect([name, says.some((each) => each.startsWith("fewer: "))]).toEqual([
        name,
        listed.without(possible).count > 0,
      ]);
    }
  }
});
