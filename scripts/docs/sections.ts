/** The page of what a file of an organization can say: the sections and their keys are stated in `src/organization`, and told here. */
import { sections } from "../../src/organization/file.ts";
import type { Section } from "../../src/organization/sections/section.ts";
import { groups, type Member, type Names, people, type Shape, who } from "../../src/organization/shape.ts";
import { sectionWords } from "../../src/organization/words.ts";
import { cell } from "./table.ts";

const naming: Readonly<Record<Names, string>> = {
  person: "a person",
  group: "a group",
  channel: "a channel",
  folder: "a folder",
  field: "a profile field",
};

/** Told of in words above the tables. */
const shared = new Map<Shape, string>([
  [people, "people"],
  [groups, "groups"],
  [who, "who"],
]);

const coded = (word: string): string => `\`${word}\``;

/** What values a shape has, in words. */
function told(shape: Shape): string {
  const name = shared.get(shape);
  if (name !== undefined) return `[${name}](#values)`;
  switch (shape.is) {
    case "text":
      return shape.names ? naming[shape.names] : "text";
    case "boolean":
      return "`true`, `false`";
    case "null":
      return "`null`";
    case "integer":
      return shape.least === undefined ? "whole number" : `whole number from ${shape.least} on`;
    case "choice":
      return shape.of.map((one) => coded(String(one))).join(", ");
    case "either":
      // Of numbers a newer server may know more.
      return shape.of
        .map((one) => (one.is === "integer" && shape.of[0]!.is === "choice" ? "what newer servers know" : told(one)))
        .join(" or ");
    case "list":
      return `list: ${told(shape.of)}`;
    case "map":
      return `mapping to ${told(shape.of)}`;
    case "members":
      return `mapping with ${Object.keys(shape.members).map(coded).join(", ")}`;
  }
}

const row = (name: string, { shape, since, owner, needed }: Member, doc?: string): string => {
  const notes = [...(needed ? ["needed"] : []), ...(since ? [`from ${since} on`] : []), ...(owner ? ["owners"] : [])];
  const cells = [coded(name), cell(told(shape)), ...(doc === undefined ? [] : [cell(doc)]), notes.join("; ")];
  return `| ${cells.join(" | ")} |`;
};

function comparison(fold: (name: string) => string): string {
  const free = [
    ...(fold("a") === fold("A") ? ["case"] : []),
    ...(fold(" a ") === fold("a") ? ["blanks around them"] : []),
  ];
  return `${free.join(" and ")} ${free[0] === "case" && free.length === 1 ? "does" : "do"} not count`;
}

/** What identifies entries, and what their list means. */
function rules(section: Section): string {
  if (section.holds === "settings") return "";
  const { key, identified, fold, ordered, complete } = section;
  const told = [
    `Entries go by ${(identified ?? key).map(coded).join(identified ? " or " : " and ")}${fold ? `; ${comparison(fold)}` : ""}.`,
    ...(ordered === undefined ? [] : ["Their order counts."]),
    ...(complete ? ["May stand in `complete`."] : []),
  ];
  return `\n${told.join(" ")}\n`;
}

/** `docs/organization-keys.md`. */
export function keysPage(): string {
  const chapters = sectionWords.map((name) => {
    const section: Section = sections[name];
    // The names of settings say what they are.
    const plain = section.holds === "settings";
    const rows = Object.entries(section.members).map(([key, member]) =>
      row(key, member, plain ? undefined : member.doc),
    );
    const head = plain
      ? "| key | values | notes |\n| --- | ------ | ----- |"
      : "| key | values | what it says | notes |\n| --- | ------ | ------------ | ----- |";
    return `## ${coded(name)}\n\n${section.doc}\n${rules(section)}\n${head}\n${rows.join("\n")}\n`;
  });
  return `# What a file of an organization can say

Each section with its keys; [An organization as a file](organization.md) says how they are used. They are those of the
API's writing calls, so that its documentation tells more. "From 389 on" means servers of that feature level; what is
marked "owners" an administrator cannot change. A test keeps this page as the program is.

## Values

- *A person* goes by e-mail address, \`name:Bo Ek\` or \`id:7\`; groups, channels and folders by their names as the file has
  them, system groups as \`role:members\`. A name that would be read as something else is written \`name:…\`.
- *people*, *groups*: a list is exact, \`[]\` empties it; \`{ add: […], remove: […] }\` says only who must and must not be in
  it. \`@file\` in a list reads one a line from a file beside this one.
- *who*: a group's name, \`nobody\`, or \`{ users: […], groups: […] }\`.
- \`null\` is none, where it stands among the values.

${chapters.join("\n")}`;
}
