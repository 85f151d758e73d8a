/** The lists of `channel subscribers`. */
import { channelSubscribers } from "../../api/subscribers.ts";
import { subscribe, unsubscribe } from "../../api/subscriptions.ts";
import type { MembersDescription } from "../../cli/members-verb.ts";
import { negatedOnly } from "../../cli/value-parameters.ts";
import { callsOf, type MemberListSpec } from "../../run/members/spec.ts";
import { listedPeople } from "../users/not-in.ts";

const lists: readonly MemberListSpec[] = [
  {
    kind: channelSubscribers,
    docs: {
      added: "people to subscribe: ids, e-mails, name:…, group:…, me; @file or - reads one a line",
      removed: "people to unsubscribe",
      whole: "exactly these people: adds and removes what differs; @file or - reads one a line",
    },
  },
];

/** Additions and removals are separate calls, and both need the channel's name. */
export const subscribers: MembersDescription = {
  doc: "Subscribe and unsubscribe people; without flags, list the subscribers",
  of: "channel",
  lists,
  calls: callsOf(lists, [subscribe, unsubscribe]),
  more: ({ notify }) => ({ send_new_subscription_messages: notify === false ? false : undefined }),
  without: {
    notify: { parameter: negatedOnly("do not notify the new subscribers"), param: "send_new_subscription_messages" },
  },
  reads: ["channel.subscribers"],
  listing: { notIn: listedPeople() },
  checkCommand: "channel subscribers",
  note:
    "Servers subscribe people by the channel's name. If the channel is renamed at that moment, the server refuses --add: " +
    '"A default channel cannot be private."',
  show: async () => (await import("./list.ts")).showSubscribers,
  examples: [
    "zulipctl channel subscribers design",
    "zulipctl channel subscribers design,general --add otis@sandbox.example --no-notify",
    "zulipctl channel subscribers design --set cora@sandbox.example,otis@sandbox.example --yes",
  ],
};
