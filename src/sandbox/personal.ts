/** Personal records of one account. */
export interface Draft {
  id: number;
  user_id: number;
  type: "" | "stream" | "private";
  to: number[];
  topic: string;
  content: string;
  /** Unix seconds, with a fraction. */
  timestamp: number;
}

export interface ScheduledMessage {
  id: number;
  user_id: number;
  /** The id of a channel, null for a direct message. */
  channel: number | null;
  /** Recipients of a direct message, without the sender unless they are the only one. */
  people: number[];
  topic: string;
  content: string;
  /** Unix seconds. */
  timestamp: number;
}

export interface Attachment {
  id: number;
  owner_id: number;
  name: string;
  path_id: string;
  /** Bytes. */
  size: number;
  create_time: number;
  message_ids: number[];
  /** The content of an upload. Seeded files have generated content. */
  bytes?: Uint8Array;
}
