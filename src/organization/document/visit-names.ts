/** Finds the names of things in a file's value. */
import { alternativesOf, type Shape as Form, shapeOf } from "../../wire/shape.ts";
import { memberNamed, metadataOf, type ReferenceKind } from "../attribute-shapes.ts";
import { isEntry, type Path } from "../content.ts";
import { fileShape } from "../section-registry.ts";

/** Receives a text that names something, or a list of such texts. */
type Visitor = (names: ReferenceKind, value: string | unknown[], path: Path) => void;

const formOf = (value: unknown): string =>
  typeof value === "string" ? "string" : Array.isArray(value) ? "array" : "custom";

function visit(form: Form, value: unknown, path: Path, visitor: Visitor): void {
  const { type, item } = form;
  if (type === "string" && typeof value === "string") {
    const { names } = metadataOf(form);
    if (names) visitor(names, value, path);
  } else if (type === "union") {
    const one = alternativesOf(form).find((option) => option.type === formOf(value));
    if (one) visit(one, value, path, visitor);
  } else if (type === "array" && item && Array.isArray(value)) {
    const { names } = metadataOf(item);
    if (names) visitor(names, value, path);
    else for (const [n, each] of value.entries()) visit(item, each, [...path, n], visitor);
  } else if (isEntry(value)) {
    const { members, values, others } = metadataOf(form);
    for (const [key, each] of Object.entries(value)) {
      const next = values ?? memberNamed({ members, others }, key)?.shape;
      if (next) visit(shapeOf(next), each, [...path, key], visitor);
    }
  }
}

/** Calls the visitor for every name. Values that do not fit their shape are skipped. */
export const visitNames = (value: unknown, visitor: Visitor): void => visit(shapeOf(fileShape), value, [], visitor);

/** Returns the texts of a visit with their paths. */
export const textsAt = (value: string | unknown[], path: Path): [text: string, path: Path][] =>
  typeof value === "string"
    ? [[value, path]]
    : value.flatMap((text, n) => (typeof text === "string" ? [[text, [...path, n]]] : []));
