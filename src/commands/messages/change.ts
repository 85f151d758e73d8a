/** `messages delete` and `messages move`. */
import { deleteMessage, type Message, updateMessage } from "../../api/messages.ts";
import type { Named } from "../../cli/kinds.ts";
import { irreversible } from "../../cli/question.ts";
import type { Values } from "../../cli/word.ts";
import { counted } from "../../counted.ts";
import { change } from "../../engine/change.ts";
import { Usage } from "../../errors.ts";
import { checkTopic } from "../../notation/message.ts";
import type { Conclusion, Context, Planned } from "../../run/context.ts";
import type { Shell } from "../../run/shell.ts";
import type { ArgsOf } from "../../wire/operation.ts";
import { type Bulk, runBulk } from "./bulk.ts";
import { meant } from "./found.ts";
import { placeOf } from "./summary.ts";
import type { bulkFlags, moveFlags } from "./words.ts";

type Options = Values<Record<never, never>, typeof bulkFlags>;
type MoveOptions = Values<Record<never, never>, typeof moveFlags>;

/** Returns the ids in a row of a batch. */
function idsOfRow({ ids, ...others }: Options): number[] {
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (!ids || other) throw new Usage("a batch row requires --ids and no other filter");
  return [...new Set(ids)];
}

const verifyWith = (id: number) => `zulipctl messages show ${id}`;

const deletion: Pick<Bulk<ArgsOf<typeof deleteMessage>>, "changeOf" | "question"> = {
  changeOf: (args) =>
    change(deleteMessage, args, {
      target: String(args.message_id),
      done: "Deleted message {target}.",
      verifyWith: verifyWith(args.message_id),
    }),
  question: (count) => ({ question: `Delete ${counted(count, "message")}`, consequence: irreversible }),
};

export async function deleteRow(_: Context, options: Options): Promise<Planned> {
  const ids = idsOfRow(options);
  const changes = ids.map((message_id) => deletion.changeOf({ message_id }));
  return { list: true, changes: changes.map((each) => ({ ...each, confirm: deletion.question(ids.length) })) };
}

export const deletes =
  (shell: Shell) =>
  async (context: Context, options: Options): Promise<Conclusion> => {
    return runBulk(shell, context, options, {
      ...deletion,
      kind: "messages delete",
      deletes: true,
      find: () => meant(context, options),
      argsOf: (messages) => messages.map(({ id: message_id }) => ({ message_id })),
      permissions: [
        {
          channel: "can_delete_any_message_group",
          organization: "can_delete_any_message_group",
          lets: "delete messages of others",
          own: false,
        },
      ],
    });
  };

interface Target {
  topic: string | undefined;
  channel: Named | undefined;
}

const targetOf = ({ toTopic, toChannel }: Pick<MoveOptions, "toTopic" | "toChannel">): Target => ({
  topic: toTopic === undefined ? undefined : checkTopic(toTopic, "--to-topic"),
  channel: toChannel,
});

const moveTo = ({ topic, channel }: Target): string =>
  [channel && `channel ${channel.typed}`, topic !== undefined && `topic "${topic}"`].filter(Boolean).join(", ");

type Moved = ArgsOf<typeof updateMessage>;

const moving = (target: Target): Pick<Bulk<Moved>, "changeOf" | "question"> => ({
  changeOf: (args) =>
    change(updateMessage, args, {
      target: String(args.message_id),
      done: "Moved message {target}.",
      verifyWith: verifyWith(args.message_id),
    }),
  question: (count) => ({
    question: [`Move ${counted(count, "message")}`, moveTo(target)].filter(Boolean).join(" to "),
    consequence: "Whoever may read the new place can read them.",
  }),
});

/** Servers move a message even into its own channel, so that is left out. */
function argsOf(messages: readonly Message[], { topic, channel }: Target, notify: boolean): Moved[] {
  const told = new Set<string>();
  return messages.flatMap((message): Moved[] => {
    const stream_id = channel?.id === message.stream_id ? undefined : channel?.id;
    const renamed = topic === message.subject ? undefined : topic;
    if (message.stream_id === undefined || (stream_id === undefined && renamed === undefined)) return [];
    // One notice for each topic, not for each message.
    const first = !told.has(placeOf(message));
    told.add(placeOf(message));
    return [
      {
        message_id: message.id,
        topic: renamed,
        stream_id,
        propagate_mode: "change_one",
        send_notification_to_old_thread: false,
        send_notification_to_new_thread: notify && first,
      },
    ];
  });
}

export async function moveRow(_: Context, options: MoveOptions): Promise<Planned> {
  const { toTopic, toChannel, notify, ...others } = options;
  const ids = idsOfRow(others);
  const target = targetOf({ toTopic, toChannel });
  const { changeOf, question } = moving(target);
  const changes = ids.map((message_id) =>
    changeOf({
      message_id,
      topic: target.topic,
      stream_id: target.channel?.id,
      propagate_mode: "change_one",
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: notify ?? false,
    }),
  );
  return { list: true, changes: changes.map((each) => ({ ...each, confirm: question(ids.length) })) };
}

export const moves =
  (shell: Shell) =>
  async (context: Context, options: MoveOptions): Promise<Conclusion> => {
    const target = targetOf(options);
    const { topic, channel } = target;
    return runBulk(shell, context, options, {
      ...moving(target),
      kind: "messages move",
      async find() {
        const found = await meant(context, options);
        const direct = found.filter(({ stream_id }) => stream_id === undefined);
        if (direct.length)
          await context.warn(`zulipctl: ${counted(direct.length, "direct message")} skipped: they cannot be moved`);
        const there = new Set(argsOf(found, target, false).map(({ message_id }) => message_id));
        return found.filter(({ id }) => there.has(id));
      },
      argsOf: (messages) => argsOf(messages, target, options.notify ?? false),
      permissions: [
        ...(topic === undefined
          ? []
          : [
              {
                channel: "can_move_messages_within_channel_group",
                organization: "can_move_messages_between_topics_group",
                lets: "move messages to other topics",
                own: true,
              },
            ]),
        ...(channel === undefined
          ? []
          : [
              {
                channel: "can_move_messages_out_of_channel_group",
                organization: "can_move_messages_between_channels_group",
                lets: "move messages to other channels",
                own: true,
              },
            ]),
      ],
    });
  };
