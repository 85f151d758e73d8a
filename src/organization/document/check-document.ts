/** Rules about a file alone, beyond the types of its values. */
import { nfc } from "../../common/folding.ts";
import { namesOf } from "../../common/object-members.ts";
import { cannotBeDefault, privateAndWebPublic } from "../../model/channel.ts";
import { onlyWith, typeWith } from "../../model/profile-field.ts";
import { invisiblePart, trimmed } from "../../notation/blanks.ts";
import { groupPrefix } from "../../notation/id.ts";
import { brief, namesPeople } from "../attribute-shapes.ts";
import { type Content, type FileEntry, isEntry, type Path, sitesOf } from "../content.ts";
import type { ThingSection } from "../section-names.ts";
import { sections, thingSections } from "../section-registry.ts";
import { textsAt, visitNames } from "./visit-names.ts";

interface RuleContext {
  readonly value: Content;
  /** Adds a problem at a path, or at its key. */
  report(path: Path, says: string, key?: "key"): void;
  /** Returns the place of a path as text. */
  place(path: Path): string;
}

/** Returns the entries of a section with their indexes. */
const entriesOf = (value: Content, name: ThingSection): [number, FileEntry][] =>
  [...(value[name] ?? []).entries()].filter(([, entry]) => isEntry(entry));

/** Things with the same name must have different ids. An export writes them this way. */
const haveDifferentIds = (one: FileEntry, other: FileEntry): boolean =>
  one.id !== undefined && other.id !== undefined && one.id !== other.id;

function checkDuplicates({ value, report, place }: RuleContext, section: ThingSection): void {
  const { key, fold = String } = sections[section];
  const last = key.at(-1) ?? "";
  const byName = new Map<string, [number, FileEntry]>();
  const byId = new Map<unknown, number>();
  for (const [n, entry] of entriesOf(value, section)) {
    const parts = key.map((member) => (typeof entry[member] === "string" ? fold(nfc(entry[member])) : undefined));
    const name = parts.join("\0");
    const first = byName.get(name);
    if (first && !haveDifferentIds(first[1], entry))
      report(
        [section, n, last],
        `"${brief(String(entry[last]))}" appears twice; first in ${place([section, first[0], last])}`,
      );
    else if (!parts.includes(undefined)) byName.set(name, [n, entry]);
    if (entry.id === undefined) continue;
    const other = byId.get(entry.id);
    if (other === undefined) byId.set(entry.id, n);
    else if (other !== first?.[0])
      report([section, n, "id"], `the id ${entry.id} appears twice; first in ${place([section, other, "id"])}`);
  }
}

/** Checks the options of a profile field: names, or names with old names. */
function checkOptions({ report }: RuleContext, path: Path, all: readonly unknown[]): void {
  const [names, old] = [new Set<unknown>(), new Set<unknown>()];
  for (const [n, option] of all.entries()) {
    const { name, was }: FileEntry = isEntry(option) ? option : { name: option };
    if (names.has(name)) report([...path, n], `"${brief(String(name))}" appears twice in this list`);
    if (was !== undefined && old.has(was)) report([...path, n, "was"], `"${brief(String(was))}" is already renamed`);
    names.add(name);
    old.add(was);
  }
}

/** Returns what a text hides. Undefined if every character is visible. */
function hidden(text: string): string | undefined {
  const invisible = invisiblePart(trimmed(text));
  return invisible && `"${brief(text)}" contains ${invisible}`;
}

const person = /^(?:id:(?:0|[1-9]\d{0,14})|name:[\s\S]*\S[\s\S]*|\S+@\S+)$/;

/** Checks the references to people, and lists that add and remove the same thing. */
function checkReferences({ value, report }: RuleContext): void {
  const added = new Set<string>();
  const removed: [key: string, text: string, path: Path][] = [];
  visitNames(value, (kind, names, at) => {
    const change = Array.isArray(names) ? at.at(-1) : undefined;
    for (const [text, path] of textsAt(names, at)) {
      const isGroup = kind === "member" && text.startsWith(groupPrefix);
      if (!isGroup && namesPeople(kind) && !person.test(trimmed(text)))
        report(path, hidden(text) ?? `"${brief(text)}" is not a person: use an e-mail address, name:… or id:…`);
      if (change !== "add" && change !== "remove") continue;
      const key = [...at.slice(0, -1), text.toLowerCase()].join("\0");
      if (change === "add") added.add(key);
      else removed.push([key, text, path]);
    }
  });
  for (const [key, text, path] of removed)
    if (added.has(key)) report(path, `"${brief(text)}" is both added and removed`);
}

/** Checks that a file with ids names its organization. */
function checkIds({ value, report }: RuleContext): void {
  const { organization } = value;
  if (organization !== undefined && sitesOf(organization).length === 1) return;
  const says = '"id" requires "organization": the URL of the one organization that the file is for';
  for (const name of thingSections)
    for (const [n, entry] of entriesOf(value, name))
      if (Object.hasOwn(entry, "id")) report([name, n, "id"], says, "key");
}

function checkComplete({ value, report }: RuleContext): void {
  for (const [n, name] of (value.complete ?? []).entries()) {
    const section = thingSections.find((each) => each === name);
    if (section && !value[section])
      report(["complete", n], `"${name}" is in no file: as a complete list it would remove everything`);
  }
}

type EntryRule = (entry: FileEntry, wrong: (member: string, says: string, key?: "key") => void) => void;

const entryRules: Partial<Record<ThingSection, EntryRule>> = {
  people({ email, invite, active }, wrong) {
    if (typeof email === "string") {
      const says =
        hidden(email) ?? (/^\S+@\S+$/.test(trimmed(email)) ? undefined : `"${brief(email)}" is not an e-mail address`);
      if (says) wrong("email", says);
    }
    if (invite !== true) return;
    if (email === undefined) wrong("invite", 'missing "email": required for an invitation', "key");
    if (active === false) wrong("active", '"invite: true" cannot be combined with "active: false"', "key");
  },
  profile_fields(entry, wrong) {
    for (const name of namesOf(typeWith))
      if (Object.hasOwn(entry, name) && entry.type !== undefined && entry.type !== typeWith[name])
        wrong(name, onlyWith(name), "key");
  },
  channels({ is_private, is_web_public, is_default_stream, archived }, wrong) {
    if (is_private === true && is_web_public === true) wrong("is_web_public", privateAndWebPublic, "key");
    const state = archived === true ? "archived" : is_private === true ? "private" : undefined;
    if (is_default_stream === true && state) wrong("is_default_stream", cannotBeDefault(state), "key");
  },
  groups({ name }, wrong) {
    if (typeof name === "string" && name.startsWith("role:"))
      wrong("name", `${brief(name)} is a system group: files cannot change it`);
  },
};

/** Checks all rules. `whole`: all files were read, so rules about missing parts apply. */
export function checkDocumentRules(context: RuleContext, isComplete: boolean): void {
  const { value, report } = context;
  if (isComplete) {
    checkIds(context);
    checkComplete(context);
  }
  for (const section of thingSections) {
    checkDuplicates(context, section);
    for (const [n, entry] of entriesOf(value, section))
      entryRules[section]?.(entry, (member, says, key) => report([section, n, member], says, key));
  }
  for (const [n, field] of entriesOf(value, "profile_fields"))
    if (Array.isArray(field.options)) checkOptions(context, ["profile_fields", n, "options"], field.options);
  checkReferences(context);
}
