/** What an entry of the file may say, from the operation that writes it: a new parameter there is a new attribute here. */
import { leastOf, type Setting } from "../../api/settings.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param, Params } from "../../wire/params.ts";
import { choice, either, integer, type Member, type Members, named, none, type Shape, who } from "../shape.ts";

/** How a parameter's values are written in the file: ids are names there. */
function shapeOf({ of, type }: Param): Shape {
  if (of === "who") return who;
  return of === "channel" || of === "folder" ? either(named(of), none) : type;
}

interface Wanted {
  /** Parameters that are no attributes: what says which thing it is, and what a section says in a way of its own. */
  without: readonly string[];
  /** Parameters that the file calls otherwise. */
  as?: Readonly<Record<string, string>>;
  /** Attributes of which the parameter does not tell all. */
  more?: Readonly<Record<string, Partial<Member>>>;
}

/** The attributes that an operation writes, in its order. */
export const attributesOf = (operation: AnyOperation, { without, as = {}, more = {} }: Wanted): Members =>
  Object.fromEntries(
    Object.entries(operation.params as Params)
      .filter(([name]) => !without.includes(name))
      .map(([param, stated]): [string, Member] => {
        const name = Object.hasOwn(as, param) ? as[param]! : param;
        const since = Math.max(operation.since ?? 0, stated.since ?? 0) || undefined;
        const own = Object.hasOwn(more, name) ? more[name]! : {};
        const { doc = "", valueSince, until } = stated;
        return [
          name,
          {
            doc,
            since,
            ...(until && { until }),
            ...(valueSince && { valueSince }),
            ...own,
            shape: own.shape ?? shapeOf(stated),
          },
        ];
      }),
  );

/** Of a number a newer server may know more than this program; a word is known or wrong. */
export const among = (values: readonly (string | number)[]): Shape =>
  typeof values[0] === "number" ? either(choice(...values), integer(0)) : choice(...values);

/** What a limit, or another number, is at least; undefined where a setting is none. */
export function numbered(setting: Pick<Setting, "kind">): Shape | undefined {
  const least = leastOf(setting);
  if (least === undefined) return undefined;
  return setting.kind === "limit" ? either(integer(least), choice("unlimited")) : integer(least);
}
