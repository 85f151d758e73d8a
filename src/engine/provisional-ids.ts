/** Ids of things that a run itself makes: until an answer tells the real one, changes speak of a thing by another. */
import { type Call, callOf } from "../wire/call.ts";
import { type Change, createdBy } from "./change.ts";

/** No server gives such an id, and no setting is such a number. */
export const provisional = (n: number): number => Number.MIN_SAFE_INTEGER + n;

/** Far more than any run makes. */
const most = 2 ** 40;

export const isProvisional = (value: unknown): value is number =>
  typeof value === "number" && value < Number.MIN_SAFE_INTEGER + most;

/** The provisional ids that a value holds. */
export function provisionalIn(value: unknown): number[] {
  if (isProvisional(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(provisionalIn) : [];
}

function filled(value: unknown, ids: ReadonlyMap<number, unknown>): unknown {
  if (isProvisional(value)) return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => filled(each, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, ids)]));
}

/** The same call with real ids, as far as they are known. They are as good as what stood for them. */
export const withIds = ({ operation, args }: Call, ids: ReadonlyMap<number, unknown>): Call =>
  callOf({ operation, args: filled(args, ids) } as Call);

export class ProvisionalIds {
  readonly #known = new Map<number, unknown>();

  /** From the answer to a change that is done. */
  learn(change: Change, answer: Readonly<Record<string, unknown>>): void {
    if (change.makes === undefined) return;
    const [id] = createdBy(change, answer);
    if (id !== undefined) this.#known.set(change.makes, id);
  }

  /** The same request with real ids; undefined where one of them is not known. */
  fill<C extends Call>(request: C): C | undefined {
    if (!provisionalIn(request.args).length) return request;
    const call = withIds(request, this.#known);
    return provisionalIn(call.args).length ? undefined : { ...request, ...call };
  }
}
