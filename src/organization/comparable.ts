/**
 * Writes one organization as a file that another organization can be compared with: without ids, with complete lists.
 */
import { type Content, type Entry, isEntry, type Path, sitesOf } from "./content.ts";
import { exportContent } from "./export.ts";
import { completable, sections, thingSections, titleOf } from "./file.ts";
import { Commented } from "./naming.ts";
import type { Misfit } from "./shape.ts";
import { organizationSetting, type Snapshot } from "./snapshot.ts";
import { type SectionName, sectionWords, type ThingSection } from "./words.ts";

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

const addressIn = ({ email }: Entry): string => String(email).toLowerCase();

/** Invites people who are missing and deactivates people who are not listed: `complete` does not cover people. */
function peopleBeside(people: readonly Entry[], there: readonly Entry[]): Entry[] {
  const known = new Set(there.map(addressIn));
  const listed = new Set(people.map(addressIn));
  const missing = ({ email, role }: Entry): Entry => ({ email, role, invite: true });
  return [
    ...people.flatMap((one) => (known.has(addressIn(one)) ? [one] : one.active === false ? [] : [missing(one)])),
    ...there.flatMap(({ email, active }) =>
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
  const subscribers = sitesOf(from.site).join() === sitesOf(to.site).join();
  const exportOf = (snapshot: Snapshot, sections = only): Content =>
    Object(
      portable(exportContent(snapshot, { only: sections, subscribers }).value, botDomain(snapshot), botDomain(from)),
    );
  const { organization: _, ...value } = exportOf(to);
  const addressed = (all: readonly Entry[] = []) => all.filter(({ email }) => email !== undefined);
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
  const wanted = Object.entries(stated).filter(([name]) => only.some((each) => each === name));
  return {
    ...Object.fromEntries(wanted),
    ...(complete && { complete: complete.filter((name) => only.includes(name)) }),
  };
}

/** Formats a problem: `group designers: members: user "x" not found`. */
function sentence(content: Content, { path, says }: Misfit): string {
  const [section, at, field] = path;
  const name = sectionWords.find((each) => each === section);
  const things = thingSections.find((each): each is ThingSection => each === section);
  const entry = things && content[things]?.[Number(at)];
  const thing =
    entry && things ? titleOf({ section: things, name: String(entry[sections[things].key[0] ?? ""]) }) : name;
  const what = entry ? field : at;
  return `${thing}: ${what === undefined ? "" : `${what}: `}${says}`;
}

/** Returns the value without the part at the end of a path. */
function without(value: unknown, [step, ...rest]: Path): unknown {
  const entries = Object.entries(Object(value)).flatMap(([key, member]): [string, unknown][] =>
    key !== String(step) ? [[key, member]] : rest.length ? [[key, without(member, rest)]] : [],
  );
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

function byPlace(one: Path, other: Path): number {
  const at = one.findIndex((step, n) => step !== other[n]);
  const [step, against] = [one[at], other[at]];
  return typeof step === "number" && typeof against === "number" ? step - against : one.length - other.length;
}

/** Returns what to remove because of a problem: the whole entry if the problem is about the entry or its name. */
function partOf([section, at, field, ...rest]: Path): Path {
  const things = thingSections.find((each) => each === section);
  const isWhole = things && (field === undefined || sections[things].key.some((name) => name === field));
  return [section, at, ...(isWhole ? [] : [field, ...rest])].filter((step) => step !== undefined);
}

/** Removes the parts that have problems, and describes each in a sentence. */
export function withoutProblems(content: Content, problems: readonly Misfit[]): { content: Content; left: string[] } {
  const left = problems.map((problem) => sentence(content, problem));
  const parts = new Map(problems.map(({ path }) => partOf(path)).map((part) => [JSON.stringify(part), part]));
  // Removing from the end keeps earlier indexes valid.
  const rest = [...parts.values()].sort(byPlace).reduceRight((value: unknown, part) => without(value, part), content);
  return { content: Object(rest), left };
}
