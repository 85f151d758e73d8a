/** An event queue, as the state has it. */

export interface QueuedEvent {
  type: string;
  [member: string]: unknown;
}

export interface Queue {
  id: string;
  user_id: number;
  /** Null is every type. */
  event_types: ReadonlySet<string> | null;
  capabilities: ReadonlySet<string>;
  /** For messages: render the text as HTML, and include all public channels. */
  rendered: boolean;
  allPublic: boolean;
  /** Only messages that match these terms. */
  narrow: readonly (readonly string[])[];
  events: (QueuedEvent & { id: number })[];
  /** The id of the next event. */
  next: number;
  /** The client has read events up to this one; they are deleted. */
  pruned: number;
  last_used: number;
  /** After how many seconds without a reader it is deleted. */
  idle_seconds: number;
}
