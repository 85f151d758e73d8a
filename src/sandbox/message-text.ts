/** Topics and texts of messages as servers take them. */

import { strip, stripRight } from "../common/folding.ts";
import { channelFieldRows } from "../model/channel.ts";
import { badRequest } from "./answers.ts";
import type { HandlerContext } from "./router.ts";
import type { StoredChannel } from "./state.ts";
import { lengthOf, unprintableAt } from "./text.ts";

/** The end of the server's calendar, the year 9999, in Unix seconds. */
export const lastSecond = 253_402_300_799;

/** Cuts longer text, with the ending inside the limit. */
export function truncateWith(text: string, limit: number, ending: string): string {
  return lengthOf(text) <= limit ? text : [...text].slice(0, limit - lengthOf(ending)).join("") + ending;
}

/** Returns the topic of a name, before checking and cutting. `(no topic)` is empty only when sending. */
export function normalizeTopic(name: string, { sending }: { sending: boolean }): string {
  const topic = strip(name);
  return topic === "general chat" || (sending && topic === "(no topic)") ? "" : topic;
}

export const truncateTopic = (topic: string): string => truncateWith(topic, 60, "...");

export function checkTopic(topic: string): void {
  const at = unprintableAt(topic);
  if (at !== undefined) throw badRequest(`Invalid character in topic, at position ${at}!`);
}

/** Returns the topics policy of a channel, or of the organization. */
function topicsPolicy({ state, level }: HandlerContext, { topics_policy }: StoredChannel): string {
  const { settings } = state.organization;
  if (level < channelFieldRows.topics_policy.since)
    return settings.mandatory_topics ? "disable_empty_topic" : "allow_empty_topic";
  return topics_policy === "inherit" ? settings.topics_policy : topics_policy;
}

/** Channels or the organization may require a topic, or forbid topics. */
export function checkTopicAllowed(
  context: HandlerContext,
  channel: StoredChannel,
  topic: string,
  required: string,
): void {
  const policy = topicsPolicy(context, channel);
  if (policy === "disable_empty_topic" && topic === "") throw badRequest(required);
  if (policy === "empty_topic_only" && topic !== "") {
    throw badRequest("Only the general chat topic is allowed in this channel.");
  }
}

/** Returns the text to store. Empty text becomes `orElse`, or is refused. */
export function normalizeContent(text: string, orElse?: string): string {
  const content = stripRight(text).replace(/^\n+/, "") || orElse;
  if (content === undefined) throw badRequest("Message must not be empty");
  if (content.includes("\0")) throw badRequest("Message must not contain null bytes");
  return truncateWith(content, 10_000, "\n[message truncated]");
}
