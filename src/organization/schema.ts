/** The JSON Schema (2020-12) of the file, from the declarations that check it. */
import { file } from "./file.ts";
import { groups, type Member, type Members, type Names, people, type Shape, who } from "./shape.ts";

type Schema = Readonly<Record<string, unknown>>;

const naming: Readonly<Record<Names, string>> = {
  person: "An e-mail address, name:… or id:…; in lists also @file, a file with one a line.",
  group: "A group's name; in lists also @file, a file with one a line.",
  channel: "A channel's name.",
  folder: "A folder's name.",
  field: "A profile field's name.",
};

/** Shapes that stand in many places. */
const shared = new Map<Shape, string>([
  [people, "people"],
  [groups, "groups"],
  [who, "who"],
]);

function schemaOf(shape: Shape): Schema {
  const name = shared.get(shape);
  return name === undefined ? written(shape) : { $ref: `#/$defs/${name}` };
}

function written(shape: Shape): Schema {
  switch (shape.is) {
    case "text":
      return {
        type: "string",
        ...(shape.filled && { pattern: "\\S" }),
        ...(shape.names && { description: naming[shape.names] }),
      };
    case "boolean":
    case "null":
      return { type: shape.is };
    case "integer":
      return {
        type: "integer",
        minimum: shape.least ?? Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      };
    case "choice":
      return { enum: shape.of };
    case "either":
      return { anyOf: shape.of.map(schemaOf) };
    case "list":
      return { type: "array", items: schemaOf(shape.of), ...(shape.distinct && { uniqueItems: true }) };
    case "map":
      return { type: "object", additionalProperties: schemaOf(shape.of) };
    case "members":
      return objectOf(shape.members, shape.some);
  }
}

/** What the member is for, from which level on, and whose it is. */
function described({ doc, since, owner }: Member): string {
  const more = [since && `Feature level ${since}.`, owner && "Owners only."].filter(Boolean);
  return [doc, ...more].join(" ");
}

function objectOf(members: Members, some?: readonly string[]): Schema {
  const needed = Object.keys(members).filter((name) => members[name]!.needed);
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        { ...schemaOf(member.shape), description: described(member) },
      ]),
    ),
    ...(needed.length && { required: needed }),
    ...(some && { anyOf: some.map((name) => ({ required: [name] })) }),
    additionalProperties: false,
  };
}

export const schema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "An organization as a file",
  ...objectOf(file),
  $defs: Object.fromEntries([...shared].map(([shape, name]) => [name, written(shape)])),
});
