/** Ids of things that a run itself creates, in use until an answer has the real ones. */
import { type Call, callOf } from "../wire/call.ts";

/** No server gives such an id, and no setting is such a number. */
export const provisional = (n: number): number => Number.MIN_SAFE_INTEGER + n;

/** No run makes as many things as this leaves room for. */
const isProvisional = (value: unknown): value is number =>
  typeof value === "number" && value < Number.MIN_SAFE_INTEGER + 2 ** 40;

/** The provisional ids that a value holds. */
export function provisionalIn(value: unknown): number[] {
  if (isProvisional(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(provisionalIn) : [];
}

/** The same call with real ids, as far as they are known. They are as good as what stood for them. */
export const withIds = (call: Call, ids: ReadonlyMap<number, unknown>): Call =>
  callOf({ ...call, args: JSON.parse(JSON.stringify(call.args), (_, value) => ids.get(value) ?? value) });
