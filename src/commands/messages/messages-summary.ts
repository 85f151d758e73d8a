/** Summarizes many messages before they change, and saves a copy of them. */
import type { Message } from "../../api/messages.ts";
import { canPrompt } from "../../argv/confirm.ts";
import { shortLine } from "../../cli/destructive-question.ts";
import { counted } from "../../common/counted.ts";
import { Usage } from "../../errors.ts";
import { mostWithoutCopy } from "../../model/removal-limit.ts";
import { timeText } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { unwritableMessage } from "../../run/saving.ts";
import { conversationText, firstLine } from "./find.ts";

/** The largest number of senders and topics named. */
const mostNames = 10;

const senderOf = ({ sender_full_name, sender_id }: Message): string => sender_full_name ?? String(sender_id);

/** Formats `#design > logo`, or the people of a direct conversation. */
export const conversationOf = (message: Message): string =>
  message.stream_id === undefined
    ? conversationText(message)
    : `#${conversationText(message)} > ${message.subject || "general chat"}`;

/** Counts messages by key, the most first. */
function countsOf(messages: readonly Message[], keyOf: (message: Message) => string): string[] {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(keyOf(message), (counts.get(keyOf(message)) ?? 0) + 1);
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const lines = sorted.slice(0, mostNames).map(([name, count]) => `  ${String(count).padStart(6)}  ${name}`);
  return sorted.length > mostNames ? [...lines, `          and ${sorted.length - mostNames} more`] : lines;
}

const excerptOf = (message: Message): string =>
  `${timeText(message.timestamp)} ${senderOf(message)} in ${conversationOf(message)}: "${shortLine(firstLine(message))}"`;

/** Returns lines about messages, which are sorted by age. */
export function messagesSummary(messages: readonly Message[]): string[] {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return [];
  const span = [...new Set([timeText(first.timestamp), timeText(last.timestamp)])].join(" to ");
  return [
    `${counted(messages.length, "message")}, ${span}`,
    "From:",
    ...countsOf(messages, senderOf),
    "In:",
    ...countsOf(messages, conversationOf),
    `First: ${excerptOf(first)}`,
    ...(first === last ? [] : [`Last:  ${excerptOf(last)}`]),
  ];
}

/** Throws `Usage` for a script that deletes many messages without a copy. */
export function checkCopy({ world, flags }: Context, keep: string | false | undefined, count: number): void {
  if (keep !== undefined || count <= mostWithoutCopy || canPrompt(world, flags)) return;
  throw new Usage(`deleting ${count} messages without a terminal requires --keep <file>`, {
    outcome: "not_sent",
    hint: "Pass --no-keep to delete them without a copy.",
  });
}

/** Writes messages to a new file. Resolves when they are on disk. A failure leaves no file. */
export async function saveCopy({ files }: Context["world"], path: string, messages: readonly Message[]): Promise<void> {
  const notSaved = (why: string) => new Usage(`--keep: ${why}`, { outcome: "not_sent" });
  let isComplete = false;
  try {
    const file = await files.createFile(path);
    try {
      for (let from = 0; from < messages.length; from += 1000) {
        const lines = messages.slice(from, from + 1000).map((message) => `${JSON.stringify(message)}\n`);
        await file.write(Buffer.from(lines.join("")));
      }
      isComplete = await file.complete(false);
    } finally {
      if (!isComplete) await file.discard();
    }
  } catch (error) {
    throw notSaved(unwritableMessage(path, error));
  }
  if (!isComplete) throw notSaved(`${path} already exists`);
}
