/** The lists of `channel subscribers`. */
import { channelSubscribers } from "../../api/subscribers.ts";
import { neverCreates, subscribe, unsubscribe } from "../../api/subscriptions.ts";
import { negatedOnly } from "../../cli/kinds.ts";
import type { MembersDescription } from "../../cli/members.ts";
import { listedPeople } from "../users/not-in.ts";

/** Additions and removals are separate calls, and both need the channel's name. */
export const subscribers: MembersDescription = {
  doc: "Subscribe and unsubscribe people; without flags, list the subscribers",
  of: "channel",
  named: true,
  lists: [
    {
      kind: channelSubscribers,
      member: "subscriber",
      docs: {
        added: "people to subscribe: ids, e-mails, name:…, group:…, me; @file or - reads one a line",
        removed: "people to unsubscribe",
        whole: "exactly these people: adds and removes what differs; @file or - reads one a line",
      },
    },
  ],
  calls: [
    {
      operation: subscribe,
      params: [{ added: "principals" }],
      args: ({ id, name }, { notify }) => ({
        subscriptions: [{ name }],
        // Without people, the account itself would be subscribed.
        principals: [],
        stream_id: id,
        ...neverCreates,
        send_new_subscription_messages: notify === false ? false : undefined,
      }),
    },
    {
      operation: unsubscribe,
      params: [{ removed: "principals" }],
      args: ({ id, name }) => ({ subscriptions: [name], principals: [], stream_id: id }),
    },
  ],
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
