/** Makes the JSON Schema (2020-12) of the file from the schemas that check it. */
import { alternativesOf, type Shape as Form, shapeOf } from "../wire/shape.ts";
import {
  groupsShape,
  type Member,
  type Metadata,
  metadataOf,
  namesPeople,
  peopleShape,
  type ReferenceKind,
  whoShape,
} from "./attribute-shapes.ts";
import { fileShape } from "./section-registry.ts";

type Schema = Readonly<Record<string, unknown>>;

const naming: Readonly<Record<ReferenceKind, string>> = {
  person: "An e-mail address, name:… or id:…; in lists also @file, a file with one a line.",
  member: "An e-mail address, name:…, id:… or group:…; in lists also @file, a file with one a line.",
  group: "A group's name; in lists also @file, a file with one a line.",
  channel: "A channel's name.",
  folder: "A folder's name.",
  field: "A profile field's name.",
};

/** Shapes that are used often, with their names in `$defs`. */
const definitions = { people: peopleShape, groups: groupsShape, who: whoShape };
const shared = new Map<unknown, string>(Object.entries(definitions).map(([name, shape]) => [shape, name]));

function schemaOf(form: Form): Schema {
  const name = shared.get(form);
  return name === undefined ? written(form) : { $ref: `#/$defs/${name}` };
}

const unionOf = (forms: readonly Form[]): Schema => {
  const all = forms.map(schemaOf);
  return all.length === 1 && all[0] ? all[0] : { anyOf: all };
};

/** Numbers in lists of people are ids. */
const itemOf = (form: Form): Schema =>
  namesPeople(metadataOf(form).names)
    ? { anyOf: [schemaOf(form), { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }] }
    : schemaOf(form);

function written(form: Form): Schema {
  const { type, pipe = [], options, item } = form;
  const facts = metadataOf(form);
  const check = (kind: string) => pipe.find((each) => each.type === kind);
  switch (type) {
    case "string":
      return {
        type,
        ...(check("regex") && { pattern: "\\S" }),
        ...(facts.names && { description: naming[facts.names] }),
      };
    case "number":
      return {
        type: "integer",
        minimum: check("min_value")?.requirement ?? Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      };
    case "picklist":
      return { enum: options };
    case "union":
      return unionOf(alternativesOf(form).filter((each) => metadataOf(each).pattern !== ""));
    case "array":
      return { type, ...(item && { items: itemOf(item) }), ...(check("raw_check") && { uniqueItems: true }) };
    case "custom":
      if (facts.pattern) return { type: "string", pattern: facts.pattern };
      if (facts.values) return { type: "object", additionalProperties: schemaOf(shapeOf(facts.values)) };
      return objectOf(facts);
    default:
      return { type };
  }
}

/** Describes a member: its meaning, feature level, and who may change it. */
function described({ doc, since, owner }: Member): string {
  const more = [since && `Feature level ${since}.`, owner && "Owners only."].filter(Boolean);
  return [doc, ...more].join(" ");
}

function objectOf({ members = {}, some, others }: Metadata): Schema {
  const all = Object.entries(members);
  const needed = all.filter(([, member]) => member.needed).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      all.map(([name, member]) => [name, { ...schemaOf(shapeOf(member.shape)), description: described(member) }]),
    ),
    ...(needed.length && { required: needed }),
    ...(some && { anyOf: some.map((name) => ({ required: [name] })) }),
    ...(others && {
      propertyNames: { pattern: `${others.source}|^(?:${all.map(([name]) => name).join("|")})$` },
    }),
    additionalProperties: others ? schemaOf(shapeOf(whoShape)) : false,
  };
}

export const fileSchema = (): Schema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "An organization as a file",
  ...written(shapeOf(fileShape)),
  $defs: Object.fromEntries(Object.entries(definitions).map(([name, shape]) => [name, written(shapeOf(shape))])),
});
