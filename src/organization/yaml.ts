/** An export as YAML, with the comments that its references carry. */
import { Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { sanitizeLine } from "../output/sanitize.ts";
import { yamlText } from "../output/yaml.ts";
import { Commented } from "./naming.ts";

type Node = Scalar | YAMLMap | YAMLSeq;

function nodeOf(value: unknown): Node {
  if (value instanceof Commented) {
    const scalar = new Scalar(value.text);
    scalar.comment = ` ${sanitizeLine(value.comment)}`;
    return scalar;
  }
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map(nodeOf);
    return list;
  }
  if (typeof value !== "object" || value === null) return new Scalar(value);
  const map = new YAMLMap();
  map.items = Object.entries(value).map(([key, member]) => new Pair(new Scalar(key), nodeOf(member)));
  return map;
}

/** Editors complete what they know the schema of. */
const head = "# yaml-language-server: $schema=organization.schema.json\n";

/** Text that is the same as long as the value is. */
export function organizationYaml(value: Readonly<Record<string, unknown>>): string {
  const map = nodeOf(value) as YAMLMap<Scalar, unknown>;
  for (const [n, { key }] of map.items.entries()) key.spaceBefore = n > 0;
  return head + yamlText(map);
}
