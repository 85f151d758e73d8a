/** Splits reads with too many ids for one request line. */
import { Usage } from "../errors.ts";
import { call } from "../wire/call.ts";
import { encode } from "../wire/encode.ts";
import type { AnyOperation, ArgsOf } from "../wire/operation.ts";

/** Proxies refuse request lines above 8 KB. Some count the whole URL. */
const longest = 7999;

/**
 * Splits `ids` so that each request line is under 8,000 bytes. Ids keep their order, without duplicates. Without ids
 * there is one part. `flag`: the place of other arguments, if they alone are too long.
 */
export function splitByLength<O extends AnyOperation>(
  site: string,
  operation: O,
  { name, ids, flag }: { name: string; ids: readonly number[]; flag: string },
  otherArgs: Record<string, unknown>,
): ArgsOf<O>[] {
  const args = (some: readonly number[]) => ({ ...otherArgs, [name]: some }) as ArgsOf<O>;
  const line = `${operation.method} ${site}${encode(call(operation, args([]))).target} HTTP/1.1`.length;
  const all: number[][] = [[]];
  let room = longest - line;
  for (const id of new Set(ids)) {
    // A comma is encoded as %2C.
    const size = String(id).length + 3;
    if (size > longest - line) throw new Usage(`${flag} is too long: a request line must be under 8,000 bytes`);
    if (size > room) {
      all.push([]);
      room = longest - line;
    }
    room -= size;
    all.at(-1)!.push(id);
  }
  return all.map(args);
}
