/** A fast answer to whether a value has a type. Where it has not, `departure` says why. */
import * as v from "valibot";
import { type Shape, shapeOf } from "./shape.ts";
import type { Type } from "./types.ts";

type Fits = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function members(entries: Record<string, Shape>): Fits {
  const checks = Object.entries(entries).map(([name, shape]) => ({
    name,
    needed: !["optional", "exact_optional", "nullish"].includes(shape.type),
    fits: compiled(shape),
  }));
  return (value) => {
    if (!isObject(value)) return false;
    for (const { name, needed, fits } of checks) {
      const member = value[name];
      if (member === undefined && !(name in value)) {
        if (needed) return false;
      } else if (!fits(member)) return false;
    }
    return true;
  };
}

/** Undefined for a shape that is left to the library. */
function known({ kind, type, item, wrapped, entries, options, requirement }: Shape): Fits | undefined {
  switch (`${kind} ${type}`) {
    case "schema unknown":
      return () => true;
    case "schema boolean":
      return (value) => typeof value === "boolean";
    case "schema string":
      return (value) => typeof value === "string";
    case "schema number":
      return (value) => typeof value === "number" && !Number.isNaN(value);
    case "validation safe_integer":
      return Number.isSafeInteger;
    case "validation min_value":
      return (value) => (value as number) >= (requirement as number);
    case "validation max_value":
      return (value) => (value as number) <= (requirement as number);
    case "schema array": {
      const fits = compiled(item!);
      return (value) => Array.isArray(value) && value.every(fits);
    }
    case "schema nullable": {
      const fits = compiled(wrapped!);
      return (value) => value === null || fits(value);
    }
    case "schema optional": {
      const fits = compiled(wrapped!);
      return (value) => value === undefined || fits(value);
    }
    case "schema picklist":
      return (value) => options!.includes(value);
    case "schema loose_object":
      return members(entries!);
    default:
      return undefined;
  }
}

const made = new WeakMap<Shape, Fits>();

function compiled(shape: Shape): Fits {
  const before = made.get(shape);
  if (before) return before;
  const parts = (shape.pipe ?? [shape]).map(known);
  const all = parts.filter((fits) => fits !== undefined);
  const fits: Fits =
    all.length < parts.length
      ? (value) => v.is(shape as never, value)
      : all.length === 1
        ? all[0]!
        : (value) => all.every((one) => one(value));
  made.set(shape, fits);
  return fits;
}

/**
 * Whether a value has the type, told some fifty times faster than by `departure`: for the hundred thousand records of
 * a list. The two agree.
 */
export const fits = (type: Type): Fits => compiled(shapeOf(type));
