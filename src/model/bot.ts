/** The kinds of bots. */
import { nameOf } from "../common/object-members.ts";

/** The numbers that servers use for kinds. */
export const botKinds = { generic: 1, "incoming-webhook": 2, "outgoing-webhook": 3, embedded: 4 } as const;

export type BotKind = keyof typeof botKinds;

/** Returns the number itself if it has no name. */
export const botKindName = (type: unknown): unknown => nameOf(botKinds, type) ?? type;
