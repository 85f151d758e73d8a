/** What the server knows of narrows: operators, what they take, and since which feature level. */

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
  since?: number;
  /** With the level that knows the word first, where it is known. */
  words?: Readonly<Record<string, number | undefined>>;
  /** What older servers call it. */
  before?: string;
  /** The server takes no notice of a negation. */
  unsigned?: true;
}

const channels = { operand: "word", words: { public: undefined, "web-public": undefined } } as const;

export const operators: Readonly<Record<string, Operator>> = {
  channel: { operand: "channel", since: 250, before: "stream" },
  stream: { operand: "channel" },
  channels: { ...channels, since: 250, before: "streams" },
  streams: channels,
  topic: { operand: "text" },
  sender: { operand: "person" },
  dm: { operand: "people", since: 177, before: "pm-with" },
  "pm-with": { operand: "people" },
  pm_with: { operand: "address" },
  "dm-including": { operand: "person", since: 177 },
  "group-pm-with": { operand: "person" },
  group_pm_with: { operand: "address" },
  is: {
    operand: "word",
    words: {
      dm: 177,
      private: undefined,
      starred: undefined,
      unread: undefined,
      mentioned: undefined,
      alerted: undefined,
      resolved: undefined,
      followed: 265,
      muted: 366,
    },
  },
  has: { operand: "word", words: { attachment: undefined, image: undefined, link: undefined, reaction: 249 } },
  in: { operand: "word", words: { home: undefined, all: undefined } },
  id: { operand: "message" },
  near: { operand: "text", unsigned: true },
  search: { operand: "search", unsigned: true },
  mentions: { operand: "person", since: 446 },
};

/** Operators of other requests, which this one refuses. */
export const elsewhere: Readonly<Record<string, string>> = {
  with: "works in the list of messages only: the server does not match by it",
};
