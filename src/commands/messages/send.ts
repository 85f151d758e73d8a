import { getMessages, newestMessages, sendMessage, updateMessage } from "../../api/messages.ts";
import type { FlagValues } from "../../cli/parameter.ts";
import { commandLine } from "../../common/shell-words.ts";
import { change } from "../../engine/change.ts";
import { checkContent, parseTopic } from "../../notation/message.ts";
import type { Context, Planned } from "../../run/context.ts";
import { oncePerRun } from "../../run/once-per-run.ts";
import type { sendFlags } from "./flags.ts";

/** What is known before the run: the sender, and the id of the newest message. */
interface SentEvidence {
  sender: number;
  after: number;
}

/** Searches public channels too: the account's history has no messages of channels to which it is not subscribed. */
const readEvidence = oncePerRun(async ({ names, server, command }: Context): Promise<SentEvidence> => {
  const to = await server();
  let after = 0;
  for (const narrow of [[], [{ operator: "channels", operand: "public" }]]) {
    const { messages } = await to.call(getMessages, newestMessages(narrow), { command });
    after = Math.max(after, ...messages.map(({ id }) => id));
  }
  return { sender: await names.user("me", "--to"), after };
});

/** Reads once for all rows of a batch. A single command never repeats a message. */
const evidenceForRows = async (context: Context): Promise<Partial<SentEvidence>> =>
  context.line === undefined || context.flags.dryRun ? {} : readEvidence(context);

export async function planMessage(
  context: Context,
  { channel, topic, to, content }: FlagValues<typeof sendFlags>,
): Promise<Planned> {
  const message = { content: checkContent(content, "--content"), ...(await evidenceForRows(context)) };
  const inTopic = topic === undefined ? undefined : parseTopic(topic, "--topic");
  const people = await Promise.all(
    (to ?? []).map(async (id) => (await context.names.nameOf("user", id)) ?? String(id)),
  );
  const narrow = channel ? `channel:${channel.id} topic:"${inTopic}"` : `dm:${to?.join(",")}`;
  return [
    change(
      sendMessage,
      channel
        ? { type: "channel", to: channel.id, topic: inTopic, ...message }
        : { type: "direct", to: to ?? [], ...message },
      {
        target: channel ? `#${channel.typed.replace(/^#/, "")} > ${inTopic}` : `to ${people.join(", ")}`,
        done: "Sent message {id}.",
        verifyWith: commandLine(["messages", "find", "--narrow", `sender:me ${narrow}`]),
        ids: "id",
      },
    ),
  ];
}

export async function planMessageEdit(_: Context, { id, content }: { id: number; content: string }): Promise<Planned> {
  return [
    change(
      updateMessage,
      { message_id: id, content: checkContent(content, "--content") },
      { target: String(id), done: "Updated message {target}.", verifyWith: `zulipctl messages show ${id}` },
    ),
  ];
}
