/** The operators of narrows, and their operands. */

export type Operand =
  /** A channel's name, or its id as a number. */
  | "channel"
  /** An e-mail address, or an id as a number. */
  | "person"
  | "address"
  /** Addresses with commas between, or a list of ids. */
  | "people"
  | "message"
  | "text"
  | "search"
  /** One of `words`. */
  | "word";

export interface Operator {
  operand: Operand;
  /** The feature level that knows it first, where that is later than Zulip 10. */
  since?: number;
  words?: readonly string[];
  /** The server takes no notice of a negation. */
  unsigned?: true;
}

const channels = { operand: "word", words: ["public", "web-public"] } as const;

export const operators: Readonly<Record<string, Operator>> = {
  channel: { operand: "channel" },
  stream: { operand: "channel" },
  channels,
  streams: channels,
  topic: { operand: "text" },
  sender: { operand: "person" },
  dm: { operand: "people" },
  "pm-with": { operand: "people" },
  pm_with: { operand: "address" },
  "dm-including": { operand: "person" },
  "group-pm-with": { operand: "person" },
  group_pm_with: { operand: "address" },
  is: {
    operand: "word",
    words: ["dm", "private", "starred", "unread", "mentioned", "alerted", "resolved", "followed", "muted"],
  },
  has: { operand: "word", words: ["attachment", "image", "link", "reaction"] },
  in: { operand: "word", words: ["home", "all"] },
  id: { operand: "message" },
  near: { operand: "text", unsigned: true },
  search: { operand: "search", unsigned: true },
  mentions: { operand: "person", since: 446 },
};

/** Operators of other requests, which this one refuses. */
export const elsewhere: Readonly<Record<string, string>> = {
  with: "works in the list of messages only: the server does not match by it",
};
