/** The file that says what a snapshot is: planning it gives nothing to do. */
import { problemsOf } from "./check.ts";
import { visit } from "./document/names.ts";
import { putAwayIn } from "./document/put-away.ts";
import { channelEntries } from "./export/channels.ts";
import { personEntries } from "./export/people.ts";
import { settingsOf } from "./export/settings.ts";
import {
  domainEntries,
  fieldEntries,
  folderEntries,
  groupEntries,
  linkifierEntries,
  playgroundEntries,
} from "./export/things.ts";
import { file, sections } from "./file.ts";
import { namingOf } from "./naming.ts";
import type { Content } from "./place.ts";
import { members } from "./shape.ts";
import type { Snapshot } from "./snapshot.ts";
import { type SectionName, sectionWords } from "./words.ts";

export interface Wanted {
  /** Every section where absent. */
  readonly only?: readonly SectionName[] | undefined;
  readonly without?: readonly ("members" | "people" | "subscribers")[] | undefined;
  /** Subscribers also of channels that people can join by themselves. */
  readonly subscribers?: boolean;
}

type Entry = Record<string, unknown>;

export interface Exported {
  readonly value: Entry;
  /** What the file cannot say, as it is newer than this program. */
  readonly omitted: readonly string[];
}

function allOf(snapshot: Snapshot, { without = [], subscribers = false }: Wanted): Record<SectionName, unknown> {
  const naming = namingOf(snapshot);
  const context = {
    snapshot,
    naming,
    members: !without.includes("members"),
    subscribers: without.includes("subscribers") ? "none" : subscribers ? "all" : "closed",
  } as const;
  return {
    settings: settingsOf(context, "settings"),
    new_users: settingsOf(context, "new_users"),
    profile_fields: fieldEntries(context),
    people: without.includes("people") ? undefined : personEntries(context),
    groups: groupEntries(context),
    folders: folderEntries(context),
    channels: channelEntries(context),
    linkifiers: linkifierEntries(context),
    domains: domainEntries(context),
    playgrounds: playgroundEntries(context),
  };
}

/** Takes out what no file may say; a thing goes whole where that is what identifies it. */
function fitted(value: Entry): string[] {
  const problems = problemsOf(members(file), JSON.parse(JSON.stringify(value)));
  const gone = new Set<object>();
  for (const { path } of problems) {
    const [section, at, attribute] = path as [SectionName, string | number, string?];
    const all = value[section] as Entry | Entry[];
    const stated = sections[section];
    if (!Array.isArray(all)) delete all[at];
    else if (attribute === undefined || (stated.holds === "things" && stated.key.includes(attribute)))
      gone.add(all[Number(at)]!);
    else delete all[Number(at)]![attribute];
  }
  for (const [name, all] of Object.entries(value))
    if (Array.isArray(all)) value[name] = all.filter((entry: object) => !gone.has(entry));
  return problems.map(({ path, says }) => `${path.join(".")}: ${says}`);
}

/** Takes out what is put away and still named: no file says both, and planning leaves alone what it does not mention. */
function unentangled(value: Entry): void {
  const content = JSON.parse(JSON.stringify(value)) as Content;
  const away = putAwayIn(content);
  const gone = new Set<unknown>();
  visit(members(file), content, {
    name(names, text, path) {
      const put = names === "field" ? undefined : away(names, text, path);
      if (put) gone.add((value[put[0]!] as Entry[])[Number(put[1])]);
    },
  });
  for (const [name, all] of Object.entries(value))
    if (Array.isArray(all)) value[name] = all.filter((entry) => !gone.has(entry));
}

/** Sections of which there is nothing are left out. */
const something = (section: unknown): boolean =>
  typeof section === "object" && section !== null && Object.keys(section).length > 0;

export function exported(snapshot: Snapshot, wanted: Wanted): Exported {
  const all = allOf(snapshot, wanted);
  const chosen = sectionWords.filter((name) => wanted.only?.includes(name) ?? true);
  const value: Entry = {
    organization: snapshot.site,
    ...Object.fromEntries(chosen.filter((name) => something(all[name])).map((name) => [name, all[name]])),
  };
  const omitted = fitted(value);
  unentangled(value);
  return { value, omitted };
}
