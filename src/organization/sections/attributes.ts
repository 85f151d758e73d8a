/** What an entry of the file may say, from the operation that writes it: a new parameter there is a new attribute here. */
import { leastOf, type Setting } from "../../api/settings.ts";
import type { AnyOperation } from "../../wire/operation.ts";
import type { Param, Params } from "../../wire/params.ts";
import { type Shape as Told, shapeOf as told } from "../../wire/shape.ts";
import {
  boolean,
  choice,
  either,
  integer,
  list,
  type Member,
  type Members,
  map,
  named,
  none,
  type Shape,
  text,
  who,
} from "../shape.ts";

function written({ type, options = [], wrapped, item, value }: Told, name: string): Shape {
  switch (type) {
    case "boolean":
      return boolean;
    case "string":
      return text;
    case "number":
      return integer();
    case "picklist":
      return choice(...(options as (string | number)[]));
    case "union":
      return either(...options.map((option) => written(option as Told, name)));
    case "nullable":
      return either(written(wrapped!, name), none);
    case "array":
      return list(written(item!, name));
    case "record":
      return map(written(value!, name));
    default:
      throw new Error(`${name} is a ${type}, which no file can say`);
  }
}

/** How a parameter's values are written in the file: ids are names there. */
export function shapeOf(name: string, { of, type }: Param): Shape {
  if (of === "who") return who;
  if (of === "channel") return either(named("channel"), none);
  if (of === "folder") return either(named("folder"), none);
  return written(told(type), name);
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
            shape: own.shape ?? shapeOf(param, stated),
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
