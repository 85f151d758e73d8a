/** Describes the structure of a type. Only this file uses members of valibot's schemas. */
import type { Type } from "./types.ts";

export interface Shape {
  kind: "schema" | "validation" | "transformation" | "metadata";
  type: string;
  /** The steps of a pipe. */
  pipe?: readonly Shape[];
  /** The items of a list. */
  item?: Shape;
  /** The type of a value that may be null or absent. */
  wrapped?: Shape;
  /** The members of an object. */
  entries?: Record<string, Shape>;
  /** The values of a mapping with free keys. */
  value?: Shape;
  /** The words or numbers of a choice, or the types of a union. */
  options?: readonly unknown[];
  /** The limit of a validation. */
  requirement?: unknown;
  metadata?: Record<string, unknown>;
}

export const shapeOf = (type: Type): Shape => type as Shape;

/** Returns the types of a union, or the type itself. */
export const alternativesOf = (shape: Shape): readonly Shape[] =>
  shape.type === "union" && Array.isArray(shape.options) ? shape.options : [shape];

/** Returns the type of the items in an object's list. */
export const itemOf = (type: Type, member: string): Type => shapeOf(type).entries?.[member]?.item as Type;
