/** `topic list`, also called `channel topics`. */
import { getTopics } from "../../api/topics.ts";
import { channel } from "../../cli/kinds.ts";
import { lists } from "../../cli/verb.ts";

export const topics = lists(getTopics, {
  doc: "List the topics of a channel, newest first",
  operands: { channel: channel() },
  args: ({ channel }) => ({ stream_id: channel.id }),
  records: ({ topics }) => topics,
  id: "max_id",
  columns: { TOPIC: "name", NEWEST: { value: ({ max_id }) => max_id, align: "right" } },
  examples: ["zulipctl topic list design", "zulipctl topic list general --jq 'length'"],
});
