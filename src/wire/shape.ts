/** What a type consists of: valibot documents its schemas as open to introspection, and only this file knows their members. */
import type { Type } from "./types.ts";

export interface Shape {
  kind: "schema" | "validation" | "transformation" | "metadata";
  type: string;
  /** What a value goes through, one after the other. */
  pipe?: readonly Shape[];
  /** Of a list. */
  item?: Shape;
  /** Of what may be null or absent. */
  wrapped?: Shape;
  /** Of an object. */
  entries?: Record<string, Shape>;
  /** Of a mapping whose keys are free. */
  value?: Shape;
  /** The words or numbers that there are; of a union, its types. */
  options?: readonly unknown[];
  /** Of a validation: its limit. */
  requirement?: unknown;
  metadata?: Record<string, unknown>;
}

export const shapeOf = (type: Type): Shape => type as unknown as Shape;

/** The type of what stands in an object's list. */
export const itemOf = (type: Type, member: string): Type => shapeOf(type).entries![member]!.item as unknown as Type;
