/** The names of topics. */

/** How people see the topic without a name. */
export const namelessTopic = "general chat";

/** The names of resolved topics begin with it. */
export const resolvedMark = "✔ ";

/** Returns the name of a topic for people. */
export const topicText = (topic: string): string => topic || namelessTopic;

/** Returns the same for names of one topic. */
export const foldTopic = (topic: string): string => {
  const folded = topic.normalize("NFC").toLowerCase();
  return folded === namelessTopic ? "" : folded;
};
