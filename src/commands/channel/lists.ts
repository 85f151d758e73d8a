/** The list that a channel has. */
import { channelSubscribers, makesNone, subscribe, unsubscribe } from "../../api/subscriptions.ts";
import { not } from "../../cli/kinds.ts";
import type { MembersDescription } from "../../cli/members.ts";

/** Additions are one call, removals another, and both name the channel. */
export const subscribers: MembersDescription = {
  doc: "Subscribe and unsubscribe people; without flags list the subscribers",
  of: "channel",
  named: true,
  lists: [
    {
      kind: channelSubscribers,
      holds: "user",
      member: "subscriber",
      docs: {
        added: "people to subscribe: ids, e-mails, name:…, me; @file reads one a line",
        removed: "people to unsubscribe",
        whole: "exactly these people: adds and removes what differs; @file reads one a line",
      },
    },
  ],
  calls: [
    {
      operation: subscribe,
      carries: "added",
      params: [{ added: "principals" }],
      args: ({ id, name }, [people], { notify }) => ({
        subscriptions: [{ name }],
        principals: people!.added,
        stream_id: id,
        ...makesNone,
        send_new_subscription_messages: notify === false ? false : undefined,
      }),
    },
    {
      operation: unsubscribe,
      carries: "removed",
      params: [{ removed: "principals" }],
      args: ({ id, name }, [people]) => ({ subscriptions: [name], principals: people!.removed, stream_id: id }),
    },
  ],
  sending: {
    notify: { word: not("do not tell those who are subscribed"), param: "send_new_subscription_messages" },
  },
  see: "zulipctl channel subscribers",
  note:
    "Subscribing goes by the channel's name. Should somebody give it another one at that moment, a server makes no channel " +
    "of the old name: --add is refused with the server's words for one that cannot be (\"A default channel cannot be " +
    'private.").',
  show: async () => (await import("./list.ts")).showSubscribers,
  examples: [
    "zulipctl channel subscribers design",
    "zulipctl channel subscribers design --add otis@sandbox.example --no-notify",
    "zulipctl channel subscribers design --set cora@sandbox.example,otis@sandbox.example --yes",
  ],
};
