// Not with `import(…)`: in the bundle that gives what this CommonJS library exports as `default` alone.
import {
  type CreateNodeOptions,
  type DocumentOptions,
  type SchemaOptions,
  stringify,
  type ToStringOptions,
} from "yaml";
import { hasHazards, hazards } from "./sanitize.ts";

type Options = DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions;

// YAML 1.1 readers (PyYAML, Ruby) do not read `no` and `12:30` as text.
const options: Options = { compat: "yaml-1.1", aliasDuplicateObjects: false, lineWidth: 0 };
const withQuotes: Options = { ...options, defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "QUOTE_DOUBLE" };
/** A value that the library does not quote, but that YAML 1.1 would change. */
const yaml11Special = /(^|[\s:-])=$/m;
/** A block that begins with blanks without stating its indentation. */
const unstatedIndent = /[|>][+-]?\n[ \t]+$/m;

const yamlEscape = (found: string): string =>
  found === "\n" ? found : `\\U${found.codePointAt(0)!.toString(16).padStart(8, "0")}`;

/** Writes a document, or an item of a list. */
export function yamlText(value: unknown): string {
  const text = stringify(value, options);
  const bare = !hasHazards(text) && !yaml11Special.test(text) && !unstatedIndent.test(text);
  return bare ? text : stringify(value, withQuotes).replace(hazards(), yamlEscape);
}
