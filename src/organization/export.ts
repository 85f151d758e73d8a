/** Writes the file that describes a snapshot. A plan of this file has no changes. */

import { Document, isMap, Scalar } from "yaml";
import { nfc } from "../common/folding.ts";
import { sanitizeLine } from "../output/sanitize.ts";
import { yamlText } from "../output/yaml.ts";
import { type Member, whoShape } from "./attribute-shapes.ts";
import { isEntry } from "./content.ts";
import { writtenName } from "./document/entry-names.ts";
import { Commented, namingOf } from "./naming.ts";
import { type SectionName, sectionNames } from "./section-names.ts";
import { completable, fileShape, sections } from "./section-registry.ts";
import {
  archivedTest,
  type ExportContext,
  idOf,
  othersIn,
  readerOf,
  type Section,
  type ThingsSection,
  type WritableEntry,
} from "./sections/section.ts";
import type { Snapshot } from "./snapshot.ts";
import { validate } from "./validate.ts";

export interface ExportOptions {
  /** All sections if absent. */
  readonly only?: readonly SectionName[] | undefined;
  readonly without?: readonly ("members" | "people" | "subscribers")[] | undefined;
  /** Also list the subscribers of channels that everybody can join. */
  readonly subscribers?: boolean;
  /** Name the sections that are written whole in `complete`. */
  readonly complete?: boolean | undefined;
}

const present = (entry: WritableEntry): WritableEntry =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));

/** Returns the members of a section, with the permissions that only the server knows. */
const membersIn = (section: Section, snapshot: Snapshot): [name: string, member: Member][] => [
  ...Object.entries(section.members),
  ...othersIn(section, snapshot).map((name): [string, Member] => [name, { shape: whoShape, doc: "" }]),
];

/** Sorts entries by name, unless the server's order matters. */
function entriesOf<R extends WritableEntry>(section: ThingsSection<R>, context: ExportContext): WritableEntry[] {
  if (section.entries) return section.entries(context).map(present);
  const { snapshot, naming } = context;
  const { fold = String, archiving } = section;
  const all = membersIn(section, snapshot);
  const read = readerOf(section, snapshot);
  const isArchived = archivedTest(section, snapshot);
  const named = section.records(snapshot).map((record) => {
    const parts = section.key.map((name) => String(read(record, name)));
    return { record, name: parts.join("\n"), folded: parts.map((part) => fold(nfc(part))).join("\n") };
  });
  if (section.ordered === undefined) named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const counts = new Map<string, number>();
  for (const { folded } of named) counts.set(folded, (counts.get(folded) ?? 0) + 1);
  return named.map(({ record, folded }) => {
    // Things with the same name are told apart by id.
    const id = (counts.get(folded) ?? 0) > 1 ? idOf(section, record) : undefined;
    const entry: WritableEntry = {};
    for (const [name, member] of all)
      if (name === "id") entry.id = id;
      else if (name !== "was" && !section.omits?.(context, name, record))
        entry[name] = naming.inFile(member, read(record, name));
    if (typeof entry.name === "string") entry.name = writtenName(section.plural, entry.name);
    if (!archiving || !isArchived(record)) return present(entry);
    return present({
      ...Object.fromEntries(section.key.map((name) => [name, entry[name]])),
      id,
      description: entry.description,
      [archiving.member]: archiving.archived,
    });
  });
}

const exportOf = (section: Section, context: ExportContext): WritableEntry | WritableEntry[] =>
  "records" in section
    ? entriesOf(section, context)
    : present(
        Object.fromEntries(
          membersIn(section, context.snapshot).map(([name, member]) => [
            name,
            context.naming.inFile(member, section.read(context.snapshot, name)),
          ]),
        ),
      );

/** Removes values that the schema rejects. A thing with a rejected key is removed whole. */
function removeMisfits(value: WritableEntry) {
  const problems = validate(fileShape, JSON.parse(JSON.stringify(value)));
  const removed = new Set<unknown>();
  for (const { path } of problems) {
    const [name = "", at = "", attribute] = path;
    const all = value[name];
    const section: Section | undefined = Object.entries(sections).find(([each]) => each === name)?.[1];
    const entry: unknown = Array.isArray(all) ? all[Number(at)] : all;
    const key = Array.isArray(all) ? attribute : at;
    if (key === undefined || (section && "records" in section && section.key.includes(String(key)))) removed.add(entry);
    else if (isEntry(entry)) Reflect.deleteProperty(entry, key);
  }
  for (const [name, all] of Object.entries(value))
    if (Array.isArray(all)) value[name] = all.filter((entry) => !removed.has(entry));
  return {
    omitted: problems.map(({ path, message }) => `${path.join(".")}: ${message}`),
    /** Sections in which a value is missing. */
    sections: new Set(problems.map(({ path }) => path[0])),
  };
}

export function exportContent(
  snapshot: Snapshot,
  { only, without = [], subscribers = false, complete = false }: ExportOptions,
) {
  const context: ExportContext = {
    snapshot,
    naming: namingOf(snapshot, { isExport: true }),
    members: !without.includes("members"),
    subscribers: without.includes("subscribers") ? "none" : subscribers ? "all" : "closed",
  };
  const value: WritableEntry = { organization: snapshot.site };
  for (const name of sectionNames) {
    if ((only && !only.includes(name)) || (name === "people" && without.includes("people"))) continue;
    const section = exportOf(sections[name], context);
    if (Object.keys(section).length || (complete && completable.some((each) => each === name))) value[name] = section;
  }
  /** Values that are newer than this program. */
  const { omitted, sections: incomplete } = removeMisfits(value);
  if (!complete) return { value, omitted };
  const { organization, ...stated } = value;
  const whole = completable.filter((name) => Object.hasOwn(value, name) && !incomplete.has(name));
  return { value: { organization, complete: whole, ...stated }, omitted };
}

function withComments(_: unknown, value: unknown): unknown {
  if (!(value instanceof Commented)) return value;
  const scalar = new Scalar(value.text);
  scalar.comment = ` ${sanitizeLine(value.comment)}`;
  return scalar;
}

/** Editors use the schema for completion. */
const head = "# yaml-language-server: $schema=organization.schema.json\n";

/** Returns the file as text. The same snapshot always gives the same text. */
export function organizationYaml(value: Readonly<Record<string, unknown>>): string {
  const document = new Document(value, withComments, { aliasDuplicateObjects: false });
  if (isMap<Scalar>(document.contents))
    for (const [n, { key }] of document.contents.items.entries()) key.spaceBefore = n > 0;
  return head + yamlText(document.contents);
}
