/** The page of the API's calls: what journals, dry runs and records name is stated in `src/api`, and told here. */
import { operations } from "../../src/api/registry.ts";
import type { AnyOperation } from "../../src/wire/operation.ts";
import type { Param, Params } from "../../src/wire/params.ts";
import { type Shape, shapeOf } from "../../src/wire/shape.ts";
import { cell } from "./table.ts";

const plural: Readonly<Record<string, string>> = {
  string: "texts",
  boolean: "booleans",
  number: "numbers",
  object: "mappings",
  array: "lists",
  picklist: "words",
};

/** What values a type has, in words. */
function typeOf({ type, wrapped, item, options = [], value }: Shape): string {
  switch (type) {
    case "string":
      return "text";
    case "picklist":
    case "enum":
      return options.map((option) => JSON.stringify(option)).join(", ");
    case "literal":
      return "one value";
    case "union":
    case "variant":
      return [...new Set((options as Shape[]).map(typeOf))].join(" or ");
    case "nullable":
      return `${typeOf(wrapped!)} or null`;
    case "optional":
    case "exact_optional":
      return typeOf(wrapped!);
    case "array":
      return `list of ${plural[item!.type] ?? "values"}`;
    case "record":
      return `mapping to ${value ? (plural[value.type] ?? "values") : "values"}`;
    case "object":
    case "loose_object":
    case "strict_object":
      return "mapping";
    case "unknown":
    case "any":
      return "anything";
    default:
      return type;
  }
}

const row = ([name, { doc, since, type, optional, secret }]: [string, Param]): string => {
  const notes = [
    ...(optional ? [] : ["needed"]),
    ...(since ? [`from ${since} on`] : []),
    ...(secret ? ["shown as `[secret]`"] : []),
  ];
  return `| \`${name}\` | ${cell(typeOf(shapeOf(type)))} | ${cell(doc)} | ${notes.join("; ")} |`;
};

const least: Readonly<Record<string, string>> = {
  owner: "Owners",
  administrator: "Administrators and owners",
  member: "Everybody but guests",
};

function told({ name, method, path, answer, doc, who, since, deprecated, params }: AnyOperation): string {
  const where = answer === "bytes" ? path : `/api/v1${path}`;
  const rules = [
    ...(who?.role ? [`${least[who.role]} may.`] : []),
    ...(who?.owners ? [`Only owners may ${who.owners}.`] : []),
    ...(who?.permission
      ? [`It needs the permission \`${who.permission.name}\`, which the server's command line gives.`]
      : []),
    ...(since ? [`From feature level ${since} on.`] : []),
    ...(deprecated ? [`Deprecated from ${deprecated} on.`] : []),
  ];
  const all = Object.entries(params as Params);
  const table = all.length
    ? ["", "| parameter | value | what it is | |", "| --------- | ----- | ---------- | --- |", ...all.map(row)]
    : [];
  return [`\n## ${name}\n`, `\`${method} ${where}\``, "", [doc, ...rules].join(" "), ...table].join("\n");
}

/** `docs/operations.md`. */
export function operationsPage(): string {
  const head = [
    "# Operations",
    "",
    "The calls of Zulip's API that commands make, by the names that journals, dry runs, records of results and the log have",
    "for them. Parameters bear the server's names; numbers of feature levels tell which servers know them. What is not here",
    "can be asked with `zulipctl api`. A test keeps this page as the program is.",
  ].join("\n");
  const all = operations().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${[head, ...all.map(told)].join("\n")}\n`;
}
