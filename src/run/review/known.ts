/** What a change does, for reviews. */
import type { Change, KnownCall } from "../../engine/change.ts";

/** Returns the call that a change makes. A raw request is decoded as the operation of its endpoint. */
export const callIn = ({ known, operation, args }: Change): KnownCall => known ?? { operation, args };

/** Returns whether a call is one of these operations. Their names need no code, which every change would load. */
export const isOneOf = ({ operation }: KnownCall, names: readonly string[]): boolean => names.includes(operation.name);
