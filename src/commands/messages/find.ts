import { getMessages, type Message } from "../../api/messages.ts";
import { choiceOf } from "../../argv/flags.ts";
import { Usage } from "../../errors.ts";
import type { Column, Listing } from "../../output/form.ts";
import { checkChoice } from "../../output/present.ts";
import { when } from "../../output/when.ts";
import type { Context } from "../../run/context.ts";
import { type NarrowFlags, narrowOf, termsFor } from "./narrowing.ts";

interface Options extends NarrowFlags {
  limit?: number;
  before?: number;
  after?: number;
}

/** What the server gives at once. */
const most = 5000;

const channelOf = ({ display_recipient: to }: Message): string => {
  if (typeof to === "string") return to;
  const people = Array.isArray(to) ? to.map((one) => (one as { full_name?: unknown } | null)?.full_name) : [];
  return `(direct: ${people.filter((name) => typeof name === "string").join(", ")})`;
};

const firstLine = ({ content }: Message): string => content.trimStart().split(/\r?\n/, 1).join();

const columns: Column<Message>[] = [
  { head: "ID", value: ({ id }) => id, align: "right" },
  { head: "TIME", value: ({ timestamp }) => when(timestamp), whole: true },
  { head: "SENDER", value: ({ sender_full_name, sender_id }) => sender_full_name ?? sender_id },
  { head: "CHANNEL", value: channelOf },
  { head: "TOPIC", value: ({ subject }) => subject },
  { head: "FIRST LINE", value: firstLine, cut: true, importance: "high" },
];

/** The newest first, in as many parts as it takes. */
export async function find(context: Context, options: Options): Promise<Listing<Message>> {
  const { limit = 100, before, after = 0 } = options;
  await checkChoice(choiceOf(context.flags));
  const asked = narrowOf(options);
  if (before !== undefined && before <= after + 1) throw new Usage("no message is between --after and --before");
  const narrow = asked && (await termsFor(context, getMessages, asked));
  const found: Message[] = [];
  let anchor = before === undefined ? "newest" : String(before - 1);
  while (found.length < limit) {
    const num_before = Math.min(limit - found.length, most);
    const args = { anchor, num_before, num_after: 0, narrow, apply_markdown: false };
    const { messages, found_oldest } = await context.ask(getMessages, args, asked && { narrow: asked.flag });
    const newest = messages.filter(({ id }) => id > after && (before === undefined || id < before)).toReversed();
    // Besides so many before it, the anchor itself may come.
    found.push(...newest.slice(0, limit - found.length));
    const oldest = messages[0]?.id;
    if (oldest === undefined || oldest <= after + 1 || found_oldest || messages.length < num_before) break;
    anchor = String(oldest - 1);
  }
  return { kind: "listing", records: found, id: ({ id }) => id, columns };
}
