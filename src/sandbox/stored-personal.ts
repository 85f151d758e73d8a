/** Personal records and values of settings, as the state has them. */

export type PersonalValue = boolean | number | string;

export interface Owned {
  id: number;
  user_id: number;
  /** Unix seconds. */
  timestamp: number;
}

export interface StoredDraft extends Owned {
  type: "" | "stream" | "private";
  to: number[];
  topic: string;
  content: string;
}

export interface ScheduledMessage extends Owned {
  /** The id of a channel, null for a direct message. */
  channel: number | null;
  /** Recipients of a direct message, without the sender unless they are the only one. */
  people: number[];
  topic: string;
  content: string;
}

export interface StoredAttachment {
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
