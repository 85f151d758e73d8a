import { archiveChannel, getChannelEmail, updateChannel } from "../api/channels.ts";
import { subscribe } from "../api/subscriptions.ts";
import { membersVerb } from "../cli/members-verb.ts";
import { noun } from "../cli/noun.ts";
import { whoNote } from "../cli/permission-flags.ts";
import { channelParameter, things } from "../cli/thing-parameters.ts";
import { newChannelName } from "../cli/value-parameters.ts";
import { changesEach } from "../cli/verb.ts";
import { changingVerb, readingVerb } from "../cli/verbs-with-code.ts";
import { Refused } from "../errors.ts";
import {
  channelConflicts,
  channelCreationFlags,
  channelListFlags,
  channelUpdateFlags,
  checkCreationFlags,
  checkUpdateFlags,
  creationBinds,
  updateBinds,
} from "./channel/flags.ts";
import { subscribers } from "./channel/subscribers.ts";
import { topics } from "./topic.ts";

export const channelNoun = noun("Channels and their settings", {
  create: changingVerb({
    // Both calls support these parameters from the same levels on.
    operation: subscribe,
    makes: true,
    doc: "Create a channel",
    operations: [
      "channel.create",
      "channel.id",
      "channel.list",
      "channel.subscribers",
      "channel.update",
      "events.register",
      "group.update",
    ],
    asks: "sometimes",
    operands: { name: newChannelName("its name; #design is design, and name:#design keeps the sign") },
    flags: channelCreationFlags,
    binds: creationBinds,
    conflicts: channelConflicts,
    check: checkCreationFlags,
    note: whoNote,
    examples: [
      "zulipctl channel create sketches --folder Projects --subscribe cora@sandbox.example,otis@sandbox.example",
      "zulipctl channel create salaries --private --can-subscribe-group nobody --description 'Who earns what'",
    ],
    run: async () => (await import("./channel/update.ts")).planChannelCreation,
  }),

  update: changingVerb({
    operation: updateChannel,
    doc: "Change a channel's name, description, privacy, policies and permissions",
    asks: "sometimes",
    operands: { channel: channelParameter() },
    flags: channelUpdateFlags,
    binds: updateBinds,
    someFlag: true,
    conflicts: channelConflicts,
    check: checkUpdateFlags,
    note: whoNote,
    examples: [
      "zulipctl channel update design --new-name sketches --folder Projects",
      "zulipctl channel update general --can-send-message-group role:moderators --expect can-send-message-group=role:everyone",
      "echo 'Anything goes' | zulipctl channel update general --description -",
    ],
    run: async () => (await import("./channel/update.ts")).planChannelUpdate,
  }),

  subscribers: membersVerb(subscribers),

  list: readingVerb({
    doc: "List channels whose settings the account can see",
    operations: ["channel.list", "messages.list"],
    flags: channelListFlags,
    examples: [
      "zulipctl channel list --archived",
      "zulipctl channel list --no-folder --privacy public",
      "zulipctl channel list --folder Projects -o ids",
      "zulipctl channel list --inactive-for 365d -o ids",
    ],
    run: async () => (await import("./channel/list.ts")).listChannels,
  }),

  show: readingVerb({
    doc: "Show a channel with its settings and permissions",
    operations: ["channel.get", "folder.list", "group.list", "users.list"],
    operands: { channel: channelParameter() },
    examples: ["zulipctl channel show general", "zulipctl channel show design --jq .folder_id"],
    run: async () => (await import("./channel/list.ts")).showChannel,
  }),

  archive: changesEach(archiveChannel, {
    doc: "Archive channels: subscribers lose access",
    operations: ["organization.update"],
    things: things("channel"),
    args: ({ id }) => ({ stream_id: id }),
    done: "Archived channel {target}.",
    already: "Channel {target} is archived already.",
    checkCommand: "channel list --archived",
    confirm: {
      verb: "Archive",
      one: "channel",
      describe: async (server) => (await import("./channel/list.ts")).describeChannels(server),
    },
    examples: [
      "zulipctl channel archive design --yes",
      "zulipctl channel list --inactive -o ids | zulipctl channel archive - --yes",
    ],
  }),

  unarchive: changesEach(updateChannel, {
    doc: "Unarchive channels",
    things: things("channel", { restores: true }),
    ownParameter: "is_archived",
    args: ({ id }) => ({ stream_id: id, is_archived: false }),
    done: "Unarchived channel {target}.",
    already: "Channel {target} is not archived.",
    checkCommand: "channel list --archived",
    note: "Servers refuse a private channel without subscribers. If this account may add people, do that first, with channel subscribers --add.",
    examples: ["zulipctl channel unarchive attic"],
  }),

  topics: {
    ...topics,
    examples: ["zulipctl channel topics design", "zulipctl channel topics general --jq 'length'"],
  },

  email: readingVerb({
    doc: "Show the e-mail address that posts to a channel",
    operations: ["channel.email"],
    operands: { channel: channelParameter() },
    examples: ["zulipctl channel email design"],
    run:
      async () =>
      async (context, { channel }) => {
        const record = await context.ask(getChannelEmail, { stream_id: channel.id });
        const { email } = record;
        if (email === "")
          throw new Refused("the server has no gateway for incoming e-mail, so channels have no e-mail address");
        return { kind: "single", record, columns: [{ head: "Email", value: () => email }], lines: email };
      },
  }),
});
