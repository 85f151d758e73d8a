/**
 * Writes one organization as a file that another organization can be compared with: without ids, with complete lists.
 */
import { type Content, type FileEntry, foldSite, isEntry } from "./content.ts";
import { exportContent } from "./export.ts";
import { Commented } from "./naming.ts";
import type { SectionName } from "./section-names.ts";
import { completable, differenceTitle, sections, thingSections } from "./section-registry.ts";
import { organizationSetting, type Snapshot } from "./snapshot.ts";
import type { ValidationError } from "./validate.ts";

/** The last part of the address of every bot. */
const botDomain = (snapshot: Snapshot): string => `-bot@${organizationSetting(snapshot, "bot_domain")}`;

/** Replaces the last part `from` of bots' addresses by `to`. People with a hidden address are written by name. */
function portable(value: unknown, from: string, to: string): unknown {
  if (value instanceof Commented) return `name:${value.comment}`;
  if (Array.isArray(value)) return value.map((each) => portable(each, from, to));
  if (typeof value === "string" && value.endsWith(from)) return value.slice(0, -from.length) + to;
  if (!isEntry(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== "id");
  return Object.fromEntries(members.map(([name, member]) => [name, portable(member, from, to)]));
}

const addressIn = ({ email }: FileEntry): string => String(email).toLowerCase();

/** Invites people who are missing and deactivates people who are not listed: `complete` does not cover people. */
function peopleBeside(people: readonly FileEntry[], current: readonly FileEntry[]): FileEntry[] {
  const existing = new Set(current.map(addressIn));
  const listed = new Set(people.map(addressIn));
  const missing = ({ email, role }: FileEntry): FileEntry => ({ email, role, invite: true });
  return [
    ...people.flatMap((one) => (existing.has(addressIn(one)) ? [one] : one.active === false ? [] : [missing(one)])),
    ...current.flatMap(({ email, active }) =>
      email === undefined || active === false || listed.has(addressIn({ email })) ? [] : [{ email, active: false }],
    ),
  ];
}

/** Writes `to` as a file that `from` can be compared with. `name` is what people call `to`. */
export function contentFor(
  from: Snapshot,
  to: Snapshot,
  { only, name }: { only?: readonly SectionName[] | undefined; name: string },
): Content {
  // People choose their own channels, so subscribers always differ between organizations.
  const subscribers = foldSite(from.site) === foldSite(to.site);
  const exportOf = (snapshot: Snapshot, sections = only): Content => {
    const { value } = exportContent(snapshot, { only: sections, subscribers });
    const write = (member: unknown) => portable(member, botDomain(snapshot), botDomain(from));
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, write(member)]));
  };
  const { organization: _, ...value } = exportOf(to);
  const addressed = (all: readonly FileEntry[] = []) => all.filter(({ email }) => email !== undefined);
  return {
    ...value,
    complete: completable.filter((section) => !only || only.includes(section)),
    ...(value.people && {
      people: peopleBeside(addressed(value.people), addressed(exportOf(from, ["people"]).people)),
    }),
    // Servers do not send a checksum of a picture.
    ...(value.emoji && { emoji: value.emoji.map((one) => ({ ...one, file: `(in ${name})` })) }),
  };
}

/** Keeps only the selected sections. */
export function onlyOf(content: Content, only: readonly SectionName[] | undefined): Content {
  if (!only) return content;
  const { complete, ...stated } = content;
  const selected = Object.entries(stated).filter(([name]) => only.some((each) => each === name));
  return {
    ...Object.fromEntries(selected),
    ...(complete && { complete: complete.filter((name) => only.includes(name)) }),
  };
}

/** Formats a problem: `group designers: members: user "x" not found`. */
export function describeProblem(content: Content, { path, message }: ValidationError): string {
  const [name, at, field] = path;
  const section = thingSections.find((each) => each === name);
  const entry = section && content[section]?.[Number(at)];
  if (!entry) return [name, at, message].filter((each) => each !== undefined).join(": ");
  const title = differenceTitle({ section, name: String(entry[sections[section].key[0] ?? ""]) });
  return [title, field, message].filter((each) => each !== undefined).join(": ");
}
