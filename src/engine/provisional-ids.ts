/** Ids of things that a run creates, used until an answer contains the real ids. */
import { type Call, callOf } from "../wire/call.ts";

/** Servers never use such ids, and no setting has such a value. */
export const provisional = (n: number): number => Number.MIN_SAFE_INTEGER + n;

/** More than any run creates. */
const isProvisional = (value: unknown): value is number =>
  typeof value === "number" && value < Number.MIN_SAFE_INTEGER + 2 ** 40;

export function provisionalIn(value: unknown): number[] {
  if (isProvisional(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(provisionalIn) : [];
}

/** Returns the call with the real ids that are known. Provisional ids keep their position. */
export const withIds = (call: Call, ids: ReadonlyMap<number, unknown>): Call =>
  callOf({ ...call, args: JSON.parse(JSON.stringify(call.args), (_, value) => ids.get(value) ?? value) });
