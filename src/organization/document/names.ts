/** Where the names of things and lists of them stand in a value. */
import { resembling } from "../check.ts";
import { isEntry, type Path } from "../content.ts";
import type { Names, Shape } from "../shape.ts";

export interface Visitor {
  /** A text that names something; the path is the visitor's for the moment alone. */
  name?(names: Names, text: string, path: Path): void;
  /** A list of such texts. */
  list?(names: Names, texts: unknown[], path: Path): void;
}

/** What of several a value is. */
function chosen(of: readonly Shape[], value: unknown): Shape | undefined {
  return typeof value === "string" ? of.find(({ is }) => is === "text") : resembling(of, value);
}

/** Of a value that may be of any shape: what does not fit is passed over. */
export function visit(shape: Shape, value: unknown, visitor: Visitor, path: (string | number)[] = []): void {
  const into = (step: string | number, next: Shape, member: unknown) => {
    path.push(step);
    visit(next, member, visitor, path);
    path.pop();
  };
  switch (shape.is) {
    case "text":
      if (shape.names && typeof value === "string") visitor.name?.(shape.names, value, path);
      break;
    case "either": {
      const one = chosen(shape.of, value);
      if (one) visit(one, value, visitor, path);
      break;
    }
    case "list": {
      if (!Array.isArray(value) || !holdsNames(shape.of)) break;
      const names = shape.of.is === "text" ? shape.of.names : undefined;
      if (!names || visitor.name) for (const [n, item] of value.entries()) into(n, shape.of, item);
      if (names) visitor.list?.(names, value, path);
      break;
    }
    case "map":
      if (isEntry(value)) for (const [key, member] of Object.entries(value)) into(key, shape.of, member);
      break;
    case "members":
      if (!isEntry(value)) break;
      for (const [key, member] of Object.entries(value)) {
        const next = Object.hasOwn(shape.members, key) ? shape.members[key]!.shape : undefined;
        if (next && holdsNames(next)) into(key, next, member);
      }
      break;
  }
}

const holding = new WeakMap<Shape, boolean>();

/** Shapes are made once, and asked for each list of a file. */
function holdsNames(shape: Shape): boolean {
  const known = holding.get(shape);
  if (known !== undefined) return known;
  const holds =
    (shape.is === "text" && shape.names !== undefined) ||
    (shape.is === "either" && shape.of.some(holdsNames)) ||
    ((shape.is === "list" || shape.is === "map") && holdsNames(shape.of)) ||
    (shape.is === "members" && Object.values(shape.members).some((member) => holdsNames(member.shape)));
  holding.set(shape, holds);
  return holds;
}
