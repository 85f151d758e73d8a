/** Writes the page of sections and keys of an organization file, from their definitions in `src/organization`. */

import {
  groupsShape,
  type Member,
  metadataOf,
  peopleShape,
  type ReferenceKind,
  whoShape,
} from "../../src/organization/attribute-shapes.ts";
import { sectionNames } from "../../src/organization/section-names.ts";
import { sections } from "../../src/organization/section-registry.ts";
import { identityMembers, type Section } from "../../src/organization/sections/section.ts";
import { type Shape as Form, shapeOf } from "../../src/wire/shape.ts";

const naming: Readonly<Record<ReferenceKind, string>> = {
  person: "a person",
  member: "a person or `group:…`",
  group: "a group",
  channel: "a channel",
  folder: "a folder",
  field: "a profile field",
};

/** Explained above the tables. */
const shared = new Map<unknown, string>(
  Object.entries({ people: peopleShape, groups: groupsShape, who: whoShape }).map(([name, shape]) => [shape, name]),
);

/** Escapes the text of a cell: a vertical bar would end it. */
const cell = (text: string): string => text.replaceAll("|", "\\|");

const coded = (word: string): string => `\`${word}\``;

/** The values of a schema, in words. */
function valuesOf(form: Form): string {
  const { type, pipe = [], options = [], item } = form;
  const { names, values, members = {} } = metadataOf(form);
  const name = shared.get(form);
  if (name !== undefined) return `[${name}](#values)`;
  switch (type) {
    case "string":
      return names ? naming[names] : "text";
    case "boolean":
      return "`true`, `false`";
    case "number": {
      const least = pipe.find((each) => each.type === "min_value")?.requirement;
      return least === undefined ? "whole number" : `whole number ≥ ${least}`;
    }
    case "picklist":
      return options.map((one) => coded(String(one))).join(", ");
    case "union": {
      const all = options as Form[];
      // A newer server may know more numbers.
      const isNewer = (one: Form) => one.type === "number" && all[0]!.type === "picklist";
      return all.map((one) => (isNewer(one) ? "a number" : valuesOf(one))).join(" or ");
    }
    case "array":
      return `list: ${valuesOf(item!)}`;
    case "custom":
      if (values) return `mapping to ${valuesOf(shapeOf(values))}`;
      return `mapping with ${Object.keys(members).map(coded).join(", ")}`;
    default:
      return coded(type);
  }
}

/** Every supported server has this feature level. */
const minimum = 371;

/** The key with its marks: `*` for owners only, the feature level that it requires. */
const marked = (name: string, { since = 0, owner }: Member): string =>
  `${coded(name)}${owner ? "\\*" : ""}${since > minimum ? ` (${since})` : ""}`;

/** Keys without description, in one row for each set of values. */
function settingsTable(members: Readonly<Record<string, Member>>): string {
  const byValues = new Map<string, string[]>();
  for (const [name, member] of Object.entries(members)) {
    const values = valuesOf(shapeOf(member.shape));
    byValues.set(values, [...(byValues.get(values) ?? []), marked(name, member)]);
  }
  const rows = [...byValues].map(([values, keys]) => `| ${cell(values)} | ${keys.join(", ")} |`);
  return ["| values | keys |", "| --- | --- |", ...rows].join("\n");
}

function entryTable(members: Readonly<Record<string, Member>>): string {
  const own = Object.entries(members).filter(([name, member]) => member !== identityMembers[name]);
  const rows = own.map(([name, member]) => {
    const required = member.needed ? " (required)" : "";
    return `| ${marked(name, member)}${required} | ${cell(valuesOf(shapeOf(member.shape)))} | ${cell(member.doc)} |`;
  });
  return ["| key | values | meaning |", "| --- | --- | --- |", ...rows].join("\n");
}

/** Describes the key of entries, and the meaning of their list. */
function rules(section: Section): string {
  if (!("records" in section)) return "";
  const { key, identified, fold, ordered, unlistedStay, members } = section;
  const facts = [
    `Identified by ${(identified ?? key).map(coded).join(identified ? " or " : " and ")}`,
    ...(members.was === identityMembers.was ? ["has `was` and `id`"] : []),
    ...(fold?.("a") === fold?.("A") && fold ? ["case is ignored"] : []),
    ...(ordered === undefined ? [] : ["the order counts"]),
    ...(unlistedStay ? [] : ["allowed in `complete`"]),
  ];
  return `\n${facts.join("; ")}.\n`;
}

/** `docs/organization-keys.md`. */
export function keysPage(): string {
  const chapters = sectionNames.map((name) => {
    const section: Section = sections[name];
    const table = "records" in section ? entryTable(section.members) : settingsTable(section.members);
    return `## ${coded(name)}\n\n${section.doc}\n${rules(section)}\n${table}\n`;
  });
  return `# Keys of an organization file

All sections and keys; [An organization as a file](organization.md) explains their use. Keys have the names of Zulip's
API. \`*\`: only owners can change it. A number in parentheses: the feature level that it requires.

## Values

| value | write |
| --- | --- |
| a person | an e-mail address, \`name:Bo Ek\` or \`id:7\`; in a list also \`7\` |
| a group, channel or folder | its name, also \`#general\` or \`@makers\`; \`role:members\` for a system group; \`name:2026\` for a name that looks like an id |
| people, groups | a list is exact, \`[]\` empties it; \`{ add: […], remove: […] }\` leaves others alone; \`@file\` reads one a line |
| people of groups | \`group:makers\` in a list of people, or \`{ users: […], groups: […] }\`, also in \`add\` and \`remove\`: who is in the groups as the file leaves them, through subgroups, without deactivated people |
| who | a group's name, \`nobody\`, \`{ users: […], groups: […] }\`, or a text such as \`user:ada@example.com,group:makers\` |
| \`null\` | none |

Things that can be renamed have two more keys. \`was\` is the old name. \`id\` finds the thing whatever its name; the file must
name its organization.

${chapters.join("\n")}`;
}
